import { expect, test } from "vitest";
import { plainJudge } from "../testing/plain-judge.ts";
import { ACTION_INPUT, type Ask, checkAnswer, type Field, readFormPost } from "./index.ts";

type Pairs = readonly (readonly [string, string])[];

const form = (...fields: Field[]): Ask => ({ type: "input", prompt: "?", form: { fields } });
const field = (key: string, type: Field["type"], more: Partial<Field> = {}): Field => ({
  key,
  label: key,
  type,
  ...more,
});
const read = (ask: Ask, ...pairs: Pairs) => readFormPost(ask, pairs).data;

test("the action comes from the button, under a name that no field can have", () => {
  const ask: Ask = { type: "approval", prompt: "?" };
  expect(readFormPost(ask, [[ACTION_INPUT, "approve"]])).toEqual({ action: "approve", data: {} });
  expect(readFormPost(ask, [["action", "reject"]])).toEqual({ action: "reject", data: {} });
  expect(readFormPost(ask, [])).toEqual({ data: {} });
  const taken = form(field("action", "text"));
  expect(readFormPost(taken, [["action", "jump"]])).toEqual({ data: { action: "jump" } });
  expect(
    readFormPost(taken, [
      ["action", "jump"],
      [ACTION_INPUT, "submit"],
    ]),
  ).toEqual({
    action: "submit",
    data: { action: "jump" },
  });
  expect(readFormPost(form(field("a", "text")), [["action", "submit"]])).toEqual({
    action: "submit",
    data: {},
  });
});

test("HP-053 posted texts are converted to the types of their fields", () => {
  const ask = form(
    field("t", "text"),
    field("n", "number"),
    field("r", "range"),
    field("d", "date"),
    field("s", "select"),
    field("x", "x-color"),
  );
  expect(
    read(ask, ["t", "5"], ["n", " -1.5e1 "], ["r", "+.5"], ["d", "2026-01-01"], ["s", "1"], ["x", "#fff"]),
  ).toEqual({
    t: "5",
    n: -15,
    r: 0.5,
    d: "2026-01-01",
    s: "1",
    x: "#fff",
  });
});

test.each(["", "abc", "1,5", "0x10", "1 2", "Infinity", "--1", "e5", "."])(
  "a number field keeps %j as text",
  (text) => {
    expect(read(form(field("n", "number")), ["n", text])).toEqual({ n: text });
  },
);

test("HP-074 an unchecked box is an explicit no", () => {
  const ask = form(field("b", "boolean", { required: true }));
  expect(read(ask)).toEqual({ b: false });
  for (const yes of ["on", "true", "1", "yes"]) expect(read(ask, ["b", yes])).toEqual({ b: true });
  for (const no of ["off", "false", "0", "no", ""]) expect(read(ask, ["b", no])).toEqual({ b: false });
  expect(read(ask, ["b", "perhaps"])).toEqual({ b: "perhaps" });
  // A hidden "false" before the box is how some pages say no; the box comes last and wins.
  expect(read(ask, ["b", "false"], ["b", "on"])).toEqual({ b: true });
});

test("a multiselect repeats its name, and nothing chosen is an empty list", () => {
  const ask = form(
    field("m", "multiselect", {
      options: [
        { value: "x", label: "X" },
        { value: "y", label: "Y" },
      ],
    }),
  );
  expect(read(ask, ["m", ""], ["m", "x"], ["m", "y"])).toEqual({ m: ["x", "y"] });
  expect(read(ask)).toEqual({ m: [] });
});

test("fields of all steps are read, absent ones left out, names of the page's own ignored", () => {
  const ask: Ask = {
    type: "input",
    prompt: "?",
    form: {
      steps: [
        { title: "1", fields: [field("a", "text")] },
        { title: "2", fields: [field("b", "number"), field("c", "text")] },
      ],
    },
  };
  expect(read(ask, ["a", "x"], ["b", "2"], ["token", "t"], ["__proto__", "p"])).toEqual({ a: "x", b: 2 });
});

test("line ends are stored as LF, not as browsers send them", () => {
  expect(read(form(field("t", "textarea")), ["t", "one\r\ntwo\r\n"])).toEqual({ t: "one\ntwo\n" });
  expect(read({ type: "approval", prompt: "?" }, ["feedback", "a\r\nb"])).toEqual({ feedback: "a\nb" });
});

