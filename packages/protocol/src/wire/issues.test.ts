import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { readShape } from "./issues.ts";
import { OutcomeOut } from "./outcome.ts";
import { PlaceIn } from "./place.ts";

const base = { type: "approval", prompt: "Go?" };

function refusalOf(schema: z.ZodType, value: unknown) {
  const read = readShape(schema, value);
  if (read.ok) throw new Error("it was taken");
  return read.refusal;
}

describe("readShape", () => {
  it("names an unknown member by its path", () => {
    const refusal = refusalOf(PlaceIn, { ...base, timeuot: "2h" });
    expect(refusal.code).toBe("unknown_member");
    expect(refusal.fields).toEqual([
      { key: "/timeuot", rule: "unknown_member", message: "There is no member timeuot here" },
    ]);
  });

  it("reports a body as invalid, not as having unknown members, when something else is wrong too", () => {
    const refusal = refusalOf(PlaceIn, { ...base, prompt: 7, extra: true });
    expect(refusal.code).toBe("invalid_body");
    expect(refusal.fields.map((field) => field.key).toSorted()).toEqual(["/extra", "/prompt"]);
  });

  it("reports problems of the branch of a union that was meant", () => {
    const rung = refusalOf(PlaceIn, { ...base, ladder: [{ after: "30m", chanel: "email" }] });
    expect(rung.fields.map((field) => field.key)).toContain("/ladder/0/chanel");
    const onTimeout = refusalOf(PlaceIn, { ...base, on_timeout: { acton: "reject" } });
    expect(onTimeout).toMatchObject({ code: "unknown_member", fields: [{ key: "/on_timeout/acton" }] });
  });

  it("reports a union as a whole when no branch fits the kind of value", () => {
    expect(refusalOf(PlaceIn, { ...base, on_timeout: 5 }).fields).toMatchObject([{ key: "/on_timeout" }]);
  });

  it("reports inside the branch that a discriminator chose", () => {
    const refusal = refusalOf(OutcomeOut, { kind: "expired", at: "2026-01-01T00:00:00Z", by: {} });
    expect(refusal).toMatchObject({ code: "unknown_member", fields: [{ key: "/by" }] });
  });

  it("escapes names as JSON pointers do", () => {
    expect(refusalOf(PlaceIn, { ...base, "a/b~c": 1 }).fields[0]?.key).toBe("/a~1b~0c");
  });

  it("G13: names everything that is wrong with a small body and the first thing of a large one", () => {
    const options = (count: number) => Array.from({ length: count }, () => ({}));
    expect(refusalOf(PlaceIn, { ...base, options: options(10) }).fields).toHaveLength(20);
    const large = refusalOf(PlaceIn, { ...base, options: options(2_000), ladder: options(2_000) });
    expect(large.fields.map((field) => field.key)).toEqual(["/options/0/id"]);
  });

  it("G13: names a bounded number of unknown members", () => {
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, 0]));
    expect(refusalOf(PlaceIn, { ...base, ...wide })).toMatchObject({ code: "unknown_member" });
    expect(refusalOf(PlaceIn, { ...base, ...wide }).fields).toHaveLength(50);
  });
});
