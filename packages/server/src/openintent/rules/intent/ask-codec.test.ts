import type { Answer, Ask, Json, JsonObject } from "@holdpoint/protocol/rules";
import { checkAnswer, checkAsk } from "@holdpoint/protocol/rules";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testJudge } from "../../../testing/core-step.ts";
import { askOf, readValue, sayAnswer, wordsOf } from "./ask-codec.ts";
import { readRecord } from "./record.ts";

const text = fc.string({ minLength: 1, maxLength: 20 }).filter((word) => word.trim() !== "");
const choice = fc.record(
  { value: text, label: text, description: text, style: fc.constantFrom("primary", "danger", "default") },
  { requiredKeys: ["value", "label"] },
);
const record = fc.record({
  question: text,
  response_type: fc.constantFrom("choice", "confirm", "text", "form"),
  choices: fc.uniqueArray(choice, { maxLength: 4, selector: ({ value }) => value }),
  context: fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue() as fc.Arbitrary<Json>),
});

function read(words: object): JsonObject {
  const found = readRecord({ id: "s", ...words } as JsonObject, "lenient");
  if ("problems" in found) throw new Error(JSON.stringify(found.problems));
  return found.record;
}

describe("the OpenIntent ask codec", () => {
  test("every accepted OpenIntent record becomes a valid ask", () => {
    fc.assert(
      fc.property(record, (words) => {
        expect(checkAsk(askOf(read(words)), testJudge)).toEqual([]);
      }),
    );
  });

  test("L2 an ask converted to an OpenIntent record and back is unchanged", () => {
    fc.assert(
      fc.property(record, (words) => {
        const ask = askOf(read(words));
        expect(askOf(read(wordsOf(ask)))).toEqual(ask);
      }),
    );
  });

  test("L1 an answer converted to an OpenIntent value and back is unchanged", () => {
    fc.assert(
      fc.property(record, fc.jsonValue() as fc.Arbitrary<Json>, fc.nat(), (words, any, n) => {
        const ask = askOf(read(words));
        const sent =
          ask.options?.[n % ask.options.length]?.id ??
          (ask.type === "confirmation" ? ["yes", "no"][n % 2] : any);
        const meant = readValue(sent as Json, ask);
        if (!("answer" in meant)) return;
        expect(sayAnswer(meant.answer, ask).value).toEqual(sent);
        expect(checkAnswer(ask, meant.answer, testJudge).ok).toBe(true);
      }),
    );
  });

  test("a record without a question gets a default prompt", () => {
    expect(askOf(read({ question: "  " })).prompt).toBe("The agent asks for input.");
    expect(askOf(read({})).prompt).toBe("The agent asks for input.");
  });

  test("a choice without a label shows its value, and a repeated value is shown once", () => {
    const choices = [
      { value: "a" },
      { value: "a", label: "again" },
      { value: " " },
      { value: 7 },
      { value: "b", style: "odd" },
    ];
    expect(askOf(read({ choices })).options).toEqual([
      { id: "a", label: "a" },
      { id: "b", label: "b" },
    ]);
  });

  test("a confirmation takes the labels of yes and no from the record", () => {
    const choices = [{ value: "no", label: "Stop", style: "danger" }];
    expect(askOf(read({ response_type: "confirm", choices })).actions).toEqual([
      { id: "confirm", label: "Yes", style: "primary" },
      { id: "cancel", label: "Stop", style: "danger" },
    ]);
  });

  const options = [
    { id: "a", label: "A" },
    { id: "b", label: "B" },
  ];
  const input: Ask = { type: "input", prompt: "P" };
  const field = { key: "value", label: "V", type: "text" } as const;

  test.each<[Ask, Answer, Json, JsonObject]>([
    [
      { type: "approval", prompt: "P" },
      { action: "edit", data: { feedback: "f" } },
      "edit",
      { feedback: "f" },
    ],
    [{ type: "escalation", prompt: "P" }, { action: "retry", data: {} }, "retry", {}],
    [
      { type: "selection", prompt: "P", options },
      { action: "select", data: { selected: ["a", "b"], note: "n" } },
      ["a", "b"],
      { note: "n" },
    ],
    [{ type: "selection", prompt: "P", options }, { action: "select", data: {} }, [], {}],
    [
      { type: "selection", prompt: "P", options, select: { min: 2 } },
      { action: "select", data: { selected: ["a", "b"] } },
      { selected: ["a", "b"] },
      {},
    ],
    [{ type: "confirmation", prompt: "P" }, { action: "cancel", data: { note: "n" } }, "no", { note: "n" }],
    [{ ...input, form: { fields: [field] } }, { action: "submit", data: { value: "t" } }, "t", {}],
    [
      { ...input, form: { fields: [{ ...field, type: "number" }] } },
      { action: "submit", data: { value: 1 } },
      { value: 1 },
      {},
    ],
    [
      { ...input, form: { fields: [field, { ...field, key: "more" }] } },
      { action: "submit", data: { value: "t" } },
      { value: "t" },
      {},
    ],
    [
      { ...input, form: { steps: [{ title: "S", fields: [field] }] } },
      { action: "submit", data: { value: "t" } },
      { value: "t" },
      {},
    ],
    [{ ...input, responseSchema: { type: "string" } }, { action: "submit", data: { value: "t" } }, "t", {}],
    [{ ...input, responseSchema: { type: "string" } }, { action: "submit", data: {} }, null, {}],
    [{ ...input, responseSchema: { type: "object" } }, { action: "submit", data: { a: 1 } }, { a: 1 }, {}],
    [input, { action: "submit", data: { value: 1, b: 2 } }, { value: 1, b: 2 }, {}],
    [
      { type: "x-vote", prompt: "P", actions: [{ id: "up" }] },
      { action: "up", data: { why: 1 } },
      "up",
      { why: 1 },
    ],
  ])("for the ask %j the answer %j becomes the OpenIntent value %j", (ask, answer, value, rest) => {
    expect(sayAnswer(answer, ask)).toEqual({ value, rest });
  });

  test.each<[Ask, Json]>([
    [{ type: "approval", prompt: "P" }, "select"],
    [{ type: "selection", prompt: "P" }, "a"],
    [{ type: "x-vote", prompt: "P", actions: [{ id: "up" }] }, null],
  ])("for the ask %j the OpenIntent value %j is no valid choice", (ask, value) => {
    expect(readValue(value, ask)).toEqual({ wrong: "choice" });
  });

  test("a selection that needs several options accepts a list of values", () => {
    const ask: Ask = { type: "selection", prompt: "P", options, select: { min: 2 } };
    expect(readValue(["a", "b"], ask)).toEqual({
      answer: { action: "select", data: { selected: ["a", "b"] } },
    });
    expect(wordsOf({ type: "selection", prompt: "P" })).toMatchObject({
      response_type: "choice",
      choices: [],
    });
    expect(
      wordsOf({ type: "x-vote", prompt: "P", actions: [{ id: "up", style: "primary" }] }).choices,
    ).toEqual([{ value: "up", label: "up", style: "primary" }]);
  });
});
