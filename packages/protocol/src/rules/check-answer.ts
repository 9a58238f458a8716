/**
 * Whether an answer fits its ask. Every door asks here, so that no door accepts what another would refuse; what comes
 * back as `data` is what is stored and given to the agent.
 */

import { type Ask, actionsOf, isGranting } from "./ask.ts";
import { type Checked, checkFormAnswer } from "./check-form-answer.ts";
import { isGiven } from "./field-value.ts";
import { fileProblems } from "./file.ts";
import { isObject, type Json, type JsonObject, member, pointer } from "./json.ts";
import type { Judge, Problem } from "./judge.ts";
import { asksForValue } from "./schema-hints.ts";

/** An answer as it came in: `data` is whatever JSON was sent, or nothing. */
export interface GivenAnswer {
  readonly action: string;
  readonly data?: Json;
}

export type AnswerCheck =
  | { readonly ok: true; readonly data: JsonObject }
  | {
      readonly ok: false;
      readonly code: "invalid_action" | "invalid_answer";
      readonly problems: readonly Problem[];
    };

/** Nobody reads more, and a hostile answer could otherwise have a reply far larger than itself. */
const PROBLEMS_MAX = 100;

/** Problems' keys are field keys for a form, otherwise JSON pointers into `data`. */
export function checkAnswer(ask: Ask, given: GivenAnswer, judge: Judge): AnswerCheck {
  const allowed = actionsOf(ask).map((action) => action.id);
  if (!allowed.includes(given.action)) {
    const message = `must be one of ${allowed.join(", ")}`;
    return { ok: false, code: "invalid_action", problems: [{ key: "action", rule: "action", message }] };
  }
  const data = given.data ?? {};
  if (!isObject(data)) {
    const message = "must be an object";
    return { ok: false, code: "invalid_answer", problems: [{ key: "", rule: "type", message }] };
  }
  const checked = checkData(ask, given.action, data, judge);
  const problems = checked.problems.length === 0 ? fileProblems(ask, checked.data) : checked.problems;
  if (problems.length === 0) return { ok: true, data: checked.data };
  return { ok: false, code: "invalid_answer", problems: problems.slice(0, PROBLEMS_MAX) };
}

function checkData(ask: Ask, action: string, data: JsonObject, judge: Judge): Checked {
  switch (ask.type) {
    case "approval":
      return checkApproval(ask, action, data, judge);
    case "selection":
      return checkSelection(ask, data);
    case "confirmation":
      return checkConfirmation(ask, data);
    case "escalation":
      return checkEscalation(ask, data);
    default:
      return checkInput(ask, action, data, judge);
  }
}

function checkApproval(ask: Ask, action: string, given: JsonObject, judge: Judge): Checked {
  const data = withoutEmpty(given, ["feedback", "note", "edits", "edited_args"]);
  const problems = [
    ...texts(data, ["feedback", "note"]),
    ...objects(data, ["edits", "edited_args"]),
    ...editedArgsProblems(ask.responseSchema, action, member(data, "edited_args"), judge),
    ...misspeltProblems(data),
  ];
  return { data, problems };
}

/** A person who sends changed arguments under this name would approve the proposed ones, because nothing reads it. */
function misspeltProblems(data: JsonObject): readonly Problem[] {
  if (!Object.hasOwn(data, "editedArgs")) return [];
  return [{ key: "/editedArgs", rule: "unknown_member", message: "is called edited_args" }];
}

function editedArgsProblems(
  schema: JsonObject | undefined,
  action: string,
  editedArgs: Json | undefined,
  judge: Judge,
): readonly Problem[] {
  if (editedArgs === undefined) return [];
  const key = "/edited_args";
  if (action !== "approve") return [{ key, rule: "not_here", message: "belongs to the action approve only" }];
  return schema === undefined ? [] : schemaProblems(schema, editedArgs, key, judge);
}

function checkSelection(ask: Ask, given: JsonObject): Checked {
  const ids = (ask.options ?? []).map((option) => option.id);
  const kept = withoutEmpty(given, ["selected", "note"]);
  const selected = member(kept, "selected") ?? [];
  const wrong = choices("selected", selected, ids);
  const count =
    wrong.length === 0 && Array.isArray(selected) ? countProblems(ask, selected.length, ids.length) : [];
  return { data: { ...kept, selected }, problems: [...texts(kept, ["note"]), ...wrong, ...count] };
}