test("HP-051 an approval: feedback, note, edits, and changed arguments with approve only", () => {
  const ask: Ask = { type: "approval", prompt: "?" };
  const sent: Pairs = [
    ["feedback", "f"],
    ["note", ""],
    ["edits", '{"a":1}'],
    ["edited_args", '{"b":2}'],
    ["reason", "r"],
  ];
  expect(read(ask, ["action", "approve"], ...sent)).toEqual({
    feedback: "f",
    edits: { a: 1 },
    edited_args: { b: 2 },
  });
  expect(read(ask, ["action", "reject"], ...sent)).toEqual({ feedback: "f", edits: { a: 1 } });
  expect(read(ask, ["action", "approve"], ["edited_args", " "])).toEqual({});
});

test("a posted text that should be JSON but is not, or is too deep, stays text and is refused by the check", () => {
  const ask: Ask = { type: "approval", prompt: "?" };
  for (const text of [
    "{oops",
    `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
    `${'{"a":'.repeat(65)}1${"}".repeat(65)}`,
  ]) {
    const { data } = readFormPost(ask, [
      ["action", "approve"],
      ["edited_args", text],
    ]);
    expect(data).toEqual({ edited_args: text });
    expect(checkAnswer(ask, { action: "approve", data }, plainJudge)).toMatchObject({
      problems: [{ key: "/edited_args", rule: "type" }],
    });
  }
});

test("HP-052 HP-054 HP-055 lists repeat their name, parameters are JSON", () => {
  const selection: Ask = { type: "selection", prompt: "?", options: [{ id: "a", label: "A" }] };
  expect(read(selection, ["selected", "a"], ["selected", "b"], ["note", "n"])).toEqual({
    selected: ["a", "b"],
    note: "n",
  });
  expect(read(selection, ["selected", ""])).toEqual({});
  const confirmation: Ask = { type: "confirmation", prompt: "?" };
  expect(read(confirmation, ["confirmed_items", "m1"], ["note", "n"])).toEqual({
    confirmed_items: ["m1"],
    note: "n",
  });
  const escalation: Ask = { type: "escalation", prompt: "?" };
  expect(read(escalation, ["reason", "r"], ["modified_params", '{"size":2}'])).toEqual({
    reason: "r",
    modified_params: { size: 2 },
  });
});

test("an input without form sends one value, or all of its data as JSON", () => {
  const plain: Ask = { type: "input", prompt: "?" };
  expect(read(plain)).toEqual({});
  expect(read(plain, ["value", "5"])).toEqual({ value: "5" });
  expect(read(plain, ["data", '{"a":1}'], ["value", "5"])).toEqual({ a: 1 });
  expect(read(plain, ["data", "[1]"])).toEqual({ value: [1] });
  expect(read(plain, ["data", "oops"])).toEqual({ value: "oops" });
  const withType = (type: string): Ask => ({ ...plain, responseSchema: { type } });
  expect(read(withType("number"), ["value", "5"])).toEqual({ value: 5 });
  expect(read(withType("number"), ["value", "five"])).toEqual({ value: "five" });
  expect(read(withType("boolean"), ["value", "true"])).toEqual({ value: true });
  expect(read(withType("string"), ["value", "5"])).toEqual({ value: "5" });
  expect(read(withType("object"), ["value", "5"])).toEqual({ value: "5" });
  expect(read({ type: "x-demo", prompt: "?" }, ["value", "left"])).toEqual({ value: "left" });
});

test("a file whose place is nested deeper than 64 levels is left out (G13)", () => {
  const ask: Ask = { type: "input", prompt: "Go?", responseSchema: { type: "object" } };
  const nested = (levels: number) => readFormPost(ask, [[`_file${"/a".repeat(levels)}`, '"f"']]).data;
  expect(JSON.stringify(nested(64))).toContain('"f"');
  expect(nested(65)).toEqual({});
  expect(nested(400_000)).toEqual({});
});

test("G14 no box ticked says that no item is confirmed; a page without boxes says nothing about the items", () => {
  const ask: Ask = { type: "confirmation", prompt: "?", context: { items: [{ id: "a" }, { id: "b" }] } };
  const none = ["confirmed_items", ""] as const;
  expect(read(ask, none, [ACTION_INPUT, "confirm"])).toEqual({ confirmed_items: [] });
  expect(read(ask, none, ["confirmed_items", "a"], [ACTION_INPUT, "confirm"])).toEqual({
    confirmed_items: ["a"],
  });
  expect(read(ask, [ACTION_INPUT, "confirm"])).toEqual({});
  expect(read(ask, none, [ACTION_INPUT, "cancel"])).toEqual({});
});
