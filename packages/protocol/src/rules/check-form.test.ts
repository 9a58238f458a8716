import { expect, test } from "vitest";
import { plainJudge } from "../testing/plain-judge.ts";
import {
  type Ask,
  type Condition,
  checkAsk,
  type Field,
  type FieldOption,
  type Form,
  type Step,
} from "./index.ts";

const text: Field = { key: "a", label: "A", type: "text" };
const number: Field = { key: "n", label: "N", type: "number" };
const day: Field = { key: "d", label: "D", type: "date" };
const choices: readonly FieldOption[] = [
  { value: "x", label: "X" },
  { value: "y", label: "Y" },
];

function flaws(form: Form): readonly string[] {
  const ask: Ask = { type: "input", prompt: "?", form };
  return checkAsk(ask, plainJudge).map(({ key, rule }) => `${key.replace("/form", "")} ${rule}`);
}

const ofField = (field: Partial<Field>) => flaws({ fields: [{ ...text, ...field } as Field] });
const numbered = (count: number): Field[] =>
  Array.from({ length: count }, (_, at) => ({ key: `k${at}`, label: "K", type: "text" }));

test("HP-058 a form has fields or steps, not both and not neither", () => {
  expect(flaws({})).toEqual([" fields_or_steps"]);
  expect(flaws({ fields: [text], steps: [] })).toEqual([" fields_or_steps"]);
  expect(flaws({ fields: [text] })).toEqual([]);
  expect(flaws({ steps: [{ title: "One", fields: [text] }] })).toEqual([]);
});

test("a form asks for something, and for no more than a person can bear", () => {
  expect(flaws({ fields: [] })).toEqual([" required"]);
  expect(flaws({ steps: [{ title: "Review", fields: [] }] })).toEqual([" required"]);
  expect(flaws({ fields: numbered(500) })).toEqual([]);
  expect(flaws({ fields: numbered(501) })).toEqual([" maxItems"]);
  const steps = (count: number): Step[] =>
    numbered(count).map((field) => ({ title: field.key, fields: [field] }));
  expect(flaws({ steps: steps(100) })).toEqual([]);
  expect(flaws({ steps: steps(101) })).toEqual([" maxItems"]);
  const patterns = (count: number) =>
    numbered(count).map((field) => ({ ...field, validation: { pattern: "a" } }));
  expect(flaws({ fields: patterns(50) })).toEqual([]);
  expect(flaws({ fields: patterns(51) })).toEqual([" maxItems"]);
});

test("G13: a form has at most 5,000 options in all, and a condition names at most 1,000 values", () => {
  const options = Array.from({ length: 1_000 }, (_, at) => ({ value: `v${at}`, label: "V" }));
  const selects = (count: number): Field[] =>
    numbered(count).map((field) => ({ ...field, type: "select", options }));
  expect(flaws({ fields: selects(5) })).toEqual([]);
  expect(flaws({ fields: selects(6) })).toEqual([" maxItems"]);
  const chosen = (count: number): Form => {
    const value = Array.from({ length: count }, (_, at) => at);
    return { fields: [number, { ...text, conditional: { field: "n", operator: "in", value } }] };
  };
  expect(flaws(chosen(1_000))).toEqual([]);
  expect(flaws(chosen(1_001))).toEqual(["/fields/1/conditional/value maxItems"]);
});

test("HP-059 keys are plain names, labels at most 200 characters", () => {
  for (const key of ["a", "Z9", "a_b", "constructor", "k".repeat(200)]) expect(ofField({ key })).toEqual([]);
  for (const key of ["", "9a", "_a", "a-b", "a b", "__proto__", "ä", "a\n", "k".repeat(201)]) {
    expect(ofField({ key })).toEqual(["/fields/0/key key"]);
  }
  expect(ofField({ label: "l".repeat(200) })).toEqual([]);
  expect(ofField({ label: "l".repeat(201) })).toEqual(["/fields/0/label maxLength"]);
});

test("HP-060 keys are unique in the whole form, across steps", () => {
  expect(flaws({ fields: [text, text] })).toEqual(["/fields/1/key unique"]);
  const steps = [
    { title: "One", fields: [text] },
    { title: "Two", fields: [number, text] },
  ];
  expect(flaws({ steps })).toEqual(["/steps/1/fields/1/key unique"]);
});

test("HP-061 HP-062 the ten types and those of others are known, nothing else", () => {
  const types = [
    "text",
    "textarea",
    "number",
    "date",
    "email",
    "url",
    "boolean",
    "range",
    "x-color",
  ] as const;
  for (const type of types) expect(ofField({ type })).toEqual([]);
  for (const type of ["select", "multiselect"] as const)
    expect(ofField({ type, options: choices })).toEqual([]);
  for (const type of ["password", "x-", "toString"] as never[])
    expect(ofField({ type })).toEqual(["/fields/0/type type"]);
});

