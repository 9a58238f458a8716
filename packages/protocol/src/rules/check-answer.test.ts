import { expect, test } from "vitest";
import { plainJudge } from "../testing/plain-judge.ts";
import { type Ask, checkAnswer, type Json, type JsonObject } from "./index.ts";

const approval: Ask = { type: "approval", prompt: "Ship it?" };
const options = [
  { id: "a", label: "A" },
  { id: "b", label: "B" },
  { id: "c", label: "C" },
];
const selection: Ask = { type: "selection", prompt: "Which?", options };
const confirmation: Ask = {
  type: "confirmation",
  prompt: "Send?",
  context: {
    items: [{ id: "m1", label: "Mail 1" }, { id: "m2", label: "Mail 2" }, "a note", { label: "no id" }],
  },
};
const escalation: Ask = {
  type: "escalation",
  prompt: "Failed",
  context: { params: { region: "eu", size: 2 } },
};
const input: Ask = { type: "input", prompt: "How much?" };
const foreign: Ask = { type: "x-demo", prompt: "Left?", actions: [{ id: "left" }, { id: "decline" }] };

/** The data as kept, or what is wrong with it. */
function judged(ask: Ask, action: string, data?: Json): JsonObject | readonly string[] | string {
  const result = checkAnswer(ask, data === undefined ? { action } : { action, data }, plainJudge);
  if (result.ok) return result.data;
  return result.code === "invalid_action"
    ? result.code
    : result.problems.map(({ key, rule }) => `${key} ${rule}`);
}

test.each<[string, Ask, string, Json]>([
  ["HP-043", approval, "approve", {}],
  ["HP-043", approval, "edit", { feedback: "Shorter", edits: { title: "Short" } }],
  ["HP-043", approval, "reject", { feedback: "No" }],
  ["HP-044", selection, "select", { selected: ["a"] }],
  ["HP-045", input, "submit", { anything: [1, { goes: true }] }],
  ["HP-046", confirmation, "confirm", { confirmed_items: ["m1"], note: "only this" }],
  ["HP-046", confirmation, "cancel", {}],
  ["HP-047", escalation, "retry", { reason: "again", modified_params: { size: 4 } }],
  ["HP-047", escalation, "skip", {}],
  ["HP-047", escalation, "abort", { reason: "enough" }],
  ["HP-049", foreign, "left", { side: "left" }],
])("%s the ask %j can be answered with %s and %j", (_line, ask, action, data) => {
  expect(judged(ask, action, data)).toEqual(data);
});

test.each<[Ask, string]>([
  [approval, "select"],
  [approval, "confirm"],
  [selection, "approve"],
  [input, "edit"],
  [confirmation, "reject"],
  [escalation, "edit"],
  [foreign, "submit"],
  [foreign, "constructor"],
  [{ ...approval, actions: [{ id: "approve" }] }, "reject"],
])("HP-048 the ask %j cannot be answered with %s", (ask, action) => {
  expect(judged(ask, action, {})).toBe("invalid_action");
});

test("HP-048 a refused action's problem names the allowed actions", () => {
  expect(checkAnswer(approval, { action: "select" }, plainJudge)).toEqual({
    ok: false,
    code: "invalid_action",
    problems: [{ key: "action", rule: "action", message: "must be one of approve, edit, reject" }],
  });
});

test("HP-050 data is an object, empty when nothing was entered", () => {
  expect(judged(approval, "approve")).toEqual({});
  expect(judged(approval, "approve", null)).toEqual({});
  for (const data of ["text", 5, true, [], [{}]])
    expect(judged(approval, "approve", data)).toEqual([" type"]);
});

test("HP-051 an approval takes feedback, edits and whatever else its reader understands", () => {
  expect(judged(approval, "approve", { feedback: "ok", note: "n", extra: { a: 1 } })).toEqual({
    feedback: "ok",
    note: "n",
    extra: { a: 1 },
  });
  expect(judged(approval, "edit", { feedback: 5, note: [], edits: "all" })).toEqual([
    "/feedback type",
    "/note type",
    "/edits type",
  ]);
  expect(judged(approval, "edit", { feedback: "", note: null, edits: null, edited_args: null })).toEqual({});
});

