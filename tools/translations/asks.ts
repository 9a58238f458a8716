/** Any ask that a server would take, and any answer to it: what translations must carry. The same ones in every run. */

import {
  type Answer,
  type Ask,
  actionsOf,
  checkAnswer,
  checkAsk,
  type Field,
  fieldsOf,
  type Json,
  type JsonObject,
} from "@holdpoint/protocol/rules";
import fc from "fast-check";
import { testJudge } from "../../packages/server/src/testing/core-step.ts";

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const characters = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  // Whole characters of any script, from both sides of what sixteen bits hold; the server takes no lone halves and no NUL.
  fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }),
  fc.constantFrom(
    "Rückzahlung an Zoë 👩🏽‍🚒?",
    "退款吗？",
    "هل نعيد المال؟",
    "two\nlines\tand\u2028more",
    "<b>&amp;</b>",
  ),
);
const text = characters.filter((one) => one.trim() !== "");
const prompt = fc.oneof(
  { weight: 9, arbitrary: text },
  { weight: 1, arbitrary: fc.constant("why? ".repeat(120)) },
);
const json = fc.jsonValue({ maxDepth: 2, stringUnit: "grapheme" }) as fc.Arbitrary<Json>;
const context = fc.dictionary(fc.constantFrom("order", "params", "note"), json, { maxKeys: 3 });
const style = fc.constantFrom("primary", "danger", "default");

function some<Value>(given: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(given, { nil: undefined });
}

const option = fc.record(
  { id: word, label: text, description: text, style },
  { requiredKeys: ["id", "label"] },
);
const options = fc.uniqueArray(option, { minLength: 1, maxLength: 4, selector: ({ id }) => id });
const range = fc.record({ min: fc.nat(3), max: fc.integer({ min: 1, max: 4 }) }, { requiredKeys: [] });
const value = fc.uniqueArray(fc.record({ value: word, label: text }), {
  minLength: 1,
  maxLength: 3,
  selector: (one) => one.value,
});
const about = {
  key: fc.oneof(word, fc.constant("value")),
  label: text,
  required: fc.boolean(),
  sensitive: fc.boolean(),
  hint: text,
  placeholder: text,
};
const ABOUT: { requiredKeys: ("key" | "label")[] } = { requiredKeys: ["key", "label"] };
const field = fc.oneof(
  fc
    .record(
      {
        ...about,
        default: text,
        validation: fc.record({ minLength: fc.nat(2), maxLength: fc.integer({ min: 12, max: 40 }) }),
      },
      ABOUT,
    )
    .chain((one) => fc.constantFrom("text", "textarea").map((type) => ({ ...one, type }))),
  fc
    .record(
      { ...about, default: fc.nat(9), validation: fc.record({ min: fc.constant(-1), max: fc.constant(9) }) },
      ABOUT,
    )
    .chain((one) => fc.constantFrom("number", "range").map((type) => ({ ...one, type }))),
  fc
    .record({ ...about, options: value }, { requiredKeys: ["key", "label", "options"] })
    .chain((one) => fc.constantFrom("select", "multiselect").map((type) => ({ ...one, type }))),
  fc
    .record(about, ABOUT)
    .chain((one) => fc.constantFrom("boolean", "date", "email", "url").map((type) => ({ ...one, type }))),
);
const step = fc.record({ title: text, description: text }, { requiredKeys: ["title"] });
/** The second field, if there is one, may show only while the first has a value. */
const form = fc
  .record({
    fields: fc.uniqueArray(field, { minLength: 1, maxLength: 3, selector: ({ key }) => key }),
    isConditional: fc.boolean(),
    steps: some(fc.tuple(step, step)),
  })
  .map(({ fields: [first, second, ...others], isConditional, steps }) => {
    const conditional = { field: first?.key, operator: "neq", value: "hidden" };
    const later = second === undefined ? [] : [isConditional ? { ...second, conditional } : second];
    const fields = [first, ...later, ...others];
    if (steps === undefined) return { fields };
    return {
      steps: [
        { ...steps[0], fields: [first] },
        { ...steps[1], fields: fields.slice(1) },
      ],
    };
  });
