import { isRefusal } from "@holdpoint/protocol/client";
import { failure, until } from "@holdpoint/protocol/http/testing";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { defineHold } from "./define-hold.ts";
import { type Setup, setup } from "./setup.fixture.ts";

const budget = defineHold("budget", {
  prompt: "How much may it cost?",
  answer: z.object({ amount: z.number().positive(), currency: z.enum(["EUR", "USD"]).default("EUR") }),
});

async function answered(kit: Setup, action: string, data: object): Promise<void> {
  await until(() => kit.server.holds.size === 1);
  kit.server.decide("hold_1", action, data as never);
}

describe("defineHold", () => {
  it("sends the answer's schema, and nothing that stays local", async () => {
    await using kit = await setup();
    await kit.hp.place(budget({ key: "b:1", context: { campaign: "spring" } }));
    expect(kit.server.seen[0]?.body).toEqual({
      key: "b:1",
      type: "input",
      prompt: "How much may it cost?",
      context: { campaign: "spring" },
      metadata: { definition: "budget" },
      response_schema: {
        type: "object",
        properties: { amount: { type: "number", exclusiveMinimum: 0 }, currency: expect.anything() },
        required: ["amount"],
      },
    });
  });

  it("gives the data as the schema types and fills it in", async () => {
    await using kit = await setup();
    const asking = kit.hp.ask(budget());
    await answered(kit, "submit", { amount: 80 });
    const { data, action } = (await asking).orThrow();
    expect(data).toEqual({ amount: 80, currency: "EUR" });
    expectTypeOf(data).toEqualTypeOf<{ amount: number; currency: "EUR" | "USD" }>();
    expectTypeOf(action).toEqualTypeOf<"submit">();
  });

  it("types the arguments that a person changed when approving", async () => {
    await using kit = await setup();
    const transfer = defineHold("transfer", {
      type: "approval",
      answer: z.object({ to: z.string(), cents: z.number().int() }),
    });
    const asking = kit.hp.ask(transfer({ prompt: "Send 80 EUR to Ada?" }));
    await answered(kit, "approve", { edited_args: { to: "Ada", cents: 7_000 }, note: "less" });
    const { data, action } = (await asking).orThrow();
    expect(data).toEqual({ editedArgs: { to: "Ada", cents: 7_000 }, note: "less" });
    expectTypeOf(data.editedArgs).toEqualTypeOf<{ to: string; cents: number } | undefined>();
    expectTypeOf(action).toEqualTypeOf<"approve" | "edit" | "reject">();
  });

  it("leaves data without changed arguments as it is", async () => {
    await using kit = await setup();
    const transfer = defineHold("transfer", {
      type: "approval",
      prompt: "?",
      answer: z.object({ to: z.string() }),
    });
    const asking = kit.hp.ask(transfer());
    await answered(kit, "reject", { feedback: "no" });
    expect((await asking).orThrow().data).toEqual({ feedback: "no" });
  });

  it("unwraps an answer that is not an object", async () => {
    await using kit = await setup();
    const age = defineHold("age", { prompt: "How old?", answer: z.number() });
    const asking = kit.hp.ask(age());
    await answered(kit, "submit", { value: 41 });
    expect((await asking).orThrow().data).toBe(41);
  });

  it("throws when the answer does not fit a rule that JSON Schema cannot express", async () => {
    await using kit = await setup();
    const even = z.object({ n: z.number().refine((n) => n % 2 === 0, "must be even") });
    const asking = failure(kit.hp.ask(defineHold("even", { prompt: "?", answer: even })()));
    await answered(kit, "submit", { n: 3 });
    const error = await asking;
    expect(isRefusal(error, "invalid_answer") && error.fields).toEqual([
      { key: "/n", rule: "schema", message: "must be even" },
    ]);
  });

  it("accepts plain JSON Schema, and returns the data unchanged", async () => {
    await using kit = await setup();
    const schema = { type: "object", properties: { a: { type: "string" } } } as const;
    const asking = kit.hp.ask(defineHold("plain", { prompt: "?", answer: schema })());
    await answered(kit, "submit", { a: "x" });
    expect(kit.server.seen[0]?.body["response_schema"]).toEqual(schema);
    expect((await asking).orThrow().data).toEqual({ a: "x" });
  });

  it("throws when the schema library cannot produce JSON Schema", () => {
    const mute = {
      "~standard": { version: 1, vendor: "mute", validate: (value: unknown) => ({ value }) },
    } as const;
    expect(() => defineHold("x", { prompt: "?", answer: mute })).toThrow(/mute cannot convert this schema/);
    const place = defineHold("x", { prompt: "?", answer: mute, responseSchema: { type: "object" } })();
    expect(place.responseSchema).toEqual({ type: "object" });
  });

  it("prefers members given with the question to those of the definition", () => {
    const said = defineHold("x", {
      prompt: "Old?",
      timeout: "1h",
      metadata: { a: 1 },
      answer: { type: "object" },
    });
    expect(said({ prompt: "New?", metadata: { b: 2 } })).toMatchObject({
      prompt: "New?",
      timeout: "1h",
      metadata: { definition: "x", a: 1, b: 2 },
    });
  });
});
