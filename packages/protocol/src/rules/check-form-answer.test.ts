import { expect, test } from "vitest";
import { plainJudge } from "../testing/plain-judge.ts";
import {
  type Ask,
  boundsOf,
  checkAnswer,
  type Field,
  type Form,
  type Json,
  type JsonObject,
} from "./index.ts";

function judged(form: Form, data: JsonObject): JsonObject | readonly string[] {
  const ask: Ask = { type: "input", prompt: "?", form };
  const result = checkAnswer(ask, { action: "submit", data }, plainJudge);
  return result.ok ? result.data : result.problems.map(({ key, rule }) => `${key} ${rule}`);
}

const base: Field = { key: "a", label: "A", type: "text" };
const options = [
  { value: "x", label: "X" },
  { value: "y", label: "Y" },
];

/** The rule that refuses the value, or null. */
function refusedBy(field: Partial<Field>, value: Json): string | null {
  const result = judged({ fields: [{ ...base, ...field } as Field] }, { a: value });
  return Array.isArray(result) ? (result as readonly string[])[0]!.replace("a ", "") : null;
}

test.each<[Partial<Field>, Json]>([
  [{ type: "text" }, "some text"],
  [{ type: "textarea" }, "two\nlines"],
  [{ type: "number" }, 4.5],
  [{ type: "date" }, "2026-02-28"],
  [{ type: "email" }, "a.b+c@mail.example.com"],
  [{ type: "url" }, "https://example.com/a?b=c#d"],
  [{ type: "boolean" }, false],
  [{ type: "select", options }, "x"],
  [{ type: "multiselect", options }, ["y", "x"]],
  [{ type: "range" }, 100],
  [{ type: "x-point" }, { at: [1, 2] }],
])("HP-053 HP-061 the field %j accepts %j unchanged", (field, value) => {
  expect(judged({ fields: [{ ...base, ...field } as Field] }, { a: value })).toEqual({ a: value });
});

test.each<[Partial<Field>, Json, string]>([
  [{ type: "text" }, 5, "type"],
  [{ type: "textarea" }, ["a"], "type"],
  [{ type: "number" }, "5", "type"],
  [{ type: "number" }, Number.POSITIVE_INFINITY, "type"],
  [{ type: "range" }, true, "type"],
  [{ type: "boolean" }, "true", "type"],
  [{ type: "boolean" }, 1, "type"],
  [{ type: "date" }, 20_260_101, "type"],
  [{ type: "date" }, "2026-02-30", "date"],
  [{ type: "date" }, "01.02.2026", "date"],
  [{ type: "email" }, {}, "type"],
  [{ type: "email" }, "nobody", "email"],
  [{ type: "email" }, "@example.com", "email"],
  [{ type: "email" }, "a@", "email"],
  [{ type: "email" }, "a@b@example.com", "email"],
  [{ type: "email" }, "a b@example.com", "email"],
  [{ type: "email" }, "a@-example.com", "email"],
  [{ type: "email" }, "a@example..com", "email"],
  [{ type: "url" }, 5, "type"],
  [{ type: "url" }, "example.com", "url"],
  [{ type: "url" }, "javascript:alert(1)", "url"],
  [{ type: "url" }, "ftp://example.com", "url"],
  [{ type: "url" }, " https://example.com", "url"],
  [{ type: "url" }, "https://exa mple.com", "url"],
  [{ type: "url" }, "https://", "url"],
])("HP-073 the field %j refuses %j by the rule %s", (field, value, rule) => {
  expect(refusedBy(field, value)).toBe(rule);
});

test("HP-073 an e-mail address has a bounded length", () => {
  const ofLength = (length: number) => `${"a".repeat(length - 6)}@b.com`;
  expect([320, 321].map((length) => refusedBy({ type: "email" }, ofLength(length)))).toEqual([null, "email"]);
});

test("HP-069 a selected value must be one of the options, each at most once", () => {
  expect(refusedBy({ type: "select", options }, "z")).toBe("option");
  expect(refusedBy({ type: "select", options }, ["x"])).toBe("type");
  expect(refusedBy({ type: "select" }, "x")).toBe("option");
  expect(refusedBy({ type: "multiselect", options }, "x")).toBe("type");
  expect(refusedBy({ type: "multiselect", options }, ["x", "z"])).toBe("option");
  expect(refusedBy({ type: "multiselect", options }, [{ value: "x" }])).toBe("option");
  expect(refusedBy({ type: "multiselect", options }, ["x", "x"])).toBe("unique");
});

