import { expect, test } from "vitest";
import { type Condition, type Field, type Form, type Json, type JsonObject, visibleFields } from "./index.ts";

const shown = (form: Form, values: JsonObject) => visibleFields(form, values).map((field) => field.key);

function met(
  type: Field["type"],
  operator: Condition["operator"],
  target: Json,
  given: Json | undefined,
): boolean {
  const conditional: Condition = { field: "other", operator, value: target };
  const fields: Field[] = [
    { key: "other", label: "Other", type },
    { key: "it", label: "It", type: "text", conditional },
  ];
  return shown({ fields }, given === undefined ? {} : { other: given }).includes("it");
}

test.each<[Field["type"], Condition["operator"], Json, Json | undefined, boolean]>([
  ["text", "eq", "a", "a", true],
  ["text", "eq", "a", "b", false],
  ["text", "eq", "a", undefined, false],
  ["text", "eq", "", "", false],
  ["text", "eq", null, null, false],
  ["number", "eq", 5, 5, true],
  ["number", "eq", 5, "5", false],
  ["boolean", "eq", true, true, true],
  ["boolean", "eq", false, false, true],
  ["boolean", "eq", false, undefined, false],
  ["multiselect", "eq", "a", ["a", "b"], true],
  ["multiselect", "eq", "c", ["a", "b"], false],
  ["multiselect", "eq", ["a", "b"], ["a", "b"], true],
  ["multiselect", "eq", ["a"], ["a", "b"], false],
  ["text", "neq", "a", "b", true],
  ["text", "neq", "a", "a", false],
  ["text", "neq", "a", undefined, true],
  ["text", "neq", "a", "", true],
  ["multiselect", "neq", "a", ["a"], false],
  ["select", "in", ["a", "b"], "b", true],
  ["select", "in", ["a", "b"], "c", false],
  ["select", "in", ["a", "b"], undefined, false],
  ["select", "in", "ab", "a", false],
  ["multiselect", "in", ["a", "b"], ["c", "b"], true],
  ["multiselect", "in", ["a", "b"], ["c"], false],
  ["number", "gt", 5, 6, true],
  ["number", "gt", 5, 5, false],
  ["number", "gt", 5, "6", false],
  ["number", "gt", 5, undefined, false],
  ["number", "lt", 5, 4, true],
  ["number", "lt", 5, 5, false],
  ["number", "lt", "5", 4, false],
  ["number", "lt", 5, "4", false],
  ["date", "gt", "2026-01-01", "2026-01-02", true],
  ["date", "gt", "2026-01-01", "2026-01-01", false],
  ["date", "gt", 1_767_225_600_000, "2026-01-02", true],
  ["date", "lt", "2026-01-10", "2026-01-09", true],
  ["date", "lt", "2026-01-10", "never", false],
  ["date", "eq", 1_767_225_600_000, "2026-01-01", true],
  ["date", "eq", "2026-01-01T00:00:00Z", "2026-01-01", true],
  ["date", "neq", "2026-01-01", "2026-01-02", true],
  ["date", "in", ["2026-01-01", 1_767_312_000_000], "2026-01-02", true],
])(
  "HP-079 a condition on a %s field with %s %j, given %j, is met: %s",
  (type, operator, target, given, expected) => {
    expect(met(type, operator, target, given)).toBe(expected);
  },
);

const kind: Field = { key: "kind", label: "Kind", type: "text" };
const rate: Field = {
  key: "rate",
  label: "Rate",
  type: "number",
  conditional: { field: "kind", operator: "eq", value: "hourly" },
};
const why: Field = {
  key: "why",
  label: "Why",
  type: "text",
  conditional: { field: "rate", operator: "neq", value: 5 },
};

test("HP-081 a hidden field hides the fields that depend on it, in any step and order", () => {
  const form: Form = {
    steps: [
      { title: "One", fields: [why, kind] },
      { title: "Two", fields: [rate] },
    ],
  };
  expect(shown(form, { kind: "hourly", rate: 99 })).toEqual(["why", "kind", "rate"]);
  expect(shown(form, { kind: "hourly", rate: 5 })).toEqual(["kind", "rate"]);
  expect(shown(form, { kind: "salary", rate: 99 })).toEqual(["kind"]);
  expect(shown(form, {})).toEqual(["kind"]);
});

test("a field whose condition is in a circle, or names no field, is hidden", () => {
  const circle = [{ ...rate, conditional: { field: "why", operator: "neq", value: 1 } as const }, why];
  expect(shown({ fields: circle }, {})).toEqual([]);
  expect(shown({ fields: [rate] }, { kind: "hourly" })).toEqual([]);
});

test("a form without any field shows nothing", () => {
  expect(shown({}, {})).toEqual([]);
});

test("a field named like something every object inherits is empty until it is given", () => {
  const fields: Field[] = [
    { key: "constructor", label: "C", type: "text" },
    {
      key: "it",
      label: "It",
      type: "text",
      conditional: { field: "constructor", operator: "eq", value: "a" },
    },
  ];
  expect(shown({ fields }, {})).toEqual(["constructor"]);
  expect(shown({ fields }, { constructor: "a" })).toEqual(["constructor", "it"]);
});

test("G13: every condition on one list takes as long as its own value, and not as the list", () => {
  const items = Array.from({ length: 20_000 }, (_, at) => ({ at }));
  const targets = Array.from({ length: 20_000 }, (_, at) => ({ at: `${at}` }));
  const fields: Field[] = [
    { key: "other", label: "Other", type: "x-list" },
    ...Array.from({ length: 499 }, (_, at): Field => {
      const conditional: Condition = { field: "other", operator: at % 2 === 0 ? "eq" : "neq", value: { at } };
      return { key: `k${at}`, label: "It", type: "text", conditional };
    }),
    { key: "in", label: "It", type: "text", conditional: { field: "other", operator: "in", value: targets } },
  ];
  let read = 0;
  const counted = items.map(
    (item) =>
      new Proxy(item, {
        ownKeys(target) {
          read += 1;
          return Reflect.ownKeys(target);
        },
      }),
  );
  expect(shown({ fields }, { other: counted })).toHaveLength(1 + 250);
  expect(read).toBeLessThanOrEqual(2 * items.length);
});