test("changed arguments come with approve only and must fit the tool's schema", () => {
  const responseSchema = { type: "object", properties: { amount: { type: "number" } } };
  const gated: Ask = { ...approval, responseSchema };
  expect(judged(gated, "approve", { edited_args: { amount: 5 } })).toEqual({ edited_args: { amount: 5 } });
  expect(judged(approval, "approve", { edited_args: { amount: "5" } })).toEqual({
    edited_args: { amount: "5" },
  });
  expect(judged(gated, "approve", { edited_args: { amount: "5" } })).toEqual(["/edited_args/amount type"]);
  expect(judged(approval, "approve", { edited_args: [5] })).toEqual(["/edited_args type"]);
  expect(judged(gated, "reject", { edited_args: { amount: 5 } })).toEqual(["/edited_args not_here"]);
  expect(judged(gated, "edit", { edited_args: { amount: 5 } })).toEqual(["/edited_args not_here"]);
});

test("HP-052 a selection names distinct options that were offered, as many as it may", () => {
  expect(judged(selection, "select", { selected: ["c", "a"], note: "both" })).toEqual({
    selected: ["c", "a"],
    note: "both",
  });
  expect(judged(selection, "select", { selected: ["a"], note: null })).toEqual({ selected: ["a"] });
  expect(judged(selection, "select", { selected: ["a", "z", "y"] })).toEqual([
    "/selected/1 option",
    "/selected/2 option",
  ]);
  expect(judged(selection, "select", { selected: ["a", "a"] })).toEqual(["/selected unique"]);
  expect(judged(selection, "select", { selected: "a" })).toEqual(["/selected type"]);
  expect(judged(selection, "select", { selected: [1] })).toEqual(["/selected type"]);
  expect(judged(selection, "select", { selected: ["a"], note: 5 })).toEqual(["/note type"]);
  expect(judged(selection, "select", { selected: ["constructor"] })).toEqual(["/selected/0 option"]);
});

test("HP-052 nothing selected is refused unless none is allowed", () => {
  for (const data of [{}, { selected: [] }, { selected: null }]) {
    expect(judged(selection, "select", data)).toEqual(["/selected min"]);
    expect(judged({ ...selection, select: { min: 0 } }, "select", data)).toEqual({ selected: [] });
  }
});

test("HP-052 the declared least and greatest number of options hold", () => {
  const two: Ask = { ...selection, select: { min: 2, max: 2 } };
  expect(judged(two, "select", { selected: ["a"] })).toEqual(["/selected min"]);
  expect(judged(two, "select", { selected: ["a", "b"] })).toEqual({ selected: ["a", "b"] });
  expect(judged(two, "select", { selected: ["a", "b", "c"] })).toEqual(["/selected max"]);
});

test("HP-054 confirmed items are items of the ask, if it lists any", () => {
  expect(judged(confirmation, "confirm", { confirmed_items: ["m2", "m1"] })).toEqual({
    confirmed_items: ["m2", "m1"],
  });
  expect(judged(confirmation, "confirm", { confirmed_items: [], note: "" })).toEqual({ confirmed_items: [] });
  expect(judged(confirmation, "confirm", { confirmed_items: ["m3"] })).toEqual(["/confirmed_items/0 option"]);
  expect(judged(confirmation, "confirm", { confirmed_items: "m1" })).toEqual(["/confirmed_items type"]);
  expect(judged(confirmation, "confirm", { note: {} })).toEqual(["/note type"]);
  for (const context of [undefined, {}, { items: "none" }, { items: [{ label: "no id" }] }]) {
    const ask = { type: "confirmation", prompt: "?", ...(context && { context }) } as Ask;
    expect(judged(ask, "confirm", { confirmed_items: ["anything"] })).toEqual({
      confirmed_items: ["anything"],
    });
  }
});

