import { describe, expect, test } from "vitest";
import type { Json } from "../rules/json.ts";
import { Form, FormField, FormStep } from "./form.ts";
import { bent, type Path } from "./testing/bend.ts";
import { FIELD } from "./testing/samples.ts";

const accepts = (path: Path, value?: Json) => FormField.safeParse(bent(FIELD, path, value)).success;

test("HP-058 a form has fields or steps, not both and not neither", () => {
  const step = { title: "One", fields: [FIELD] };
  expect(Form.safeParse({ fields: [FIELD] }).success).toBe(true);
  expect(Form.safeParse({ steps: [step], session_id: "s" }).success).toBe(true);
  expect(Form.safeParse({ fields: [FIELD], steps: [step] }).success).toBe(false);
  expect(Form.safeParse({ session_id: "s" }).success).toBe(false);
  expect(Form.safeParse({ fields: [], title: "x" }).success).toBe(false);
});

describe("a form's field", () => {
  test("HP-059 a field is parsed unchanged", () => {
    expect(FormField.parse(FIELD)).toEqual(FIELD);
  });

  test.each(["key", "label", "type"])("HP-059 a field without %s is refused", (member) => {
    expect(accepts([member])).toBe(false);
  });

  test.each(["", "1a", "a-b", "_a", "ä"])("HP-059 a field with the key %j is refused", (key) => {
    expect(accepts(["key"], key)).toBe(false);
  });

  test("HP-059 a field's label has at most 200 characters", () => {
    expect(accepts(["label"], "é".repeat(200))).toBe(true);
    expect(accepts(["label"], "é".repeat(201))).toBe(false);
  });

  test.each([[["stranger"]], [["validation", "stranger"]], [["conditional", "stranger"]]])(
    "HP-059 a field with an unknown member at %j is refused",
    (path) => {
      expect(accepts(path, 1)).toBe(false);
    },
  );
});

test("HP-062 a custom field type is accepted", () => {
  expect(accepts(["type"], "x-signature")).toBe(true);
});

test("HP-069 an option has exactly a value and a label, both texts", () => {
  expect(accepts(["options"], [{ value: "a", label: "A" }])).toBe(true);
  expect(accepts(["options", 0, "value"], 1)).toBe(false);
  expect(accepts(["options", 0, "label"])).toBe(false);
  expect(accepts(["options", 0, "extra"], 1)).toBe(false);
});

test("HP-070 minLength and maxLength are whole numbers from zero", () => {
  for (const member of ["minLength", "maxLength"]) {
    expect(accepts(["validation", member], 0)).toBe(true);
    expect(accepts(["validation", member], -1)).toBe(false);
    expect(accepts(["validation", member], 1.5)).toBe(false);
  }
});

test("HP-072 min and max are numbers", () => {
  expect(accepts(["validation", "min"], -1.5)).toBe(true);
  expect(accepts(["validation", "min"], "2026-01-01")).toBe(false);
  expect(accepts(["validation", "max"], null)).toBe(false);
});

test("HP-076 a step has a title and fields, perhaps none, and nothing unknown", () => {
  expect(FormStep.safeParse({ title: "Review", fields: [] }).success).toBe(true);
  expect(FormStep.safeParse({ title: "Review", description: "Look", fields: [FIELD] }).success).toBe(true);
  expect(FormStep.safeParse({ fields: [] }).success).toBe(false);
  expect(FormStep.safeParse({ title: "Review" }).success).toBe(false);
  expect(FormStep.safeParse({ title: "Review", fields: [], stranger: 1 }).success).toBe(false);
});

test("HP-079 a condition has a field, one of five operators, and a value, which may be null", () => {
  for (const operator of ["eq", "neq", "in", "gt", "lt"])
    expect(accepts(["conditional", "operator"], operator)).toBe(true);
  expect(accepts(["conditional", "operator"], "gte")).toBe(false);
  expect(accepts(["conditional", "value"], null)).toBe(true);
  for (const member of ["field", "operator", "value"]) expect(accepts(["conditional", member])).toBe(false);
});