test.each(["text", "textarea", "x-code"] as const)(
  "HP-070 the length of a %s counts characters, bounds included",
  (type) => {
    const field = { type, validation: { minLength: 2, maxLength: 3 } };
    expect(["a", "ab", "abc", "abcd"].map((value) => refusedBy(field, value))).toEqual([
      "minLength",
      null,
      null,
      "maxLength",
    ]);
    expect(["🙂", "🙂🙂", "🙂🙂🙂", "🙂🙂🙂🙂"].map((value) => refusedBy(field, value))).toEqual([
      "minLength",
      null,
      null,
      "maxLength",
    ]);
  },
);

test("HP-070 lengths hold for addresses too", () => {
  expect(refusedBy({ type: "email", validation: { maxLength: 6 } }, "a@b.com")).toBe("maxLength");
  expect(refusedBy({ type: "url", validation: { minLength: 20 } }, "https://a.example")).toBe("minLength");
});

test("HP-071 a pattern must match the whole value", () => {
  const field = { type: "text", validation: { pattern: "[a-z]{3}|no" } } as const;
  expect(["abc", "no", "abcd", "9no", "ab", "ABC"].map((value) => refusedBy(field, value))).toEqual([
    null,
    null,
    "pattern",
    "pattern",
    "pattern",
    "pattern",
  ]);
  expect(refusedBy({ type: "text", validation: { pattern: "(" } }, "abc")).toBe("pattern");
});

test("HP-071 all patterns of a form together take a bounded amount of work", () => {
  const tested: number[] = [];
  const test = (value: string) => tested.push(value.length) > 0;
  const judge = { ...plainJudge, pattern: () => Object.assign(test, { size: 1_000 }) };
  const fields = ["a", "b", "c"].map((key): Field => ({ ...base, key, validation: { pattern: "p" } }));
  const data = { a: "x".repeat(9_000), b: "x".repeat(1_000), c: "x" };
  const result = checkAnswer(
    { type: "input", prompt: "?", form: { fields } },
    { action: "submit", data },
    judge,
  );
  expect(result).toMatchObject({ ok: false, problems: [{ key: "c", rule: "pattern" }] });
  expect(tested).toEqual([9_000, 1_000]);
});

test("HP-071 a text that is too long is not tested against the pattern", () => {
  const asked: string[] = [];
  const judge = {
    ...plainJudge,
    pattern: (source: string) => {
      asked.push(source);
      return () => true;
    },
  };
  const form: Form = { fields: [{ ...base, validation: { maxLength: 2, pattern: "p" } }] };
  checkAnswer({ type: "input", prompt: "?", form }, { action: "submit", data: { a: "aaa" } }, judge);
  expect(asked).toEqual([]);
});

test.each(["number", "range", "x-dial"] as const)("HP-072 the bounds of a %s belong to it", (type) => {
  const field = { type, validation: { min: 2, max: 3 } };
  expect([1.9, 2, 3, 3.1].map((value) => refusedBy(field, value))).toEqual(["min", null, null, "max"]);
});

test("HP-072 the bounds of a date belong to it, as epoch milliseconds or as ISO dates", () => {
  const bounds = [
    { min: "2026-01-02", max: "2026-01-03" },
    { min: 1_767_312_000_000, max: 1_767_398_400_000 },
  ];
  for (const validation of bounds) {
    const days = ["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"];
    expect(days.map((day) => refusedBy({ type: "date", validation }, day))).toEqual([
      "min",
      null,
      null,
      "max",
    ]);
  }
});

test("HP-075 a slider runs from 0 to 100 unless it says otherwise", () => {
  expect(boundsOf({ ...base, type: "range" })).toEqual({ min: 0, max: 100 });
  expect(boundsOf({ ...base, type: "range", validation: { max: 10 } })).toEqual({ min: 0, max: 10 });
  expect(boundsOf({ ...base, type: "number" })).toEqual({});
  expect([-1, 0, 100, 101].map((value) => refusedBy({ type: "range" }, value))).toEqual([
    "min",
    null,
    null,
    "max",
  ]);
});