function countProblems(ask: Ask, count: number, offered: number): readonly Problem[] {
  const { min = 1, max = offered } = ask.select ?? {};
  const key = "/selected";
  if (count < min) return [{ key, rule: "min", message: `must name at least ${min} of the options` }];
  return count > max ? [{ key, rule: "max", message: `must name at most ${max} of the options` }] : [];
}

function checkConfirmation(ask: Ask, given: JsonObject): Checked {
  const data = withoutEmpty(given, ["confirmed_items", "note"]);
  const items = member(data, "confirmed_items");
  const wrong = items === undefined ? [] : choices("confirmed_items", items, itemIds(ask));
  return { data, problems: [...texts(data, ["note"]), ...wrong] };
}

function checkEscalation(ask: Ask, given: JsonObject): Checked {
  const data = withoutEmpty(given, ["reason", "note", "modified_params"]);
  const problems = [...texts(data, ["reason", "note"]), ...objects(data, ["modified_params"])];
  const modified = member(data, "modified_params");
  const params = ask.context && member(ask.context, "params");
  if (!isObject(modified) || !isObject(params)) return { data, problems };
  const strangers = Object.keys(modified).filter((name) => !Object.hasOwn(params, name));
  const message = "is no parameter of what failed";
  const wrong = strangers.map((name) => ({
    key: pointer("modified_params", name),
    rule: "unknown_param",
    message,
  }));
  return { data, problems: [...problems, ...wrong] };
}

/** `input`, and every type of others. */
function checkInput(ask: Ask, action: string, data: JsonObject, judge: Judge): Checked {
  // Somebody who declines need not fill in the form first.
  if (!isGranting(ask, action) && Object.keys(data).length === 0) return { data, problems: [] };
  if (ask.form !== undefined) return checkFormAnswer(ask.form, data, judge);
  if (ask.responseSchema === undefined) return { data, problems: [] };
  if (!asksForValue(ask.responseSchema)) {
    return { data, problems: schemaProblems(ask.responseSchema, data, "", judge) };
  }
  const value = member(data, "value");
  if (value !== undefined)
    return { data, problems: schemaProblems(ask.responseSchema, value, "/value", judge) };
  return { data, problems: [{ key: "/value", rule: "required", message: "must be given" }] };
}

function schemaProblems(schema: JsonObject, value: Json, at: string, judge: Judge): readonly Problem[] {
  const test = judge.schema(schema);
  if (typeof test === "string") return [{ key: at, rule: "schema", message: test }];
  return test(value).map((problem) => ({ ...problem, key: at + problem.key }));
}

/** Null and an empty text mean that an optional member was not given. */
function withoutEmpty(data: JsonObject, optional: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(data).filter(([name, value]) => isGiven(value) || !optional.includes(name)),
  );
}

function texts(data: JsonObject, names: readonly string[]): Problem[] {
  const wrong = names.filter((name) => typeof (member(data, name) ?? "") !== "string");
  return wrong.map((name) => ({ key: pointer(name), rule: "type", message: "must be text" }));
}

function objects(data: JsonObject, names: readonly string[]): Problem[] {
  const wrong = names.filter((name) => !isObject(member(data, name) ?? {}));
  return wrong.map((name) => ({ key: pointer(name), rule: "type", message: "must be an object" }));
}

/** A list of distinct ids, each of them offered; without an offer any id goes. */
function choices(name: string, chosen: Json, offered: readonly string[] | null): Problem[] {
  const key = pointer(name);
  if (!Array.isArray(chosen) || !chosen.every((id) => typeof id === "string")) {
    return [{ key, rule: "type", message: "must be a list of ids" }];
  }
  if (new Set(chosen).size !== chosen.length)
    return [{ key, rule: "unique", message: "must name nothing twice" }];
  if (offered === null) return [];
  const known = new Set(offered);
  const strangers = chosen.flatMap((id, index) => (known.has(id) ? [] : [index]));
  return strangers.map((index) => ({ key: pointer(name, index), rule: "option", message: "is not offered" }));
}

/** Ids of `context.items`, or null when the ask lists no items that have any. */
function itemIds(ask: Ask): readonly string[] | null {
  const items = ask.context && member(ask.context, "items");
  if (!Array.isArray(items)) return null;
  const ids = items.map((item) => (isObject(item) ? member(item, "id") : undefined));
  const named = ids.filter((id) => typeof id === "string");
  return named.length > 0 ? named : null;
}
