/** An MCP server in a process of its own. It writes every call that reaches a tool into the file that `RAN` names. */

import { appendFileSync } from "node:fs";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { countingServer } from "./counting-server.fixture.ts";

class Ran extends Array<unknown> {
  override push(...calls: unknown[]): number {
    for (const call of calls) appendFileSync(process.env["RAN"] ?? "", `${JSON.stringify(call)}\n`);
    return super.push(...calls);
  }
}

const ran = new Ran();
if (process.env["HOLDPOINT_API_KEY"] !== undefined) ran.push("the key of the agent");
serveStdio(() => countingServer(ran));