test("messages about problems say what is allowed, and never repeat what was entered", () => {
  const form: Form = {
    fields: [
      { key: "day", label: "Day", type: "date", validation: { min: 1_767_312_000_000 } },
      { key: "pin", label: "Pin", type: "text", sensitive: true, validation: { maxLength: 4 } },
    ],
  };
  const data = { day: "2026-01-01", pin: "canary-1234" };
  const result = checkAnswer({ type: "input", prompt: "?", form }, { action: "submit", data }, plainJudge);
  expect(result).toEqual({
    ok: false,
    code: "invalid_answer",
    problems: [
      { key: "day", rule: "min", message: "must be at least 2026-01-02" },
      { key: "pin", rule: "maxLength", message: "must have at most 4 characters" },
    ],
  });
});

test("HP-063 a required field must be answered", () => {
  const form: Form = { fields: [{ ...base, required: true }] };
  for (const data of [{}, { a: null }, { a: "" }]) expect(judged(form, data)).toEqual(["a required"]);
  expect(judged(form, { a: " " })).toEqual({ a: " " });
  const many: Form = { fields: [{ ...base, type: "multiselect", options, required: true }] };
  expect(judged(many, { a: [] })).toEqual(["a required"]);
  const number: Form = { fields: [{ ...base, type: "number", required: true }] };
  expect(judged(number, { a: 0 })).toEqual({ a: 0 });
});

test("HP-063 a required field that every object seems to have must be answered too", () => {
  expect(judged({ fields: [{ ...base, key: "constructor", required: true }] }, {})).toEqual([
    "constructor required",
  ]);
});

test("HP-074 a required boolean must be answered, and no is an answer", () => {
  const form: Form = { fields: [{ ...base, type: "boolean", required: true }] };
  expect(judged(form, { a: false })).toEqual({ a: false });
  expect(judged(form, {})).toEqual(["a required"]);
});

test("an empty optional field is left out of the answer, but an empty multiselect is kept", () => {
  const fields: Field[] = [
    base,
    { ...base, key: "n", type: "number" },
    { ...base, key: "m", type: "multiselect", options },
  ];
  expect(judged({ fields }, { a: "", n: null, m: [] })).toEqual({ m: [] });
});

test("a key that is not a field of the form is refused", () => {
  expect(judged({ fields: [base] }, { a: "x", b: "y" })).toEqual(["b unknown_field"]);
  const sent = JSON.parse('{"__proto__":{"a":"x"},"constructor":1}') as JsonObject;
  expect(judged({ fields: [base] }, sent)).toEqual(["__proto__ unknown_field", "constructor unknown_field"]);
});

const hiring: Form = {
  steps: [
    {
      title: "Contract",
      fields: [
        {
          ...base,
          key: "kind",
          type: "select",
          options: [
            { value: "fulltime", label: "Full" },
            { value: "hourly", label: "Hourly" },
          ],
          required: true,
        },
      ],
    },
    {
      title: "Pay",
      fields: [
        {
          ...base,
          key: "hourly_rate",
          type: "number",
          required: true,
          conditional: { field: "kind", operator: "eq", value: "hourly" },
        },
        {
          ...base,
          key: "why",
          conditional: { field: "hourly_rate", operator: "gt", value: 100 },
          required: true,
        },
      ],
    },
    { title: "Review", fields: [] },
  ],
};

test("HP-080 the value of a hidden field is dropped, and is neither required nor checked", () => {
  expect(judged(hiring, { kind: "fulltime" })).toEqual({ kind: "fulltime" });
  expect(judged(hiring, { kind: "fulltime", hourly_rate: 90 })).toEqual({ kind: "fulltime" });
  expect(judged(hiring, { kind: "fulltime", hourly_rate: "rubbish" })).toEqual({ kind: "fulltime" });
  expect(judged(hiring, { kind: "hourly" })).toEqual(["hourly_rate required"]);
  expect(judged(hiring, { kind: "hourly", hourly_rate: 90 })).toEqual({ kind: "hourly", hourly_rate: 90 });
});

test("HP-081 the value of a field that depends on a hidden one is dropped", () => {
  expect(judged(hiring, { kind: "fulltime", hourly_rate: 200, why: "x" })).toEqual({ kind: "fulltime" });
  expect(judged(hiring, { kind: "hourly", hourly_rate: 200 })).toEqual(["why required"]);
});
