/**
 * Converts a hold's ask and answer to OpenIntent's terms and back. Pure, and defined for every validated input. The
 * OpenIntent face and all events about a suspension use these functions.
 */

import {
  type Action,
  type Answer,
  type Ask,
  actionsOf,
  asksForValue,
  isObject,
  type Json,
  type JsonObject,
  member,
  type Option,
  type Style,
  shownActions,
} from "@holdpoint/protocol/rules";
import { choicesOf, isText, type ResponseType } from "./record.ts";

export type Choice = {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
  readonly style?: Style;
};

const STYLES: readonly unknown[] = ["primary", "danger", "default"];
const NO_QUESTION = "The agent asks for input.";
const TEXT_FORM = {
  fields: [{ key: "value", label: "Your answer", type: "textarea", required: true }],
} as const;

/** The choices that can be shown: those with a value, each value once. The record itself is not changed. */
function usableChoices(record: JsonObject): readonly Choice[] {
  const seen = new Map<string, Choice>();
  for (const { value, label, description, style } of choicesOf(record)) {
    if (!isText(value) || value.trim() === "" || seen.has(value)) continue;
    seen.set(value, {
      value,
      label: isText(label) ? label : value,
      ...(isText(description) ? { description } : {}),
      ...(STYLES.includes(style) ? { style: style as Style } : {}),
    });
  }
  return [...seen.values()];
}

/** The ask for a record. A `choice` record without choices becomes a free-form input. */
export function askOf(record: JsonObject): Ask {
  const { question, context } = record;
  const common = {
    prompt: isText(question) && question.trim() !== "" ? question : NO_QUESTION,
    ...(isObject(context) && Object.keys(context).length > 0 ? { context } : {}),
  };
  const choices = usableChoices(record);
  switch (record["response_type"] as ResponseType) {
    case "confirm":
      return {
        type: "confirmation",
        ...common,
        actions: [confirmAs("yes", choices), confirmAs("no", choices)],
      };
    case "text":
      return { type: "input", ...common, form: TEXT_FORM };
    case "choice":
      if (choices.length > 0)
        return { type: "selection", ...common, options: choices.map(optionOf), select: { min: 1, max: 1 } };
      return { type: "input", ...common };
    case "form":
      return { type: "input", ...common };
  }
}

const CONFIRM: Readonly<Record<"yes" | "no", Action & { readonly label: string }>> = {
  yes: { id: "confirm", label: "Yes", style: "primary" },
  no: { id: "cancel", label: "No" },
};

/** Uses the record's label if it has one, otherwise the default. */
function confirmAs(word: "yes" | "no", choices: readonly Choice[]): Action {
  const { value: _word, description: _more, ...named } = choices.find(({ value }) => value === word) ?? {};
  return { ...CONFIRM[word], ...named };
}

function optionOf({ value, ...rest }: Choice): Option {
  return { id: value, ...rest };
}

export type AskWords = {
  readonly question: string;
  readonly response_type: ResponseType;
  readonly choices: readonly Choice[];
  readonly context: JsonObject;
};

/** The OpenIntent record for any ask. */
export function wordsOf(ask: Ask): AskWords {
  const common = { question: ask.prompt, context: ask.context ?? {} };
  switch (ask.type) {
    case "selection":
      if (takesOne(ask))
        return { ...common, response_type: "choice", choices: (ask.options ?? []).map(choiceOf) };
      return { ...common, response_type: "form", choices: [] };
    case "confirmation":
      return { ...common, response_type: "confirm", choices: actionsOf(ask).map(yesOrNo) };
    case "input":
      return { ...common, response_type: isTextAsk(ask) ? "text" : "form", choices: [] };
    default:
      return { ...common, response_type: "choice", choices: actionsOf(ask).map(wordedAction) };
  }
}

/**
 * The record for a hold that another face placed, as people see it: each choice that decides begins with what it means, in the style of
 * its type, because the asker chose the label (G15). `wordsOf` keeps the asker's words.
 */
export function shownWordsOf(ask: Ask): AskWords {
  const words = wordsOf(ask);
  if (ask.type === "selection" || ask.type === "input") return words;
  const shown = shownActions(ask).map(({ word: _word, style, ...action }) =>
    ask.type === "confirmation"
      ? yesOrNo({ ...action, ...styled(style) })
      : wordedAction({ ...action, ...styled(style) }),
  );
  return { ...words, choices: shown };
}

