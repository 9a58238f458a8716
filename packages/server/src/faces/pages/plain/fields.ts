/** The inputs of an answer: form fields, options, items, and the free texts of each type. */

import {
  type Ask,
  asShown,
  FILE_INPUT,
  FILE_UPLOAD,
  type Field,
  type Form,
  filePlaces,
  isCallUnknown,
  isFileRef,
  isObject,
  type Json,
  type JsonObject,
  member,
  type Problem,
} from "@holdpoint/protocol/rules";
import { exact, type Html, html, NOTHING } from "./layout.ts";

export interface Given {
  readonly values: JsonObject;
  readonly problems: readonly Problem[];
}

export function inputsOf(ask: Ask, given: Given): readonly Html[] {
  switch (ask.type) {
    case "approval":
      return [
        ...(isCallUnknown(ask) ? [note("note", HOW_KNOWN, given)] : []),
        note("feedback", "Feedback (shown to the agent; needed when you ask for changes)", given),
      ];
    case "selection":
      return [options(ask, given), note("note", "Note", given)];
    case "confirmation":
      return [items(ask, given), note("note", isCallUnknown(ask) ? HOW_KNOWN : "Note", given)];
    case "escalation":
      return [note("reason", "Reason", given), params(ask, given)];
    default:
      return ask.form === undefined ? [openInput(ask, given)] : formInputs(ask.form, given);
  }
}

const HOW_KNOWN = "How do you know what will run? (needed to let it run)";

function problemOf(key: string, { problems }: Given): Problem | undefined {
  return problems.find((problem) => problem.key === key || problem.key === `/${key}`);
}

function problemText(id: string, problem: Problem | undefined): Html {
  return problem === undefined
    ? html`${NOTHING}`
    : html`<p class="problem" id="${id}-problem" role="alert">${problem.message}</p>`;
}

function note(name: string, label: string, given: Given): Html {
  const value = given.values[name];
  const problem = problemOf(name, given);
  return html`<div class="field"><label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="3" ${invalid(name, problem)}>${exact(typeof value === "string" ? value : "")}</textarea>${problemText(name, problem)}</div>`;
}

function invalid(id: string, problem: Problem | undefined, hint?: string): Html {
  const described = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ];
  const by = described.length === 0 ? NOTHING : html`aria-describedby="${described.join(" ")}"`;
  return html`${problem === undefined ? NOTHING : html`aria-invalid="true"`} ${by}`;
}

function options(ask: Ask, given: Given): Html {
  const one = (ask.select?.max ?? Number.POSITIVE_INFINITY) === 1;
  const chosen = new Set(Array.isArray(given.values["selected"]) ? given.values["selected"] : []);
  const problem = problemOf("selected", given);
  const choices = (ask.options ?? []).map(
    ({
      id,
      label,
      description,
    }) => html`<label class="choice"><input type="${one ? "radio" : "checkbox"}" name="selected" value="${exact(id)}" ${chosen.has(id) ? "checked" : ""}>
<span><strong>${label}</strong>${description === undefined ? "" : html`<br><small>${description}</small>`}</span></label>`,
  );
  return html`<fieldset><legend>${one ? "Choose one" : "Choose"}</legend>${choices}${problemText("selected", problem)}</fieldset>`;
}

/** The most options that a selection can have. */
const ITEMS_MAX = 1_000;

function items(ask: Ask, given: Given): Html {
  const list = ask.context?.["items"];
  if (!Array.isArray(list)) return html`${NOTHING}`;
  const named = list.filter(
    (item) => isObject(item) && typeof item["id"] === "string",
  ) as readonly JsonObject[];
  const confirmed = new Set(
    Array.isArray(given.values["confirmed_items"]) ? given.values["confirmed_items"] : [],
  );
  const left = named.length - ITEMS_MAX;
  const more =
    left <= 0
      ? NOTHING
      : html`<p class="notice">${left} more items have no box here: they are among the details above, and can be confirmed one by one over the API only.</p>`;
  return html`<fieldset><legend>Items</legend>${named.length === 0 ? NOTHING : html`<input type="hidden" name="confirmed_items" value="">`}${named
    .slice(0, ITEMS_MAX)
    .map(
      (item) =>
        html`<label class="choice"><input type="checkbox" name="confirmed_items" value="${exact(String(item["id"]))}" ${confirmed.has(String(item["id"])) ? "checked" : ""}><span>${String(item["label"] ?? item["title"] ?? item["id"])}</span></label>`,
    )}${more}${problemText("confirmed_items", problemOf("confirmed_items", given))}</fieldset>`;
}