test("HP-055 an escalation changes only parameters there are", () => {
  expect(judged(escalation, "retry", { modified_params: {} })).toEqual({ modified_params: {} });
  expect(judged(escalation, "retry", { modified_params: { colour: 1, "a/b": 2 } })).toEqual([
    "/modified_params/colour unknown_param",
    "/modified_params/a~1b unknown_param",
  ]);
  expect(judged(escalation, "retry", { modified_params: { constructor: 1 } })).toEqual([
    "/modified_params/constructor unknown_param",
  ]);
  expect(judged(escalation, "retry", { modified_params: [1], reason: 5 })).toEqual([
    "/reason type",
    "/modified_params type",
  ]);
  for (const context of [undefined, {}, { params: ["size"] }]) {
    const ask = { type: "escalation", prompt: "?", ...(context && { context }) } as Ask;
    expect(judged(ask, "retry", { modified_params: { any: 1 } })).toEqual({ modified_params: { any: 1 } });
  }
});

test("an input with a schema is checked against it", () => {
  const ask: Ask = {
    ...input,
    responseSchema: { type: "object", properties: { amount: { type: "number" } } },
  };
  expect(judged(ask, "submit", { amount: 5, more: true })).toEqual({ amount: 5, more: true });
  expect(judged(ask, "submit", { amount: "5" })).toEqual(["/amount type"]);
});

test("an answer whose schema is not an object is sent as data.value", () => {
  const ask: Ask = { ...input, responseSchema: { type: "number" } };
  expect(judged(ask, "submit", { value: 5 })).toEqual({ value: 5 });
  expect(judged(ask, "submit", { value: "5" })).toEqual(["/value type"]);
  expect(judged(ask, "submit", {})).toEqual(["/value required"]);
  const nothing: Ask = { ...input, responseSchema: { type: "null" } };
  expect(judged(nothing, "submit", { value: null })).toEqual({ value: null });
  const either: Ask = {
    ...input,
    responseSchema: { type: ["string", "object"], properties: { a: { type: "string" } } },
  };
  expect(judged(either, "submit", { a: 5 })).toEqual(["/a type"]);
  const neither: Ask = { ...input, responseSchema: { type: ["string", "number"] } };
  expect(judged(neither, "submit", {})).toEqual(["/value required"]);
});

test("an answer is refused when its schema cannot be used", () => {
  expect(judged({ ...input, responseSchema: { type: "nonsense" } }, "submit", { value: 1 })).toEqual([
    "/value schema",
  ]);
});

test("HP-049 a person who declines a custom type need not fill in its form", () => {
  const ask: Ask = {
    ...foreign,
    form: { fields: [{ key: "why", label: "Why", type: "text", required: true }] },
  };
  expect(judged(ask, "decline", {})).toEqual({});
  expect(judged(ask, "left", {})).toEqual(["why required"]);
  expect(judged(ask, "decline", { why: 5 })).toEqual(["why type"]);
  expect(judged(ask, "left", { why: "so" })).toEqual({ why: "so" });
});

test("names that every object inherits are data like any other and harm nothing", () => {
  const sent = JSON.parse(
    '{"__proto__":{"feedback":5},"constructor":{"prototype":{}},"toString":"x"}',
  ) as JsonObject;
  const kept = judged(approval, "approve", sent) as JsonObject;
  expect(JSON.stringify(kept)).toBe(JSON.stringify(sent));
  expect(({} as Record<string, unknown>)["feedback"]).toBeUndefined();
  expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
});

test("a hostile answer gets a bounded list of problems, quickly", () => {
  const many = Array.from({ length: 150_000 }, (_, at) => `x${at}`);
  expect(judged(selection, "select", { selected: many })).toHaveLength(100);
  expect(judged(confirmation, "confirm", { confirmed_items: many })).toHaveLength(100);
  const params = Object.fromEntries(many.map((name) => [name, 1]));
  expect(judged(escalation, "retry", { modified_params: params })).toHaveLength(100);
  const form = { fields: [{ key: "a", label: "A", type: "text" } as const] };
  expect(judged({ ...input, form }, "submit", params)).toHaveLength(100);
});

test("a selection that lists no options refuses every one", () => {
  expect(judged({ type: "selection", prompt: "?" }, "select", { selected: ["a"] })).toEqual([
    "/selected/0 option",
  ]);
});

test("changed arguments under another name are refused, because nobody would check or run them", () => {
  expect(judged(approval, "approve", { editedArgs: { amount: 5 } })).toEqual(["/editedArgs unknown_member"]);
  expect(judged(approval, "approve", { edited_args: { amount: 5 } })).toEqual({ edited_args: { amount: 5 } });
});
