import { expect, test } from "vitest";
import { type Field, type Form, progressOf } from "./index.ts";

const kind: Field = { key: "kind", label: "Kind", type: "text" };
const rate: Field = {
  key: "rate",
  label: "Rate",
  type: "number",
  conditional: { field: "kind", operator: "eq", value: "hourly" },
};
const agree: Field = { key: "agree", label: "Agree", type: "boolean" };
const wizard: Form = {
  steps: [
    { title: "One", fields: [kind, rate] },
    { title: "Two", fields: [agree] },
    { title: "Review", fields: [] },
  ],
};

test("HP-084 progress counts the visible fields, and those of them that have a value", () => {
  expect(progressOf(wizard, {}, 1)).toEqual({
    current_step: 1,
    total_steps: 3,
    completed_fields: 0,
    total_fields: 2,
  });
  expect(progressOf(wizard, { kind: "hourly", rate: "" }, 1)).toEqual({
    current_step: 1,
    total_steps: 3,
    completed_fields: 1,
    total_fields: 3,
  });
  expect(progressOf(wizard, { kind: "salary", rate: 5, agree: false }, 3)).toEqual({
    current_step: 3,
    total_steps: 3,
    completed_fields: 2,
    total_fields: 2,
  });
});

test("HP-084 the current step is always an existing step of the form, whatever the page sent", () => {
  expect([-1, 0, 1.9, 2, 99].map((step) => progressOf(wizard, {}, step).current_step)).toEqual([
    1, 1, 1, 2, 3,
  ]);
  expect(progressOf({ fields: [kind] }, {}, 2)).toMatchObject({ current_step: 1, total_steps: 1 });
});