test("HP-065 a sensitive field carries no default", () => {
  expect(ofField({ sensitive: true })).toEqual([]);
  expect(ofField({ sensitive: true, default_ref: "/pre-fill" })).toEqual([]);
  expect(ofField({ sensitive: true, default: "secret" })).toEqual(["/fields/0/default sensitive"]);
  expect(ofField({ sensitive: true, default: null })).toEqual(["/fields/0/default sensitive"]);
});

test.each<[Partial<Field>, boolean]>([
  [{ type: "text", default: "hello" }, true],
  [{ type: "text", default: "" }, true],
  [{ type: "text", default: null }, true],
  [{ type: "text", default: 5 }, false],
  [{ type: "number", default: 5 }, true],
  [{ type: "number", default: "5" }, false],
  [{ type: "boolean", default: false }, true],
  [{ type: "boolean", default: "false" }, false],
  [{ type: "date", default: "2026-01-31" }, true],
  [{ type: "date", default: "2026-02-31" }, false],
  [{ type: "select", options: choices, default: "x" }, true],
  [{ type: "select", options: choices, default: "z" }, false],
  [{ type: "multiselect", options: choices, default: ["x", "y"] }, true],
  [{ type: "multiselect", options: choices, default: "x" }, false],
  [{ type: "x-map", default: { at: [1, 2] } }, true],
])("HP-064 a field's default must fit its type (%j fits: %s)", (field, fits) => {
  expect(ofField(field).length === 0).toBe(fits);
});

test("HP-069 select and multiselect need options with texts as values, each once", () => {
  for (const type of ["select", "multiselect"] as const) {
    expect(ofField({ type })).toEqual(["/fields/0/options required"]);
    expect(ofField({ type, options: [] })).toEqual(["/fields/0/options required"]);
    expect(ofField({ type, options: [{ value: 5 as never, label: "Five" }] })).toEqual([
      "/fields/0/options/0/value type",
    ]);
    expect(ofField({ type, options: [{ value: "", label: "None" }] })).toEqual([
      "/fields/0/options/0/value type",
    ]);
    expect(ofField({ type, options: [...choices, ...choices] })).toEqual([
      "/fields/0/options/2/value unique",
      "/fields/0/options/3/value unique",
    ]);
    const many = (count: number) => numbered(count).map(({ key }) => ({ value: key, label: key }));
    expect(ofField({ type, options: many(1_000) })).toEqual([]);
    expect(ofField({ type, options: many(1_001) })).toEqual(["/fields/0/options maxItems"]);
  }
  expect(ofField({ type: "text", options: choices })).toEqual(["/fields/0/options not_here"]);
  expect(ofField({ type: "x-pick", options: choices })).toEqual([]);
});

const RULES = { minLength: 1, maxLength: 2, pattern: "a", min: 1, max: 2 } as const;

test.each([
  ["HP-070 HP-071", "text", ["minLength", "maxLength", "pattern"]],
  ["HP-070 HP-071", "email", ["minLength", "maxLength", "pattern"]],
  ["HP-070 HP-071", "url", ["minLength", "maxLength", "pattern"]],
  ["HP-070", "textarea", ["minLength", "maxLength"]],
  ["HP-072", "number", ["min", "max"]],
  ["HP-072", "range", ["min", "max"]],
  ["HP-072", "date", ["min", "max"]],
  ["HP-070", "boolean", []],
  ["HP-070", "select", []],
  ["HP-070", "multiselect", []],
  ["HP-062", "x-color", ["minLength", "maxLength", "pattern", "min", "max"]],
] as const)("%s a %s field takes its own validation members only", (_line, type, allowed) => {
  const chosen = type === "select" || type === "multiselect" ? { options: choices } : {};
  const refused = Object.keys(RULES).filter((name) => !(allowed as readonly string[]).includes(name));
  expect(ofField({ type, ...chosen, validation: RULES })).toEqual(
    refused.map((name) => `/fields/0/validation/${name} not_here`),
  );
});