const responseSchema = fc.constantFrom(
  { type: "object", properties: { amount: { type: "number" } } },
  { type: "string" },
  { type: "object" },
);
const ASKED_TYPES = ["approval", "selection", "input", "confirmation", "escalation", "x-vote"] as const;

/** Known types may narrow and rename their own actions, others declare theirs. */
function actionsFor(type: Ask["type"]): fc.Arbitrary<Ask["actions"]> {
  const ids = type.startsWith("x-") ? ["up", "down", "decline"] : actionsOf({ type }).map(({ id }) => id);
  const action = fc.record({ id: fc.constantFrom(...ids), label: text, style }, { requiredKeys: ["id"] });
  return some(fc.uniqueArray(action, { minLength: 1, maxLength: 3, selector: ({ id }) => id }));
}

export function anyAsk(types: readonly Ask["type"][] = ASKED_TYPES): fc.Arbitrary<Ask> {
  return fc
    .constantFrom(...types)
    .chain((type) =>
      fc.record({
        type: fc.constant(type),
        prompt,
        context: some(context),
        actions: actionsFor(type),
        uses: some(fc.constantFrom(2, "unlimited" as const)),
        ...(type === "selection" ? { options, select: some(range) } : {}),
        ...(type === "approval" ? { responseSchema: some(responseSchema) } : {}),
        ...(type === "input" || type.startsWith("x-")
          ? {
              how: some(
                fc.oneof(
                  form.map((one) => ({ form: one })),
                  responseSchema.map((one) => ({ responseSchema: one })),
                ),
              ),
            }
          : {}),
      }),
    )
    .map((made) => {
      const { how, ...rest } = made as typeof made & { readonly how?: object };
      const given = Object.entries({ ...rest, ...how }).filter(([, value]) => value !== undefined);
      return Object.fromEntries(given) as unknown as Ask;
    })
    .filter((ask) => checkAsk(ask, testJudge).length === 0);
}

const extras = fc.record(
  {
    feedback: text,
    note: text,
    reason: text,
    edited_args: fc.dictionary(word, json, { maxKeys: 2 }),
    selected: fc.uniqueArray(word, { maxLength: 3 }),
    value: fc.oneof(text, fc.integer()),
    amount: fc.integer(),
  },
  { requiredKeys: [] },
);

/** What somebody may put into a field. */
function valueFor({ type, options: choices = [] }: Field): fc.Arbitrary<Json> {
  const values = choices.map((choice) => choice.value);
  switch (type) {
    case "number":
    case "range":
      return fc.nat(9);
    case "boolean":
      return fc.boolean();
    case "select":
      return fc.constantFrom(...values);
    case "multiselect":
      return fc.subarray(values, { minLength: 1 });
    case "date":
      return fc.constant("2026-12-01");
    case "email":
      return fc.constant("zoe@example.com");
    case "url":
      return fc.constant("https://example.com/%C3%BC?a=1&b=2");
    default:
      return text;
  }
}

/** A form is filled in, everything else answered with whatever may stand beside an action. */
function dataFor({ form: asked }: Ask): fc.Arbitrary<JsonObject> {
  if (asked === undefined) return extras as fc.Arbitrary<JsonObject>;
  return fc.record(Object.fromEntries(fieldsOf(asked).map((one) => [one.key, valueFor(one)])));
}

export interface Answered {
  readonly ask: Ask;
  readonly answer: Answer;
}

/** As the server keeps it. */
export function anyAnswer(types?: readonly Ask["type"][]): fc.Arbitrary<Answered> {
  return anyAsk(types)
    .chain((ask) =>
      fc.record({
        ask: fc.constant(ask),
        action: fc.constantFrom(...actionsOf(ask).map(({ id }) => id)),
        data: dataFor(ask),
        chosen: fc.subarray((ask.options ?? []).map(({ id }) => id)),
      }),
    )
    .map(({ ask, action, data, chosen }) => {
      const given = ask.type === "selection" ? { ...data, selected: chosen } : data;
      const checked = checkAnswer(ask, { action, data: given }, testJudge);
      return { ask, answer: { action, data: checked.ok ? checked.data : {} }, isFit: checked.ok };
    })
    .filter(({ isFit }) => isFit)
    .map(({ ask, answer }) => ({ ask, answer }));
}