function params(ask: Ask, given: Given): Html {
  if (!isObject(ask.context?.["params"] ?? null)) return html`${NOTHING}`;
  const value = given.values["modified_params"];
  const text = value === undefined ? "" : JSON.stringify(value, null, 2);
  return html`<div class="field"><label for="modified_params">Changed parameters, as JSON (only what you change)</label>
<textarea id="modified_params" name="modified_params" rows="4" spellcheck="false">${exact(text)}</textarea>${problemText("modified_params", problemOf("modified_params", given))}</div>`;
}

function openInput(ask: Ask, given: Given): Html {
  const asksObject = ask.responseSchema !== undefined;
  const name = asksObject ? "data" : "value";
  const label = asksObject ? "Your answer, as JSON" : "Your answer";
  const { value } = given.values;
  const text = asksObject
    ? Object.keys(given.values).length === 0
      ? ""
      : JSON.stringify(given.values, null, 2)
    : typeof value === "string"
      ? value
      : "";
  const problem = given.problems[0];
  return html`${filePlaces(ask.responseSchema ?? {}).map(({ at, label: words }) => {
    const id = `${FILE_INPUT}${at}`;
    return html`<div class="field"><label for="${id}">${words}</label>${fileInput(id, id, valueAt(given.values, at), false, NOTHING)}</div>`;
  })}<div class="field"><label for="${name}">${label}</label><textarea id="${name}" name="${name}" rows="5" ${invalid(name, problem)}>${exact(text)}</textarea>${problemText(name, problem)}
${ask.responseSchema === undefined ? "" : html`<details><summary>The form it must have</summary><pre>${JSON.stringify(ask.responseSchema, null, 2)}</pre></details>`}</div>`;
}

function valueAt(values: Json, at: string): Json | undefined {
  return at
    .split("/")
    .slice(1)
    .reduce<Json | undefined>((value, name) => (isObject(value) ? member(value, name) : undefined), values);
}

function formInputs(form: Form, given: Given): readonly Html[] {
  if (form.fields !== undefined) return form.fields.map((field) => fieldInput(field, given));
  return (form.steps ?? []).map(
    (
      step,
    ) => html`<fieldset><legend>${step.title}</legend>${step.description === undefined ? "" : html`<p>${step.description}</p>`}
${step.fields.map((field) => fieldInput(field, given))}</fieldset>`,
  );
}

function fieldInput(field: Field, given: Given): Html {
  const { key, label, hint, required, conditional } = field;
  const problem = problemOf(key, given);
  const shown = shownIn(field, member(given.values, key));
  const more =
    conditional === undefined
      ? ""
      : html`<small>Only if ${conditional.field} ${WORDS[conditional.operator]} ${JSON.stringify(conditional.value)}</small>`;
  if (field.type === "boolean") {
    return html`<div class="field"><label class="choice"><input type="checkbox" name="${key}" value="true" ${shown === true ? "checked" : ""} ${invalid(key, problem, hint)}><span>${label}</span></label>${hint === undefined ? "" : html`<small id="${key}-hint">${hint}</small>`}${more}${problemText(key, problem)}</div>`;
  }
  if (field.type === "multiselect") return choicesOf(field, shown, problem, more);
  // The page does not require a field that may be hidden; the server checks whether it is required.
  const must = required === true && conditional === undefined;
  return html`<div class="field"><label for="${key}">${label}${required === true ? html` <em>required</em>` : ""}</label>
${control(field, shown, must, problem)}${hint === undefined ? "" : html`<small id="${key}-hint">${hint}</small>`}${more}${problemText(key, problem)}</div>`;
}

