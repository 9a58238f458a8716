/** Any ask that a server would take, and any answer to it: what translations must carry. The same ones in every run. */

import {
  type Answer,
  type Ask,
  actionsOf,
  checkAnswer,
  checkAsk,
  type Json,
} from "@holdpoint/protocol/rules";
import fc from "fast-check";
import { testJudge } from "../../packages/server/src/testing/core-step.ts";

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const text = fc.string({ minLength: 1, maxLength: 12 }).filter((one) => one.trim() !== "");
const prompt = fc.oneof(
  { weight: 9, arbitrary: text },
  { weight: 1, arbitrary: fc.constant("why? ".repeat(120)) },
);
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
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
const field = fc.record(
  {
    key: fc.oneof(word, fc.constant("value")),
    label: text,
    type: fc.constantFrom("text", "textarea", "number", "boolean", "date"),
    required: fc.boolean(),
  },
  { requiredKeys: ["key", "label", "type"] },
);
const form = fc
  .uniqueArray(field, { minLength: 1, maxLength: 3, selector: ({ key }) => key })
  .chain((fields) => fc.constantFrom({ fields }, { steps: [{ title: "One", fields }] }));
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
    edited_args: fc.dictionary(word, fc.integer(), { maxKeys: 2 }),
    selected: fc.uniqueArray(word, { maxLength: 3 }),
    value: fc.oneof(text, fc.integer()),
    amount: fc.integer(),
  },
  { requiredKeys: [] },
);

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
        data: extras,
        chosen: fc.subarray((ask.options ?? []).map(({ id }) => id)),
      }),
    )
    .map(({ ask, action, data, chosen }) => {
      const given = ask.type === "selection" ? { ...data, selected: chosen } : data;
      const checked = checkAnswer(ask, { action, data: given as never }, testJudge);
      return { ask, answer: { action, data: checked.ok ? checked.data : {} }, isFit: checked.ok };
    })
    .filter(({ isFit }) => isFit)
    .map(({ ask, answer }) => ({ ask, answer }));
}