/** The usual style goes without saying. */
function styled(style: Style): { readonly style?: Style } {
  return style === "default" ? {} : { style };
}

function choiceOf({ id, ...rest }: Option): Choice {
  return { value: id, ...rest };
}

function wordedAction({ id, label, style }: Action): Choice {
  return { value: id, label: label ?? id, ...(style === undefined ? {} : { style }) };
}

function yesOrNo(action: Action): Choice {
  return { ...wordedAction(action), value: action.id === "confirm" ? "yes" : "no" };
}

/** Whether selecting one option can be a complete answer. */
function takesOne({ select }: Ask): boolean {
  return (select?.min ?? 1) <= 1;
}

function isTextAsk({ form }: Ask): boolean {
  const [only, ...others] = form?.fields ?? [];
  return only?.key === "value" && (only.type === "textarea" || only.type === "text") && others.length === 0;
}

/** The ask has neither form nor schema, so any JSON is a valid answer. */
function isOpen(ask: Ask): boolean {
  return ask.form === undefined && ask.responseSchema === undefined;
}

export type ReadValue = { readonly answer: Answer } | { readonly wrong: "choice" | "text" };

/** Reads an OpenIntent value as an answer; its meaning depends on the ask. */
export function readValue(value: Json, ask: Ask): ReadValue {
  switch (ask.type) {
    case "selection":
      return readSelection(value, ask);
    case "confirmation":
      if (value === "yes") return { answer: { action: "confirm", data: {} } };
      return value === "no" ? { answer: { action: "cancel", data: {} } } : { wrong: "choice" };
    case "input":
      return readInput(value, ask);
    default: {
      const known = actionsOf(ask).some(({ id }) => id === value);
      return known ? { answer: { action: value as string, data: {} } } : { wrong: "choice" };
    }
  }
}

function readSelection(value: Json, ask: Ask): ReadValue {
  if (!takesOne(ask))
    return { answer: { action: "select", data: isObject(value) ? value : { selected: value } } };
  const known = (ask.options ?? []).some(({ id }) => id === value);
  return known ? { answer: { action: "select", data: { selected: [value] } } } : { wrong: "choice" };
}

function readInput(value: Json, ask: Ask): ReadValue {
  if (isTextAsk(ask)) {
    return isText(value) ? { answer: { action: "submit", data: { value } } } : { wrong: "text" };
  }
  if (isOpen(ask)) return { answer: openAnswer(value) };
  return { answer: { action: "submit", data: isObject(value) ? value : { value } } };
}

/** The answer to an ask that accepts any JSON. */
export function openAnswer(value: Json): Answer {
  return { action: "submit", data: isObject(value) && !isWrapped(value) ? value : { value } };
}

/** An object whose only member is `value` looks like a wrapped value, so it is wrapped itself. */
function isWrapped(data: JsonObject): boolean {
  return Object.keys(data).length === 1 && Object.hasOwn(data, "value");
}

export interface SaidAnswer {
  readonly value: Json;
  /** Answer data that the value cannot express. */
  readonly rest: JsonObject;
}

export function sayAnswer({ action, data }: Answer, ask: Ask): SaidAnswer {
  switch (ask.type) {
    case "selection": {
      if (!takesOne(ask)) return { value: data, rest: {} };
      const { selected = [], ...rest } = data;
      return {
        value: Array.isArray(selected) && selected.length === 1 ? (selected[0] as Json) : selected,
        rest,
      };
    }
    case "confirmation":
      return { value: action === "confirm" ? "yes" : "no", rest: data };
    case "input":
      return { value: sayInput(data, ask), rest: {} };
    default:
      return { value: action, rest: data };
  }
}

function sayInput(data: JsonObject, ask: Ask): Json {
  const asOne = isTextAsk(ask) || (isOpen(ask) ? isWrapped(data) : asksForOne(ask));
  return asOne ? (member(data, "value") ?? null) : data;
}

function asksForOne({ responseSchema }: Ask): boolean {
  return responseSchema !== undefined && asksForValue(responseSchema);
}
