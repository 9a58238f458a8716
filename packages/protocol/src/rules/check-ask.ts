/** Everything that can be wrong with an ask when it is placed, all at once, so that its author mends it in one go. */

import { type Ask, type AskType, actionsOf, isKnownType } from "./ask.ts";
import { OPTIONS_MAX } from "./check-field.ts";
import { checkForm } from "./check-form.ts";
import { readMoment } from "./date.ts";
import type { Field, Form } from "./form.ts";
import { pointer } from "./json.ts";
import type { Judge, Problem } from "./judge.ts";

export const PROMPT_LENGTH_MAX = 20_000;
const ACTIONS_MAX = 20;
export const USES_MAX = 10_000;
const FOREIGN_TYPE = /^x-[a-z0-9][a-z0-9._-]{0,61}$/i;
const FOREIGN_ACTION = /^[a-z][a-z0-9_-]{0,63}$/;

/** Problems' keys are JSON pointers into the ask as the wire spells it. */
export function checkAsk(ask: Ask, judge: Judge): readonly Problem[] {
  if (!isKnownType(ask.type) && !FOREIGN_TYPE.test(ask.type)) {
    return [{ key: "/type", rule: "type", message: "is no type of ask; types of your own start with x-" }];
  }
  return [
    ...checkPrompt(ask.prompt),
    ...checkOptions(ask),
    ...checkSelect(ask),
    ...checkShape(ask, judge),
    ...checkActions(ask),
    ...checkUses(ask.uses),
  ];
}

function checkPrompt(prompt: string): readonly Problem[] {
  if (prompt.trim() === "") return [{ key: "/prompt", rule: "blank", message: "must not be blank" }];
  if (prompt.length <= PROMPT_LENGTH_MAX) return [];
  return [
    { key: "/prompt", rule: "maxLength", message: `must have at most ${PROMPT_LENGTH_MAX} characters` },
  ];
}

function checkOptions(ask: Ask): readonly Problem[] {
  const { options } = ask;
  if (ask.type !== "selection") return options === undefined ? [] : [notHere("/options", ask.type)];
  if (options === undefined || options.length === 0) {
    return [{ key: "/options", rule: "required", message: "a selection needs at least one option" }];
  }
  if (options.length > OPTIONS_MAX) {
    return [{ key: "/options", rule: "maxItems", message: `must be at most ${OPTIONS_MAX}` }];
  }
  return checkIds("options", options);
}

function checkIds(
  list: "options" | "actions",
  items: readonly { readonly id: string }[],
): readonly Problem[] {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const [index, { id }] of items.entries()) {
    const key = pointer(list, index, "id");
    if (id.trim() === "") problems.push({ key, rule: "blank", message: "must not be blank" });
    else if (seen.has(id)) problems.push({ key, rule: "unique", message: "stands here twice" });
    seen.add(id);
  }
  return problems;
}

function checkSelect(ask: Ask): readonly Problem[] {
  if (ask.select === undefined) return [];
  if (ask.type !== "selection") return [notHere("/select", ask.type)];
  const count = ask.options?.length ?? 0;
  const { min = 1, max = count } = ask.select;
  if (!Number.isSafeInteger(min) || min < 0 || min > count) {
    return [
      {
        key: "/select/min",
        rule: "range",
        message: "must be a whole number from 0 to the number of options",
      },
    ];
  }
  if (!Number.isSafeInteger(max) || max < Math.max(min, 1) || max > count) {
    return [
      {
        key: "/select/max",
        rule: "range",
        message: "must be a whole number from min to the number of options",
      },
    ];
  }
  return [];
}

/** What the answer must look like: a form or a schema, where the type has room for it. */
function checkShape(ask: Ask, judge: Judge): readonly Problem[] {
  const { type, form, responseSchema } = ask;
  const open = type === "input" || !isKnownType(type);
  const problems: Problem[] = [];
  if (form !== undefined) {
    problems.push(...(open ? checkForm(form, "/form", judge) : [notHere("/form", type)]));
  }
  if (responseSchema === undefined) return problems;
  if (!open && type !== "approval") return [...problems, notHere("/response_schema", type)];
  if (form !== undefined && open) {
    const message = "form and response_schema both say what the answer is; give one";
    return [...problems, { key: "/response_schema", rule: "form_or_schema", message }];
  }
  const usable = judge.schema(responseSchema);
  if (typeof usable === "string") problems.push({ key: "/response_schema", rule: "schema", message: usable });
  return problems;
}

function checkActions(ask: Ask): readonly Problem[] {
  const { actions, type } = ask;
  if (actions === undefined) return [];
  if (actions.length === 0 || actions.length > ACTIONS_MAX) {
    return [{ key: "/actions", rule: "range", message: `must be 1 to ${ACTIONS_MAX} actions` }];
  }
  const own = new Set(actionsOf({ type }).map((action) => action.id));
  const fits = isKnownType(type) ? (id: string) => own.has(id) : (id: string) => FOREIGN_ACTION.test(id);
  const message = isKnownType(type)
    ? `must be one of ${[...own].join(", ")}: a known type's actions can be fewer, not others`
    : "must be a small letter, then at most 63 small letters, digits, _ or -";
  const strangers = actions.flatMap(({ id }, index) =>
    fits(id) ? [] : [{ key: pointer("actions", index, "id"), rule: "action", message }],
  );
  return strangers.length > 0 ? strangers : checkIds("actions", actions);
}

function checkUses(uses: Ask["uses"]): readonly Problem[] {
  if (uses === undefined || uses === "unlimited") return [];
  if (Number.isSafeInteger(uses) && uses >= 1 && uses <= USES_MAX) return [];
  return [
    { key: "/uses", rule: "range", message: `must be a whole number from 1 to ${USES_MAX}, or unlimited` },
  ];
}

function notHere(key: string, type: AskType): Problem {
  return { key, rule: "not_here", message: `does not belong to the type ${type}` };
}

/**
 * The ask as it is stored and digested: what may be written in two ways is written in one. Dates as bounds become epoch
 * milliseconds, one use is said by saying nothing; what cannot be read stays, for `checkAsk` to name.
 */
export function normaliseAsk(ask: Ask): Ask {
  const { uses, ...once } = ask;
  const counted = uses === 1 ? once : ask;
  return counted.form === undefined ? counted : { ...counted, form: normaliseForm(counted.form) };
}

function normaliseForm(form: Form): Form {
  return {
    ...form,
    ...(form.fields && { fields: form.fields.map(normaliseField) }),
    ...(form.steps && {
      steps: form.steps.map((step) => ({ ...step, fields: step.fields.map(normaliseField) })),
    }),
  };
}

function normaliseField(field: Field): Field {
  const { validation } = field;
  if (field.type !== "date" || validation === undefined) return field;
  const { min, max } = validation;
  return {
    ...field,
    validation: {
      ...validation,
      ...(min !== undefined && { min: readMoment(min) ?? min }),
      ...(max !== undefined && { max: readMoment(max) ?? max }),
    },
  };
}
