/** `holdpoint ask` in a script: what it prints, and which exit code says what. */

import { describe, expect, test } from "vitest";
import { commandLine } from "./commands.fixture.ts";

const cli = commandLine();

describe("holdpoint ask", () => {
  test.each([
    ["approve", 0],
    ["reject", 1],
  ])("holdpoint ask waits for the answer and exits with a code: %s gives %i", async (action, code) => {
    const asking = cli.run("ask", [`Deploy ${action}?`, "--json"]);
    await cli.hp.answer(await cli.openHold(`Deploy ${action}?`), { action });
    const output = await asking;
    expect(output.code).toBe(code);
    expect(JSON.parse(output.out).outcome).toMatchObject({ kind: "decided", action, door: "rest" });
  });

  test("holdpoint ask exits with 2 when nobody decides in time, and prints the review link", async () => {
    const output = await cli.run("ask", ["Anybody there?", "--wait", "1s"]);
    expect(output).toMatchObject({ code: 2, out: "pending\n" });
    expect(output.err).toMatch(/\/review\/review_\w+\?token=/);
  });

  test("holdpoint ask offers the options it is given", async () => {
    const asking = cli.run("ask", ["Which one?", "--option", "a=Apple", "--option", "b", "--json"]);
    const id = await cli.openHold("Which one?");
    expect((await cli.hp.get(id)).options).toEqual([
      { id: "a", label: "Apple" },
      { id: "b", label: "b" },
    ]);
    await cli.hp.answer(id, { action: "select", data: { selected: ["b"] } });
    expect((await asking).code).toBe(0);
  });

  test("G14 holdpoint ask exits with 2 for an approval that was revoked, as for a question that was cancelled", async () => {
    const { id } = await cli.hp.place({ type: "approval", prompt: "Revoked?", key: "revoked" });
    await cli.hp.answer(id, { action: "approve" });
    await cli.hp.revoke(id);
    expect(await cli.run("ask", ["Revoked?", "--key", "revoked"])).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^cancelled/),
    });
    const { code, out } = await cli.run("ask", ["Revoked?", "--key", "revoked", "--json"]);
    expect([code, JSON.parse(out).outcome]).toMatchObject([2, { kind: "cancelled", reason: "revoked" }]);
  });

  test.each([
    ["approval", "approve", { edited_args: { cents: 5 } }],
    ["escalation", "retry", { modified_params: { cents: 5 } }],
  ] as const)(
    "G14 holdpoint ask of type %s exits with 1 when a person approved other arguments, unless --accept-edits is given",
    async (type, action, data) => {
      const key = `edited ${type}`;
      const context = { params: { cents: 80, to: "ada" } };
      const { id } = await cli.hp.place({ type, prompt: "Pay?", key, context });
      await cli.hp.answer(id, { action, data });
      const words = ["Pay?", "--type", type, "--key", key, "--context", JSON.stringify(context)];
      const plain = await cli.run("ask", words);
      expect(plain).toMatchObject({
        code: 1,
        err: expect.stringMatching(/other arguments.*--accept-edits/s),
      });
      expect((await cli.run("ask", [...words, "--json"])).code).toBe(1);
      const accepting = await cli.run("ask", [...words, "--accept-edits"]);
      expect(accepting.code).toBe(0);
      expect(JSON.parse(accepting.out.trim().split("\n").at(-1) ?? "")).toEqual(
        type === "escalation" ? { cents: 5, to: "ada" } : { cents: 5 },
      );
    },
  );

  test.each([[["a"]], [[]]])(
    "G14 holdpoint ask exits with 1 when a person confirmed only %j of two items, unless --accept-edits is given",
    async (confirmed) => {
      const key = `confirmed ${confirmed.join()}`;
      const context = { items: [{ id: "a" }, { id: "b" }] };
      const { id } = await cli.hp.place({ type: "confirmation", prompt: "Send?", key, context });
      await cli.hp.answer(id, { action: "confirm", data: { confirmed_items: confirmed } });
      const words = ["Send?", "--type", "confirmation", "--key", key, "--context", JSON.stringify(context)];
      expect(await cli.run("ask", words)).toMatchObject({
        code: 1,
        err: expect.stringContaining("a part of the items"),
      });
      const accepting = await cli.run("ask", [...words, "--accept-edits"]);
      expect(accepting.code).toBe(0);
      expect(JSON.parse(accepting.out.trim().split("\n").at(-1) ?? "")).toEqual(confirmed);
    },
  );

  test("G14 holdpoint ask exits with 1 for an approval with edits, also with --accept-edits", async () => {
    const { id } = await cli.hp.place({ type: "approval", prompt: "Pay?", key: "edits" });
    await cli.hp.answer(id, { action: "approve", data: { edits: { cents: 5 } } });
    for (const more of [[], ["--accept-edits"]])
      expect(await cli.run("ask", ["Pay?", "--key", "edits", ...more])).toMatchObject({
        code: 1,
        err: expect.stringMatching(/do not run.*--json/s),
      });
  });

  test.each([
    [["yes"], [], 0],
    [["no"], [], 0],
    [["yes"], ["yes"], 0],
    [["no"], ["yes"], 1],
    [["yes", "no"], ["yes"], 1],
    [["yes", "no"], ["yes", "no"], 0],
  ])("G14 holdpoint ask with %j chosen and --granted %j exits with %i", async (selected, granted, code) => {
    const key = `chosen ${selected.join()} granted ${granted.join()}`;
    const options = ["yes", "no"].map((id) => ({ id, label: id }));
    const { id } = await cli.hp.place({ type: "selection", prompt: "Pay?", key, options });
    await cli.hp.answer(id, { action: "select", data: { selected } });
    const words = ["Pay?", "--key", key, "--option", "yes", "--option", "no"];
    const output = await cli.run("ask", [...words, ...granted.flatMap((each) => ["--granted", each])]);
    expect(output.code).toBe(code);
  });

  test("holdpoint ask refuses a --granted that is none of its options", async () => {
    await expect(cli.run("ask", ["Pay?", "--granted", "yes"])).rejects.toThrow(/--option yes/);
    await expect(cli.run("ask", ["Pay?", "--option", "no", "--granted", "yes"])).rejects.toThrow(
      /--option yes/,
    );
  });

  test("holdpoint ask names what is wrong with its arguments", async () => {
    await expect(cli.run("ask")).rejects.toThrow(/the question is missing/);
    await expect(cli.run("ask", ["x", "--context", "[1]"])).rejects.toThrow(/JSON object/);
    await expect(cli.run("ask", ["x", "--nonsense"])).rejects.toThrow(/usage: holdpoint ask/);
  });
});
