/**
 * What a plain HTML form sends, read back into an answer. Strings become what their place wants; what cannot be
 * converted stays a string, so that `checkAnswer` names the problem. Names that mean nothing here are left out: pages add
 * their own.
 *
 * | ask          | names of the inputs                                                                    |
 * |--------------|----------------------------------------------------------------------------------------|
 * | any          | `_action` (a submit button); also `action`, unless a field of the form has that key     |
 * | with a form  | each field's key; multiselect repeats; an absent boolean is an unchecked box            |
 * | approval     | `feedback`, `note`; `edits` and, with approve, `edited_args` as JSON text               |
 * | selection    | `selected` (repeats), `note`                                                           |
 * | confirmation | `confirmed_items` (repeats), `note`                                                    |
 * | escalation   | `reason`, `note`, `modified_params` as JSON text                                       |
 * | input, x-*   | without a form: `value`, or `data` as JSON text                                        |
 * | files        | a field's key, or `_file` and the JSON pointer of a schema's place: the file's name as JSON |
 */

import type { Ask } from "./ask.ts";
import { FILE_UPLOAD } from "./file-ref.ts";
import { type Field, type Form, fieldsOf } from "./form.ts";
import { ACTION_INPUT, FILE_INPUT } from "./form-inputs.ts";
import { isDeeperThan, isObject, type Json, type JsonObject, member } from "./json.ts";
import { asksForValue } from "./schema-hints.ts";

export interface FormPost {
  readonly action?: string;
  readonly data: JsonObject;
}

type Values = (name: string) => readonly string[];
type Entry = readonly [string, Json];

export function readFormPost(ask: Ask, pairs: Iterable<readonly [string, string]>): FormPost {
  const byName = new Map<string, string[]>();
  for (const [name, text] of pairs) {
    // Browsers send line ends as CRLF, whatever was typed.
    const value = text.replaceAll("\r\n", "\n");
    const sent = byName.get(name);
    if (sent === undefined) byName.set(name, [value]);
    else sent.push(value);
  }
  const values: Values = (name) => byName.get(name) ?? [];
  const action = readAction(ask.form, values);
  const given = readData(ask, action, values);
  const data = ask.form === undefined ? withFiles(given, byName) : given;
  return action === undefined ? { data } : { action, data };
}

function readAction(form: Form | undefined, values: Values): string | undefined {
  const taken = form !== undefined && fieldsOf(form).some((field) => field.key === "action");
  return values(ACTION_INPUT).at(-1) ?? (taken ? undefined : values("action").at(-1));
}

function readData(ask: Ask, action: string | undefined, values: Values): JsonObject {
  switch (ask.type) {
    case "approval": {
      // The page's one form sends its arguments with every button; only approving gives them a meaning.
      const json = action === "approve" ? ["edits", "edited_args"] : ["edits"];
      return Object.fromEntries([...textEntries(["feedback", "note"], values), ...jsonEntries(json, values)]);
    }
    case "selection":
      return Object.fromEntries([...listEntries("selected", values), ...textEntries(["note"], values)]);
    case "confirmation":
      return Object.fromEntries([
        ...(action === "confirm" ? tickedEntries : listEntries)("confirmed_items", values),
        ...textEntries(["note"], values),
      ]);
    case "escalation":
      return Object.fromEntries([
        ...textEntries(["reason", "note"], values),
        ...jsonEntries(["modified_params"], values),
      ]);
    default:
      return ask.form === undefined ? readOpen(ask.responseSchema, values) : readFields(ask.form, values);
  }
}

/** Files that were sent beside the text of an answer, put where they were asked for. */
function withFiles(data: JsonObject, sent: ReadonlyMap<string, readonly string[]>): JsonObject {
  let whole = data;
  for (const [name, texts] of sent) {
    const text = texts.at(-1) as string;
    if (!name.startsWith(`${FILE_INPUT}/`) || text === "") continue;
    const path = name.slice(FILE_INPUT.length + 1).split("/", JSON_DEPTH_MAX + 1);
    // No schema asks for a file so deep, and each level of the name is a call and a copy (G13).
    if (path.length > JSON_DEPTH_MAX) continue;
    whole = put(
      whole,
      path.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")),
      readJson(text),
    );
  }
  return whole;
}

function put(into: Json | undefined, path: readonly string[], value: Json): JsonObject {
  const [name, ...rest] = path as readonly [string, ...string[]];
  const object = isObject(into) ? into : {};
  return { ...object, [name]: rest.length === 0 ? value : put(member(object, name), rest, value) };
}

function textEntries(names: readonly string[], values: Values): readonly Entry[] {
  return names.flatMap((name): Entry[] => {
    const text = values(name).at(-1) ?? "";
    return text === "" ? [] : [[name, text]];
  });
}

function jsonEntries(names: readonly string[], values: Values): readonly Entry[] {
  return names.flatMap((name): Entry[] => {
    const text = values(name).at(-1) ?? "";
    return text.trim() === "" ? [] : [[name, readJson(text)]];
  });
}

function listEntries(name: string, values: Values): readonly Entry[] {
  const chosen = values(name).filter((text) => text !== "");
  return chosen.length === 0 ? [] : [[name, chosen]];
}

/** Pages with boxes send an empty text besides, because no box ticked must not read as an answer without boxes (G14). */
function tickedEntries(name: string, values: Values): readonly Entry[] {
  const sent = values(name);
  return sent.length === 0 ? [] : [[name, sent.filter((text) => text !== "")]];
}

/** JSON inside a form's text passes by the depth check that request bodies go through, so it has its own. */
const JSON_DEPTH_MAX = 64;

function readJson(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return isDeeperThan(value, JSON_DEPTH_MAX) ? text : value;
  } catch {
    return text;
  }
}

function readOpen(schema: JsonObject | undefined, values: Values): JsonObject {
  const whole = values("data").at(-1) ?? "";
  if (whole.trim() !== "") {
    const data = readJson(whole);
    return isObject(data) ? data : { value: data };
  }
  const text = values("value").at(-1);
  if (text === undefined) return {};
  const wantsText = schema === undefined || !asksForValue(schema) || member(schema, "type") === "string";
  return { value: wantsText ? text : readJson(text) };
}

function readFields(form: Form, values: Values): JsonObject {
  return Object.fromEntries(
    fieldsOf(form).flatMap((field): Entry[] => {
      const value = readField(field, values(field.key));
      return value === undefined ? [] : [[field.key, value]];
    }),
  );
}

/** Only a dot lets digits follow digits: two repetitions side by side would take quadratic time on a long text (G13). */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const YES: ReadonlySet<string> = new Set(["on", "true", "yes", "1"]);
const NO: ReadonlySet<string> = new Set(["off", "false", "no", "0", ""]);

function readField(field: Field, sent: readonly string[]): Json | undefined {
  const last = sent.at(-1);
  switch (field.type) {
    case "multiselect":
      return sent.filter((text) => text !== "");
    case "boolean":
      return readBoolean(last ?? "");
    case "number":
    case "range":
      return last !== undefined && DECIMAL.test(last.trim()) ? Number(last) : last;
    case FILE_UPLOAD:
      return last === undefined || last === "" ? undefined : readJson(last);
    default:
      return last;
  }
}

function readBoolean(text: string): Json {
  if (YES.has(text)) return true;
  return NO.has(text) ? false : text;
}
