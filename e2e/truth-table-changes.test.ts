/** Questions that were granted with changes: the original work does not run, whichever way a person changed it (G14). */

import { Holdpoint, isTerminalError, runOnce } from "@holdpoint/sdk";
import { describe, expect, it } from "vitest";
import { CHANGES } from "../packages/adapters/src/testing/truth-table.ts";
import { commandLine } from "../packages/server/src/cli/commands.fixture.ts";
import { testServer } from "../packages/server/src/testing/test-server.ts";

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
    await placed.runOnce((decision) => ran.push(decision.action));
    expect(ran).toEqual([action]);
  });
});

describe.each(CHANGES)("G14 holdpoint ask of $title", ({ type, action, context, data, printed }) => {
  const cli = commandLine();

  it("exits with 1, and with --accept-edits prints what to run, if that is known", async () => {
    const key = "changed";
    const { id } = await cli.hp.place({ type, prompt: "Refund?", key, context });
    await cli.hp.answer(id, { action, data });
    const words = ["Refund?", "--type", type, "--key", key, "--context", JSON.stringify(context)];
    expect((await cli.run("ask", words)).code).toBe(1);
    const { code, out } = await cli.run("ask", [...words, "--accept-edits"]);
    expect(code).toBe(printed === undefined ? 1 : 0);
    if (printed !== undefined) expect(JSON.parse(out.trim().split("\n").at(-1) ?? "")).toEqual(printed);
  });
});
