/** Questions that were granted with changes: the original work does not run, whichever way a person changed it (G14). */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { Holdpoint, isTerminalError, runOnce } from "@holdpoint/sdk";
import { describe, expect, it } from "vitest";
import { CHANGES } from "../packages/adapters/src/testing/truth-table.ts";
import { testServer } from "../packages/server/src/testing/test-server.ts";
import { type ServerProcess, serverProcess } from "./support/server-process.ts";

describe.each(CHANGES)("G14 $title", ({ type, action, context, data }) => {
  it("runs no work that takes no change, and is refused as `edited_args`; work that takes it runs once", async () => {
    await using test = await testServer();
    const principal = { role: "agent", via: "key", id: "k", name: "refunder" } as const;
    const hp = new Holdpoint({ client: test.server.client({ workspace: "default", principal }) });
    const placed = await hp.place({ type, prompt: "Refund?", context });
    const { status } = await test.call("POST", `/v1/holds/${placed.id}/answer`, {
      key: test.keys.operator,
      body: { action, data },
    });
    expect(status).toBe(200);
    const ran: string[] = [];
    const refund = () => ran.push("original");
    for (const attempt of [
      () => runOnce(hp.client, placed.id, refund),
      () => placed.runOnce(refund),
      async () => hp.runOnce({ holdId: placed.id, hold: await hp.get(placed.id) } as never, refund),
    ])
      await expect(attempt()).rejects.toSatisfy(
        (error) => isTerminalError(error) && error.code === "edited_args",
      );
    expect(ran).toEqual([]);
    await placed.runOnce((decision) => ran.push(decision.action), { takesEdits: true });
    expect(ran).toEqual([action]);
  });
});

const MAIN = fileURLToPath(new URL("../packages/server/src/cli/main.ts", import.meta.url));

async function holdpointAsk(server: ServerProcess, ...words: readonly string[]) {
  const env = { ...process.env, HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: server.key };
  const child = spawn(process.execPath, ["--conditions=@holdpoint/source", MAIN, "ask", ...words], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { code, lines: out.trim().split("\n") };
}

it("G14 holdpoint ask exits with 1 for every change, and with --accept-edits prints what to run, if that is known", async () => {
  await using server = await serverProcess();
  const hp = httpHoldClient({ url: server.url, apiKey: server.key });
  for (const [at, { title, type, action, context, data, printed }] of CHANGES.entries()) {
    const key = `changed-${at}`;
    const { id } = await hp.place({ type, prompt: "Refund?", key, context });
    await hp.answer(id, { action, data });
    const words = ["Refund?", "--type", type, "--key", key, "--context", JSON.stringify(context)];
    expect([title, (await holdpointAsk(server, ...words)).code]).toEqual([title, 1]);
    const { code, lines } = await holdpointAsk(server, ...words, "--accept-edits");
    expect([title, code]).toEqual([title, printed === undefined ? 1 : 0]);
    if (printed !== undefined) expect(JSON.parse(lines.at(-1) ?? "")).toEqual(printed);
  }
});
