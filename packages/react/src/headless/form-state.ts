/** A form being filled in: values, what was touched, the step of a wizard. Rules are those of the server. */

import {
  asShown,
  checkFieldAnswer,
  type Field,
  type Form,
  fieldsOf,
  isGiven,
  type Json,
  type JsonObject,
  type Judge,
  member,
  type Problem,
  visibleFields,
} from "@holdpoint/protocol/rules";

export interface FormState {
  readonly values: JsonObject;
  /** Keys that were left once: only they show what is wrong before anybody presses a button. */
  readonly touched: ReadonlySet<string>;
  /** From 0. */
  readonly step: number;
  /** What the server found wrong with what was sent, until the field changes. */
  readonly refused: readonly Problem[];
}

export interface FormStart {
  readonly values?: JsonObject;
  /** From 1, as drafts are kept. */
  readonly step?: number;
  readonly problems?: readonly Problem[];
}

/** What the input of a field shows of a value. A page with inputs of its own for types of others (`x-*`) brings its own. */
export type Shows = (field: Field, value: Json) => Json | undefined;

/** A form with its defaults, or with a draft's values, as far as its inputs show them (G12). */
export function startForm(form: Form, start: FormStart = {}, shows: Shows = asShown): FormState {
  const begun = fieldsOf(form).flatMap((field): [string, Json][] => {
    const drafted = member(start.values ?? {}, field.key);
    // Others may have written into a draft. The person goes on from what they see of it.
    const value = drafted === undefined ? shownWhole(field, field.default, shows) : shows(field, drafted);
    return value === undefined ? [] : [[field.key, value]];
  });
  const steps = form.steps?.length ?? 1;
  const refused = start.problems ?? [];
  const state: FormState = {
    values: Object.fromEntries(begun),
    touched: new Set(refused.map(({ key }) => key)),
    step: Math.min(Math.max((start.step ?? 1) - 1, 0), steps - 1),
    refused,
  };
  return refused.length === 0 ? state : { ...state, step: stepOfFirst(form, refused) ?? state.step };
}

/** A value that nobody entered here becomes part of the answer only if the input shows all of it (G12). */
function shownWhole(field: Field, value: Json | undefined, shows: Shows): Json | undefined {
  return value !== undefined && shows(field, value) === value ? value : undefined;
}

/** The form after a value was changed; `undefined` removes it. */
export function setValue(state: FormState, key: string, value: Json | undefined): FormState {
  const { [key]: _, ...others } = state.values;
  const values = value === undefined ? others : { ...others, [key]: value };
  return { ...state, values, refused: state.refused.filter((problem) => problem.key !== key) };
}

/** Values that came late; what a person has entered or emptied meanwhile stays. */
export function fillIn(form: Form, state: FormState, found: JsonObject, shows: Shows = asShown): FormState {
  const wanted = fieldsOf(form).flatMap((field): [string, Json][] => {
    const { key } = field;
    const value = shownWhole(field, member(found, key), shows);
    const isFree = !state.touched.has(key) && !isGiven(member(state.values, key));
    return value !== undefined && isFree ? [[key, value]] : [];
  });
  return wanted.length === 0
    ? state
    : { ...state, values: { ...state.values, ...Object.fromEntries(wanted) } };
}

/** The form after these fields were visited: only then are their problems shown. */
export function touch(state: FormState, ...keys: readonly string[]): FormState {
  return { ...state, touched: new Set([...state.touched, ...keys]) };
}

/** What a control holds as text, as the value its field wants; what cannot be converted stays text and is named. */
export function valueOfText(field: Field, text: string): Json | undefined {
  if (text === "") return undefined;
  if (field.type !== "number" && field.type !== "range") return text;
  const number = Number(text.trim().replace(",", "."));
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}

/** All fields of a step. */
export function stepFields(form: Form, step: number): readonly Field[] {
  return form.steps === undefined ? (form.fields ?? []) : (form.steps[step]?.fields ?? []);
}

/** The fields of the current step that are shown with these values. */
export function shownFields(form: Form, { values, step }: FormState): readonly Field[] {
  const visible = new Set(visibleFields(form, values));
  return stepFields(form, step).filter((field) => visible.has(field));
}

/** Problems of all visible fields, or only of one step's. */
export function problemsOf(
  form: Form,
  { values }: FormState,
  judge: Judge,
  step?: number,
): readonly Problem[] {
  const wanted = step === undefined ? undefined : new Set(stepFields(form, step));
  return visibleFields(form, values)
    .filter((field) => wanted?.has(field) ?? true)
    .flatMap((field) => checkFieldAnswer(field, valueIn(values, field), judge));
}

/** What the page says beside each field: of touched fields only. */
export function messages(form: Form, state: FormState, judge: Judge): ReadonlyMap<string, string> {
  const own = problemsOf(form, state, judge).filter(({ key }) => state.touched.has(key));
  return new Map([...own, ...state.refused].map(({ key, message }) => [key, message]));
}

/** On to the next step, unless something on this one is wrong; then that is shown. */
export function goOn(form: Form, state: FormState, judge: Judge): FormState {
  const wrong = problemsOf(form, state, judge, state.step);
  if (wrong.length > 0) return touch(state, ...wrong.map(({ key }) => key));
  return { ...state, step: Math.min(state.step + 1, (form.steps?.length ?? 1) - 1) };
}

/** Back loses nothing. */
export function goBack(state: FormState): FormState {
  return { ...state, step: Math.max(state.step - 1, 0) };
}

/** Before sending: the first step with a problem shows, all of them said. */
export function showProblems(form: Form, state: FormState, problems: readonly Problem[]): FormState {
  const touched = touch(state, ...problems.map(({ key }) => key));
  return { ...touched, step: stepOfFirst(form, problems) ?? state.step };
}

function stepOfFirst(form: Form, problems: readonly Problem[]): number | undefined {
  const at = (form.steps ?? []).findIndex((step) =>
    step.fields.some((field) => problems.some(({ key }) => key === field.key)),
  );
  return at === -1 ? undefined : at;
}

/** What is sent: visible fields only, an unchecked box as an explicit no. */
export function formData(form: Form, values: JsonObject): JsonObject {
  return Object.fromEntries(
    visibleFields(form, values).flatMap((field): [string, Json][] => {
      const value = valueIn(values, field);
      return isGiven(value) ? [[field.key, value]] : [];
    }),
  );
}

/** What may be kept on the way; secrets are typed again. */
export function draftValues(form: Form, values: JsonObject): JsonObject {
  const open = fieldsOf(form).filter((field) => field.sensitive !== true);
  return Object.fromEntries(
    open.flatMap((field): [string, Json][] => {
      const value = member(values, field.key);
      return isGiven(value) ? [[field.key, value]] : [];
    }),
  );
}

function valueIn(values: JsonObject, field: Field): Json | undefined {
  const value = member(values, field.key);
  return field.type === "boolean" && !isGiven(value) ? false : value;
}
