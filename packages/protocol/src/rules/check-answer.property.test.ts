import fc from "fast-check";
import { expect, test } from "vitest";
import { plainJudge } from "../testing/plain-judge.ts";
import {
  type Ask,
  actionsOf,
  checkAnswer,
  checkAsk,
  type Field,
  fieldsOf,
  type Json,
  type JsonObject,
  maskSensitive,
  progressOf,
  readFormPost,
} from "./index.ts";

// The same cases in every run.
fc.configureGlobal({ seed: 7 });

const name = fc.constantFrom("a", "b", "c", "constructor", "toString", "value", "selected", "action");
const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom("x", "y", "2026-01-01", "a@b.c", "https://a.b", "5"),
);
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.oneof(text, fc.integer({ min: -5, max: 120 }), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(name, fc.constant("__proto__"), text), tie("value"), { maxKeys: 4 }),
  ),
})).value;

const type = fc.constantFrom<Field["type"]>(
  "text",
  "textarea",
  "number",
  "date",
  "email",
  "url",
  "boolean",
  "select",
  "multiselect",
  "range",
  "x-map",
);
const options = [
  { value: "x", label: "X" },
  { value: "y", label: "Y" },
];
const operator = fc.constantFrom("eq", "neq", "in", "gt", "lt");
const conditional = fc.option(fc.record({ field: name, operator, value: json }), { nil: undefined });
const field = fc
  .record({ key: name, label: text, type, required: fc.boolean(), sensitive: fc.boolean(), conditional })
  .map(
    ({ conditional, ...rest }): Field => ({
      ...rest,
      ...(conditional && { conditional }),
      ...((rest.type === "select" || rest.type === "multiselect") && { options }),
    }),
  );
const fields = fc.uniqueArray(field, { minLength: 1, maxLength: 6, selector: (one) => one.key });

const ask = fc
  .record({
    type: fc.constantFrom<Ask["type"]>(
      "approval",
      "selection",
      "input",
      "confirmation",
      "escalation",
      "x-demo",
    ),
    fields: fc.option(fields, { nil: undefined }),
    stepped: fc.boolean(),
    responseSchema: fc.constantFrom<JsonObject | undefined>(
      undefined,
      { type: "object" },
      { type: "number" },
    ),
    context: fc.dictionary(fc.constantFrom("items", "params"), json),
  })
  .map(({ type, fields, stepped, responseSchema, context }): Ask => {
    const open = type === "input" || type === "x-demo";
    const shape = stepped && fields ? { steps: [{ title: "One", fields }] } : { fields };
    return {
      type,
      prompt: "?",
      context,
      ...(type === "selection" && {
        options: [
          { id: "x", label: "X" },
          { id: "y", label: "Y" },
        ],
      }),
      ...(open && fields && { form: shape as NonNullable<Ask["form"]> }),
      ...(((open && !fields) || type === "approval") && responseSchema && { responseSchema }),
    };
  });

const anyAction = fc.constantFrom(
  "approve",
  "edit",
  "reject",
  "select",
  "submit",
  "confirm",
  "cancel",
  "retry",
  "__proto__",
);

test("no JSON whatsoever makes a check throw, and a refusal always says why", () => {
  fc.assert(
    fc.property(ask, anyAction, json, (ask, action, data) => {
      checkAsk(ask, plainJudge);
      const result = checkAnswer(ask, { action, data }, plainJudge);
      if (!result.ok) expect(result.problems.length).toBeGreaterThan(0);
    }),
    { numRuns: 600 },
  );
});

test("what is accepted is accepted again, unchanged, after a trip over the wire", () => {
  let accepted = 0;
  fc.assert(
    fc.property(ask, fc.nat(), fc.dictionary(name, json), (ask, pick, data) => {
      const actions = actionsOf(ask);
      const action = actions[pick % actions.length]!.id;
      const first = checkAnswer(ask, { action, data }, plainJudge);
      if (!first.ok) return;
      accepted++;
      const wired = JSON.parse(JSON.stringify(first.data)) as Json;
      expect(checkAnswer(ask, { action, data: wired }, plainJudge)).toEqual({ ok: true, data: first.data });
    }),
    { numRuns: 1_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});

test("masking and progress take any values, and no sensitive value gets through", () => {
  fc.assert(
    fc.property(ask, fc.dictionary(name, json), fc.nat({ max: 9 }), (ask, data, step) => {
      const masked = maskSensitive(ask, data);
      expect(Object.keys(masked)).toEqual(Object.keys(data));
      for (const field of ask.form === undefined ? [] : fieldsOf(ask.form)) {
        if (field.sensitive === true && Object.hasOwn(data, field.key))
          expect(masked[field.key]).toEqual({ withheld: true });
      }
      if (ask.form === undefined) return;
      const progress = progressOf(ask.form, data, step);
      expect(progress.completed_fields).toBeLessThanOrEqual(progress.total_fields);
    }),
  );
});

test("any form post is read into an object that can be checked", () => {
  const pairs = fc.array(
    fc.tuple(fc.oneof(name, fc.constantFrom("_action", "__proto__", "data", "edited_args")), text),
  );
  fc.assert(
    fc.property(ask, pairs, (ask, pairs) => {
      const post = readFormPost(ask, pairs);
      checkAnswer(ask, { action: post.action ?? "submit", data: post.data }, plainJudge);
    }),
  );
});
