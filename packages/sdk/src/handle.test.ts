import { isRefusal } from "@holdpoint/protocol/client";
import { failure, until } from "@holdpoint/protocol/http/testing";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { setup } from "./setup.fixture.ts";

const question = {
  key: "refund:1",
  type: "approval",
  prompt: "Refund 80 EUR?",
  responseSchema: z.object({ cents: z.number().default(8_000) }),
} as const;

describe("a handle", () => {
  it("has the hold as it was placed, and is small when it is saved", async () => {
    await using kit = await setup();
    const placed = await kit.hp.place(question);
    expect(placed).toMatchObject({ id: "hold_1", key: "refund:1", status: "open", prompt: question.prompt });
    expect(JSON.parse(JSON.stringify(placed))).toEqual({ holdId: "hold_1", key: "refund:1" });
  });

  it("sends a schema of a schema library as JSON Schema", async () => {
    await using kit = await setup();
    await kit.hp.place(question);
    expect(kit.server.seen[0]?.body["response_schema"]).toMatchObject({
      type: "object",
      properties: { cents: { type: "number" } },
    });
  });

  it("reads the outcome at once with outcome, and waits with wait", async () => {
    await using kit = await setup();
    const placed = await kit.hp.place(question);
    expect((await placed.outcome()).kind).toBe("pending");
    const waiting = placed.wait();
    await until(() => kit.server.streams.length === 1);
    kit.server.decide("hold_1", "approve", { edited_args: {}, note: "fine" });
    expect((await waiting).orThrow().data).toEqual({ editedArgs: { cents: 8_000 }, note: "fine" });
  });

  it("leaves out changed arguments that nobody checked", async () => {
    await using kit = await setup();
    const placed = await kit.hp.place({ type: "approval", prompt: "Pay?" });
    kit.server.decide("hold_1", "approve", { editedArgs: { cents: 9_000 }, note: "fine" });
    expect((await placed.outcome()).orThrow().data).toEqual({ note: "fine" });
  });

  it("does not ask the server again once it has an outcome", async () => {
    await using kit = await setup();
    const placed = await kit.hp.place(question);
    kit.server.decide("hold_1", "reject");
    await placed.outcome();
    const calls = kit.server.seen.length;
    expect(await placed.wait()).toMatchObject({ kind: "decided", action: "reject" });
    expect(kit.server.seen.length).toBe(calls);
  });

  it("that was saved is found again in another process, with the schema of its question", async () => {
    await using kit = await setup();
    const saved = JSON.parse(JSON.stringify(await kit.hp.place(question)));
    kit.server.decide("hold_1", "approve", { edited_args: {} });
    expect((await kit.another().hold(JSON.stringify(saved)).outcome()).kind).toBe("decided");
    const handle = kit.another().hold(saved, question);
    expect((await handle.outcome()).orThrow().data.editedArgs).toEqual({ cents: 8_000 });
    expect(JSON.stringify(handle)).toBe(JSON.stringify(saved));
  });

  it("is found again by its key, and a key that was never used finds nothing", async () => {
    await using kit = await setup();
    await kit.hp.place(question);
    expect(await kit.another().find({ key: "refund:1" }, question)).toMatchObject({ id: "hold_1" });
    expect(await kit.another().find({ key: "refund:2" })).toBeNull();
  });

  it("withdraws its question", async () => {
    await using kit = await setup();
    const placed = await kit.hp.place(question);
    expect((await placed.cancel({ reason: "moot" })).kind).toBe("cancelled");
    expect(kit.server.holds.get("hold_1")?.status).toBe("cancelled");
  });

  it("runs the approved work once, with the decision as its argument", async () => {
    await using kit = await setup();
    const placed = await kit.hp.place(question);
    kit.server.decide("hold_1", "approve", { edited_args: { cents: 5 } });
    expect(await placed.runOnce(({ data }) => data.editedArgs?.cents)).toBe(5);
    expect(
      await kit
        .another()
        .hold(placed.id, question)
        .runOnce(({ data }) => data.note),
    ).toBe(5);
  });

  it("G5 runs nothing while nobody has decided, and throws a PendingError", async () => {
    await using kit = await setup();
    const placed = await kit.hp.place(question);
    expect(await failure(placed.runOnce(() => 1))).toMatchObject({ name: "PendingError", holdId: "hold_1" });
    expect(kit.server.calls(/claim/)).toEqual([]);
  });

  it("G14 does not run work that takes no arguments when a person changed them", async () => {
    await using kit = await setup();
    const placed = await kit.hp.place(question);
    kit.server.decide("hold_1", "approve", { edited_args: { cents: 5 } });
    const error = await failure(placed.runOnce(() => "paid 80 EUR"));
    expect(error).toMatchObject({ code: "edited_args", holdId: "hold_1" });
    expect(kit.server.calls(/claim/)).toEqual([]);
  });

  it("G14 does not run work that takes no arguments when a person retries with other parameters", async () => {
    await using kit = await setup();
    const context = { params: { cents: 80 } };
    const placed = await kit.hp.place({ type: "escalation", prompt: "Pay?", context });
    kit.server.decide("hold_1", "retry", { modified_params: { cents: 5 } });
    expect(await failure(placed.runOnce(() => "paid 80 EUR"))).toMatchObject({ code: "edited_args" });
    expect(kit.server.calls(/claim/)).toEqual([]);
    expect(await placed.runOnce(({ data }) => data["modifiedParams"])).toEqual({ cents: 5 });
  });

  it("G14 an approval whose work takes changed arguments does not run it after an approval with edits", async () => {
    await using kit = await setup();
    const asking = kit.hp.approve("Pay?");
    await until(() => kit.server.holds.has("hold_1"));
    kit.server.decide("hold_1", "approve", { edits: { cents: 5 } });
    const approval = await asking;
    if (approval === false) throw new Error("it was approved");
    expect(await failure(approval.runOnce((edited) => edited ?? 80))).toMatchObject({ code: "edited_args" });
  });

  it("throws an erased error when its schema cannot read the answer any more", async () => {
    await using kit = await setup();
    const placed = await kit.hp.place({ ...question, type: "input" });
    kit.server.decide("hold_1", "submit", {});
    const hold = kit.server.holds.get("hold_1")!;
    kit.server.holds.set("hold_1", { ...hold, erased_at: "2026-03-02T00:00:00Z" });
    expect(await failure(placed.outcome())).toMatchObject({ code: "erased", holdId: "hold_1" });
  });
});

