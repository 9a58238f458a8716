/** `holdpoint mcp`: the MCP server over standard input and output, for agents that start their tools as programs. */

import type { MeOut } from "@holdpoint/protocol";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { ownStates } from "../mcp/request-states.ts";
import { holdpointMcpServer } from "../mcp/server.ts";
import { systemClock } from "../system/clock.ts";
import { systemIds } from "../system/ids.ts";
import { readArgs } from "./args.ts";
import { clean } from "./clean.ts";
import { callServer, connectionOf, holdClientOf } from "./client.ts";
import type { Command } from "./io.ts";

export const mcp: Command = {
  summary: "Serve the tools ask_human and get_answer over MCP (stdio), with the agent's key",
  async run(args, io) {
    readArgs(args, {}, "mcp");
    const client = holdClientOf(io);
    let name: Promise<string> | undefined;
    const me = () => {
      name ??= callServer<MeOut>(io, "GET", "/v1/me").then((found) => found.agent ?? found.name);
      name.catch(() => {
        name = undefined;
      });
      return name;
    };
    const { url } = connectionOf(io);
    const pageOf = (id: string) => new URL(`/console/holds/${id}`, url).href;
    const elicitation = { states: ownStates(systemIds, systemClock), pageOf, owner: "stdio" };
    const closed = Promise.withResolvers<void>();
    process.stdin.once("close", closed.resolve).once("end", closed.resolve);
    const served = serveStdio(() => holdpointMcpServer({ client, me, elicitation }), {
      onerror: ({ message }) => io.err(`holdpoint mcp: ${clean(message)}\n`),
    });
    await closed.promise;
    await served.close();
    return 0;
  },
};
