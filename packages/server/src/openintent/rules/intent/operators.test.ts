import { expect, test } from "vitest";
import { OPERATOR } from "../../../testing/core-samples.ts";
import { closedFor, intentRow } from "../../../testing/intent-samples.ts";
import type { Intent } from "./intent.ts";
import { may } from "./who.ts";

test("a list that exists because somebody was given access takes nothing from operators, and one with a chosen policy lets them write", () => {
  const own = { ...intentRow().body, access: "owner" } as Intent;
  const acl = closedFor(["stranger", "read"]);
  const levels = (intent: Intent) =>
    (["write", "admin"] as const).map((level) => may(intent, OPERATOR, level, 0));
  expect(levels({ ...own, acl: { ...acl, isDefault: true } })).toEqual([true, true]);
  expect(levels({ ...own, acl })).toEqual([true, false]);
});