describe("an answer's data in camelCase", () => {
  it.each([
    ["confirmation", "confirm", { confirmed_items: ["a"] }, { confirmedItems: ["a"] }],
    ["escalation", "retry", { modified_params: { a_b: 1 } }, { modifiedParams: { a_b: 1 } }],
    ["input", "submit", { edited_args: 1 }, { edited_args: 1 }],
  ] as const)(
    "of a %s renames the members that its type declares, and none of the author's",
    async (type, action, wire, here) => {
      await using kit = await setup();
      const placed = await kit.hp.place({ type, prompt: "?" });
      kit.server.decide("hold_1", action, wire as never);
      expect((await placed.outcome()).orThrow().data).toEqual(here);
    },
  );

  it("of another type is not checked against the schema when a person declines", async () => {
    await using kit = await setup();
    const asked = { type: "x-tone", prompt: "?", responseSchema: z.object({ tone: z.string() }) } as const;
    const placed = await kit.hp.place(asked);
    kit.server.decide("hold_1", "reject", {});
    expect(await placed.outcome()).toMatchObject({ action: "reject", data: {} });
  });
});

describe("any and all", () => {
  it("read each answer with the schema of its own question", async () => {
    await using kit = await setup();
    const budget = {
      type: "input",
      prompt: "?",
      responseSchema: z.object({ n: z.number().default(7) }),
    } as const;
    const placed = await kit.hp.place({ ...budget, key: "one" });
    const waiting = kit.hp.all([placed, { ...budget, key: "two" }, placed.id]);
    await until(() => kit.server.holds.size === 2);
    for (const id of ["hold_1", "hold_2"]) kit.server.decide(id, "submit", {});
    const data = (await waiting).map((outcome) => outcome.orThrow().data);
    expect(data).toEqual([{ n: 7 }, { n: 7 }, {}]);
    const { outcome } = await kit.hp.any([placed]);
    expect(outcome.orThrow().data.n).toBe(7);
  });
});