test.each<[Partial<Field>, readonly string[]]>([
  [{ type: "text", validation: { minLength: -1 } }, ["/fields/0/validation/minLength type"]],
  [{ type: "text", validation: { maxLength: 1.5 } }, ["/fields/0/validation/maxLength type"]],
  [{ type: "text", validation: { minLength: 2, maxLength: 1 } }, ["/fields/0/validation order"]],
  [{ type: "text", validation: { minLength: 2, maxLength: 2 } }, []],
  [{ type: "text", validation: { pattern: "(" } }, ["/fields/0/validation/pattern pattern"]],
  [{ type: "number", validation: { min: "2026-01-01" } }, ["/fields/0/validation/min type"]],
  [{ type: "number", validation: { max: Number.POSITIVE_INFINITY } }, ["/fields/0/validation/max type"]],
  [{ type: "number", validation: { min: 2, max: 1 } }, ["/fields/0/validation order"]],
  [{ type: "number", validation: { min: 1e20, max: 1e21 } }, []],
  [{ type: "date", validation: { min: "2026-01-01", max: 1_800_000_000_000 } }, []],
  [{ type: "date", validation: { min: "2026-02-30" } }, ["/fields/0/validation/min type"]],
  [{ type: "date", validation: { min: "2026-02-01", max: "2026-01-01" } }, ["/fields/0/validation order"]],
])(
  "HP-070 HP-071 HP-072 the bounds of a field are checked (%j has these problems: %j)",
  (field, expected) => {
    expect(ofField(field)).toEqual(expected);
  },
);

test("HP-075 a slider without one of its bounds ends at 0 or 100", () => {
  expect(ofField({ type: "range", validation: { min: 100 } })).toEqual([]);
  expect(ofField({ type: "range", validation: { min: 101 } })).toEqual(["/fields/0/validation order"]);
  expect(ofField({ type: "range", validation: { max: -1 } })).toEqual(["/fields/0/validation order"]);
});

test("HP-076 every step has a title; an empty step is the review", () => {
  const steps = (title: string): Form => ({
    steps: [
      { title, fields: [text] },
      { title: "Review", fields: [] },
    ],
  });
  expect(flaws(steps("t".repeat(200)))).toEqual([]);
  expect(flaws(steps(" "))).toEqual(["/steps/0/title blank"]);
  expect(flaws(steps("t".repeat(201)))).toEqual(["/steps/0/title maxLength"]);
});

const when = (
  field: string,
  operator: Condition["operator"] = "eq",
  value: Condition["value"] = 1,
): Partial<Field> => ({
  conditional: { field, operator, value },
});

test("HP-079 a condition names another field of the form", () => {
  expect(flaws({ fields: [text, { ...number, ...when("a") }] })).toEqual([]);
  expect(flaws({ fields: [text, { ...number, ...when("b") }] })).toEqual([
    "/fields/1/conditional/field unknown_field",
  ]);
  expect(flaws({ fields: [{ ...number, ...when("n") }] })).toEqual(["/fields/0/conditional/field cycle"]);
});

test("HP-081 conditions may chain and look at other steps, but not run in a circle", () => {
  const chain = (first: Partial<Field>): Form => ({
    steps: [
      { title: "One", fields: [{ ...text, ...first }] },
      {
        title: "Two",
        fields: [
          { ...number, ...when("a") },
          { ...day, ...when("n") },
        ],
      },
    ],
  });
  expect(flaws(chain({}))).toEqual([]);
  expect(flaws(chain(when("d")))).toEqual([
    "/steps/0/fields/0/conditional/field cycle",
    "/steps/1/fields/0/conditional/field cycle",
    "/steps/1/fields/1/conditional/field cycle",
  ]);
  const besideCircle = [
    { ...text, ...when("n") },
    { ...number, ...when("n") },
  ];
  expect(flaws({ fields: besideCircle })).toEqual(["/fields/1/conditional/field cycle"]);
});

test.each<[Field, Condition["operator"], Condition["value"], readonly string[]]>([
  [text, "in", ["x", "y"], []],
  [text, "in", "x", ["/fields/1/conditional/value type"]],
  [text, "neq", "x", []],
  [number, "gt", 5, []],
  [number, "lt", "5", ["/fields/1/conditional/value type"]],
  [day, "gt", "2026-01-01", []],
  [day, "lt", 1_767_225_600_000, []],
  [day, "lt", "soon", ["/fields/1/conditional/value type"]],
  [text, "gt", 5, ["/fields/1/conditional/operator type"]],
  [{ ...text, type: "x-dial" }, "gt", 5, []],
  [{ ...text, type: "x-dial" }, "gt", "5", ["/fields/1/conditional/value type"]],
])(
  "HP-079 a condition is checked against the field that it names (%j with %s %j has these problems: %j)",
  (other, operator, value, expected) => {
    const field: Field = { key: "last", label: "Last", type: "text", ...when(other.key, operator, value) };
    expect(flaws({ fields: [other, field] })).toEqual(expected);
  },
);
