import { describe, expect, expectTypeOf, it } from "vitest";
import type { Action, AskType, Form, Option, SelectRange } from "../rules/index.ts";
import type { FormItem } from "./ask.ts";
import { PlaceIn } from "./place.ts";

const base = { type: "approval", prompt: "Refund 80 EUR?" };

function taken(extra: object): boolean {
  return PlaceIn.safeParse({ ...base, ...extra }).success;
}

describe("PlaceIn", () => {
  it("accepts a question with only its required members", () => {
    expect(PlaceIn.parse(base)).toEqual(base);
  });

  it("accepts every member at once", () => {
    const whole = {
      ...base,
      key: "refund:1",
      context: { order: { nested_name: 1 } },
      options: [{ id: "a", label: "A", description: "first", style: "primary" }],
      select: { min: 1, max: 2 },
      form: {
        fields: [
          {
            key: "iban",
            label: "IBAN",
            type: "text",
            sensitive: true,
            validation: { minLength: 5, pattern: "[A-Z]+" },
            conditional: { field: "how", operator: "eq", value: "bank" },
          },
        ],
      },
      response_schema: { type: "object" },
      actions: [{ id: "approve" }, { id: "reject", label: "No" }],
      until: "2026-12-01T10:00:00+01:00",
      on_timeout: { action: "reject", data: { why: "late" } },
      ladder: [
        { after: "30m", channel: "email", to: "lead@example.com" },
        { at: "2026-11-30T10:00:00Z", channel: "chat" },
      ],
      remind_at: ["2026-11-29T10:00:00Z", "PT1H"],
      answerers: ["mara"],
      links: "server",
      previous: "hold_1",
      after: "hold_2",
      callback_url: "https://agent.example/done",
      intent_id: "int_1",
      thread_id: "thr_1",
      metadata: { any_thing: [1] },
    };
    expect(PlaceIn.parse(whole)).toEqual(whole);
  });

  it.each([
    ["an unknown member", { promt: "x" }],
    ["an unknown member inside", { ladder: [{ after: "1m", channel: "c", when: 1 }] }],
    ["an unknown type", { type: "survey" }],
    ["a bare x-", { type: "x-" }],
    ["an empty prompt", { prompt: "" }],
    ["both timeout and until", { timeout: "1h", until: "2026-12-01T10:00:00Z" }],
    ["a duration in words", { timeout: "two hours" }],
    ["a duration of months", { timeout: "P1M" }],
    ["a time without offset", { until: "2026-12-01T10:00:00" }],
    ["a rung with both moments", { ladder: [{ after: "1m", at: "2026-12-01T10:00:00Z", channel: "c" }] }],
    ["a rung with no moment", { ladder: [{ channel: "c" }] }],
    ["a list as context", { context: [1] }],
    ["null as context", { context: null }],
    ["no actions at all", { actions: [] }],
    ["a callback that is no web address", { callback_url: "file:///etc/passwd" }],
    ["an empty list of answerers", { answerers: [] }],
    ["another audience of links", { links: "everyone" }],
    ["null for an optional member", { key: null }],
  ])("refuses %s", (_, extra) => {
    expect(taken(extra)).toBe(false);
  });

  it("accepts custom types", () => {
    expect(taken({ type: "x-signature" })).toBe(true);
  });

  it("passes open objects on unchanged, whatever their members are called", () => {
    const context = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}');
    expect(PlaceIn.parse({ ...base, context }).context).toBe(context);
  });

  it("has the same type as the rules", () => {
    expectTypeOf<PlaceIn["type"]>().toEqualTypeOf<AskType>();
    expectTypeOf<FormItem>().toExtend<Form>();
    expectTypeOf<Form>().toExtend<FormItem>();
    expectTypeOf<NonNullable<PlaceIn["options"]>[number]>().toExtend<Option>();
    expectTypeOf<Option>().toExtend<NonNullable<PlaceIn["options"]>[number]>();
    expectTypeOf<Action>().toExtend<NonNullable<PlaceIn["actions"]>[number]>();
    expectTypeOf<SelectRange>().toExtend<NonNullable<PlaceIn["select"]>>();
  });
});