describe("short forms of asking", () => {
  it("approve returns an approval that can be run once", async () => {
    await using kit = await setup();
    const asking = kit.hp.approve("Deploy 7?", { key: "deploy:7" });
    await until(() => kit.server.holds.size === 1);
    kit.server.decide("hold_1", "approve", { note: "go" });
    const approved = await asking;
    if (approved === false) throw new Error("it was approved");
    expect(approved).toMatchObject({ holdId: "hold_1", note: "go" });
    expect(await approved.runOnce(() => "deployed")).toBe("deployed");
    expect(kit.server.seen[0]?.body).toEqual({ key: "deploy:7", type: "approval", prompt: "Deploy 7?" });
  });

  it.each(["reject", "edit"])("G14 approve returns false when a person answers %s", async (action) => {
    await using kit = await setup();
    const asking = kit.hp.approve("Deploy 7?");
    await until(() => kit.server.holds.size === 1);
    kit.server.decide("hold_1", action);
    expect(await asking).toBe(false);
  });

  it("G5 approve throws when nobody decided, whatever the default says", async () => {
    await using kit = await setup();
    const asking = failure(kit.hp.approve("Deploy 7?", { timeout: "1h", onTimeout: "approve" }));
    await until(() => kit.server.holds.size === 1);
    const at = "2026-03-01T10:00:00Z";
    kit.server.settle("hold_1", { kind: "expired", default: { action: "approve" }, at });
    expect(await asking).toMatchObject({ name: "ExpiredError", default: { action: "approve" } });
  });

  it("G14 approve does not run work that takes no arguments when a person changed them", async () => {
    await using kit = await setup();
    const asking = kit.hp.approve("Pay?", { responseSchema: z.object({ cents: z.number() }) });
    await until(() => kit.server.holds.size === 1);
    kit.server.decide("hold_1", "approve", { edited_args: { cents: 5 } });
    const approved = await asking;
    if (approved === false) throw new Error("it was approved");
    expect(await failure(approved.runOnce(() => 80))).toMatchObject({ code: "edited_args" });
    expect(await approved.runOnce((edited) => edited?.cents)).toBe(5);
  });

  it("choose returns the id of the selected option", async () => {
    await using kit = await setup();
    const asking = kit.hp.choose("Where?", ["eu", { id: "us", label: "United States" }]);
    await until(() => kit.server.holds.size === 1);
    kit.server.decide("hold_1", "select", { selected: ["us"] });
    expect(await asking).toBe("us");
    expect(kit.server.seen[0]?.body).toMatchObject({
      type: "selection",
      select: { min: 1, max: 1 },
      options: [
        { id: "eu", label: "eu" },
        { id: "us", label: "United States" },
      ],
    });
  });

  it("input returns what the schema parses, and asks with the schema's own description", async () => {
    await using kit = await setup();
    const asking = kit.hp.input(z.number().describe("How old are you?"), { key: "age" });
    await until(() => kit.server.holds.size === 1);
    kit.server.decide("hold_1", "submit", { value: 41 });
    expect(await asking).toBe(41);
    expect(kit.server.seen[0]?.body["prompt"]).toBe("How old are you?");
  });

  it("input without a prompt throws an error that says how to give one", async () => {
    await using kit = await setup();
    expect(await failure(kit.hp.input(z.number()))).toMatchObject({
      message: expect.stringContaining("hp.input(schema, { prompt: … })"),
    });
  });

  it("a handle of an unknown hold throws not_found", async () => {
    await using kit = await setup();
    expect(isRefusal(await failure(kit.hp.hold("hold_9").outcome()), "not_found")).toBe(true);
  });
});
