import { expect, test } from "vitest";
import { type Ask, changesOf, type JsonObject } from "./index.ts";

const PARAMS = { params: { cents: 80, to: "ada" } };
const ITEMS = { items: [{ id: "a" }, { id: "b" }] };
type Row = readonly [Ask["type"], JsonObject | undefined, string, JsonObject, JsonObject];

test.each<Row>([
  ["approval", undefined, "approve", { edited_args: { cents: 5 } }, { edited_args: { cents: 5 } }],
  ["approval", undefined, "approve", { edited_args: {} }, { edited_args: {} }],
  ["approval", undefined, "approve", { edits: { cents: 5 } }, { edits: { cents: 5 } }],
  ["approval", undefined, "approve", { edits: "cents: 5" }, { edits: "cents: 5" }],
  [
    "approval",
    undefined,
    "approve",
    { edited_args: {}, edits: { a: 1 } },
    { edited_args: {}, edits: { a: 1 } },
  ],
  [
    "escalation",
    PARAMS,
    "retry",
    { modified_params: { cents: 5 } },
    { modified_params: { cents: 5, to: "ada" } },
  ],
  ["escalation", undefined, "retry", { modified_params: { cents: 5 } }, { modified_params: { cents: 5 } }],
  [
    "escalation",
    { params: 7 },
    "retry",
    { modified_params: { cents: 5 } },
    { modified_params: { cents: 5 } },
  ],
  ["confirmation", ITEMS, "confirm", { confirmed_items: ["a"] }, { confirmed_items: ["a"] }],
  ["confirmation", ITEMS, "confirm", { confirmed_items: [] }, { confirmed_items: [] }],
  ["confirmation", { items: ["a", "b"] }, "confirm", { confirmed_items: ["b"] }, { confirmed_items: ["b"] }],
  ["confirmation", { items: [{}, {}] }, "confirm", { confirmed_items: ["x"] }, { confirmed_items: ["x"] }],
])(
  "G14 a %s of %j that was granted by %s with %j was changed to %j",
  (type, context, action, data, changed) => {
    const changes = changesOf({ type, ...(context === undefined ? {} : { context }) }, { action, data });
    expect(Object.fromEntries(changes.map(({ member, value }) => [member, value]))).toEqual(changed);
  },
);

test.each<readonly [Ask["type"], JsonObject | undefined, string, JsonObject]>([
  ["approval", undefined, "approve", { note: "fine" }],
  ["approval", undefined, "approve", { edits: {} }],
  ["approval", undefined, "edit", { edits: { cents: 5 } }],
  ["escalation", PARAMS, "retry", {}],
  ["escalation", PARAMS, "retry", { modified_params: {} }],
  ["escalation", PARAMS, "retry", { modified_params: { cents: 80 } }],
  ["escalation", PARAMS, "skip", { modified_params: { cents: 5 } }],
  ["confirmation", ITEMS, "confirm", {}],
  ["confirmation", ITEMS, "confirm", { confirmed_items: ["b", "a"] }],
  ["confirmation", ITEMS, "cancel", { confirmed_items: [] }],
  ["confirmation", { items: [{ id: "a" }, {}] }, "confirm", { confirmed_items: ["a"] }],
  ["confirmation", { items: [{ id: "a" }, "b"] }, "confirm", { confirmed_items: ["a"] }],
  ["confirmation", undefined, "confirm", { confirmed_items: [] }],
  ["confirmation", { items: "all" }, "confirm", { confirmed_items: [] }],
  ["input", undefined, "submit", { edited_args: 1 }],
  ["selection", undefined, "select", { selected: ["a"] }],
])("a %s of %j that was answered by %s with %j was not changed", (type, context, action, data) => {
  expect(changesOf({ type, ...(context === undefined ? {} : { context }) }, { action, data })).toEqual([]);
});