/** What a person finds in the input: what was entered, or a default that the input shows whole (G12). */
function shownIn(field: Field, entered: Json | undefined): Json | undefined {
  if (entered !== undefined && entered !== null) return asShown(field, entered);
  const { default: begun = null } = field;
  return asShown(field, begun) === begun ? begun : undefined;
}

/** Checkboxes, because a list for several choices needs keys that a phone does not have. */
function choicesOf(
  field: Field,
  shown: Json | undefined,
  problem: Problem | undefined,
  more: Html | "",
): Html {
  const { key, label, hint, required } = field;
  const chosen = new Set(Array.isArray(shown) ? shown : []);
  const boxes = (field.options ?? []).map(
    (option) =>
      html`<label class="choice"><input type="checkbox" name="${key}" value="${exact(option.value)}" ${chosen.has(option.value) ? "checked" : ""}><span>${option.label}</span></label>`,
  );
  return html`<fieldset ${invalid(key, problem, hint)}><legend>${label}${required === true ? html` <em>required</em>` : ""}</legend>${boxes}${hint === undefined ? "" : html`<small id="${key}-hint">${hint}</small>`}${more}${problemText(key, problem)}</fieldset>`;
}

const WORDS = { eq: "is", neq: "is not", in: "is one of", gt: "is more than", lt: "is less than" } as const;

/** The uploaded file is kept unless another one is chosen. */
function fileInput(id: string, name: string, shown: Json | undefined, must: boolean, marks: Html): Html {
  const kept = isFileRef(shown)
    ? html`<input type="hidden" name="${exact(name)}" value="${exact(JSON.stringify(shown))}"><small>Sent: ${shown.name}. Choose another only to replace it.</small>`
    : NOTHING;
  return html`${kept}<input type="file" id="${id}" name="${exact(name)}" ${must && kept === NOTHING ? "required" : ""} ${marks}>`;
}

const INPUT_TYPES: Readonly<Record<string, string>> = {
  number: "number",
  range: "range",
  date: "date",
  email: "email",
  url: "url",
};

function control(field: Field, shown: Json | undefined, must: boolean, problem: Problem | undefined): Html {
  const { key, type, validation, placeholder, sensitive } = field;
  if (type === FILE_UPLOAD) return fileInput(key, key, shown, must, invalid(key, problem, field.hint));
  const common = html`id="${key}" name="${key}" ${must ? "required" : ""} ${invalid(key, problem, field.hint)}`;
  // Sensitive values are not sent back to the page; the person types them again.
  const isKept = sensitive !== true && (typeof shown === "string" || typeof shown === "number");
  const text = isKept ? String(shown) : "";
  if (type === "textarea")
    return html`<textarea ${common} rows="5" placeholder="${placeholder ?? ""}">${exact(text)}</textarea>`;
  if (type === "select") {
    const choices = (field.options ?? []).map(
      ({ value, label }) =>
        html`<option value="${exact(value)}" ${value === shown ? "selected" : ""}>${label}</option>`,
    );
    return html`<select ${common}><option value=""></option>${choices}</select>`;
  }
  const kind = sensitive === true ? "password" : (INPUT_TYPES[type] ?? "text");
  const bounds =
    type === "number" || type === "range"
      ? html`min="${validation?.min ?? (type === "range" ? 0 : "")}" max="${validation?.max ?? (type === "range" ? 100 : "")}" step="any"`
      : NOTHING;
  const scale =
    type === "range" ? html`<small>${validation?.min ?? 0} to ${validation?.max ?? 100}</small>` : NOTHING;
  return html`<input type="${kind}" ${common} value="${exact(text)}" placeholder="${placeholder ?? ""}" autocomplete="off" ${bounds}>${scale}`;
}
