/** Whether one value fits one field of a form: first its type and format, then the bounds its author set. */

import { readDate, readMoment } from "./date.ts";
import { FILE_UPLOAD, isFileRef, NO_FILE } from "./file-ref.ts";
import { FIELD_TYPES, type Field, type FieldType } from "./form.ts";
import type { Json } from "./json.ts";
import type { Judge } from "./judge.ts";

/** What is wrong with a value, before anyone knows where it stands. */
export interface Flaw {
  readonly rule: string;
  readonly message: string;
}

type KnownFieldType = (typeof FIELD_TYPES)[number];
type TypeCheck = (value: Json, field: Field) => Flaw | null;

/** An empty string and null are how forms and JSON say "nothing was entered". */
export function isGiven(value: Json | undefined): value is Json {
  return value !== undefined && value !== null && value !== "";
}

export function isKnownFieldType(type: FieldType): type is KnownFieldType {
  return (FIELD_TYPES as readonly string[]).includes(type);
}

const wrongType = (message: string): Flaw => ({ rule: "type", message });

const isText: TypeCheck = (value) => (typeof value === "string" ? null : wrongType("must be text"));

const isNumber: TypeCheck = (value) =>
  typeof value === "number" && Number.isFinite(value) ? null : wrongType("must be a number");

function textWith(rule: string, fits: (text: string) => boolean, message: string): TypeCheck {
  return (value) => {
    if (typeof value !== "string") return wrongType("must be text");
    return fits(value) ? null : { rule, message };
  };
}

const TYPE_CHECKS: Readonly<Record<KnownFieldType, TypeCheck>> = {
  text: isText,
  textarea: isText,
  number: isNumber,
  range: isNumber,
  boolean: (value) => (typeof value === "boolean" ? null : wrongType("must be yes or no (true or false)")),
  date: textWith("date", (text) => readDate(text) !== null, "must be a date: YYYY-MM-DD"),
  email: textWith("email", isEmail, "must be an e-mail address"),
  url: textWith("url", isWebUrl, "must be a web address that starts with http:// or https://"),
  select: (value, field) => {
    if (typeof value !== "string") return wrongType("must be the value of one option");
    return optionValues(field).has(value) ? null : { rule: "option", message: "must be one of the options" };
  },
  multiselect: (value, field) => {
    if (!Array.isArray(value)) return wrongType("must be a list of option values");
    const options = optionValues(field);
    if (!value.every((item) => options.has(item))) {
      return { rule: "option", message: "must hold only values of the options" };
    }
    return new Set(value).size === value.length
      ? null
      : { rule: "unique", message: "must name no option twice" };
  },
};

function optionValues(field: Field): ReadonlySet<Json> {
  return new Set(field.options?.map((option) => option.value));
}

const EMAIL_LENGTH_MAX = 320;
const MAILBOX = /^[\w.!#$%&'*+/=?^`{|}~-]+$/;
const HOST_LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** As strict as a browser's e-mail input, so that page and server agree. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1 || text.length > EMAIL_LENGTH_MAX) return false;
  return (
    MAILBOX.test(text.slice(0, at)) &&
    text
      .slice(at + 1)
      .split(".")
      .every((label) => HOST_LABEL.test(label))
  );
}

function isWebUrl(text: string): boolean {
  // The URL parser silently removes blanks; what is stored must be what was checked.
  return /^https?:\/\//i.test(text) && !/\s/.test(text) && URL.canParse(text);
}

/** Types of others (`x-*`) are theirs to check, but for files: any value goes. */
export function typeFlaw(field: Field, value: Json): Flaw | null {
  if (field.type === FILE_UPLOAD) return isFileRef(value) ? null : { rule: "file", message: NO_FILE };
  return isKnownFieldType(field.type) ? TYPE_CHECKS[field.type](value, field) : null;
}

export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

const RANGE_MIN = 0;
const RANGE_MAX = 100;

/** The least and the greatest value, as numbers; of dates in epoch milliseconds. A slider always has both. */
export function boundsOf(field: Field): Bounds {
  const slider = field.type === "range";
  const min = readBound(field, field.validation?.min) ?? (slider ? RANGE_MIN : null);
  const max = readBound(field, field.validation?.max) ?? (slider ? RANGE_MAX : null);
  return { ...(min !== null && { min }), ...(max !== null && { max }) };
}

/** A bound as its author wrote it, or null when it is none for this type. */
export function readBound(field: Field, bound: number | string | undefined): number | null {
  if (field.type === "date") return readMoment(bound);
  return typeof bound === "number" && Number.isFinite(bound) ? bound : null;
}

/** Everything wrong with a value that was given; a value of the wrong type is not measured. */
export function valueFlaws(field: Field, value: Json, judge: Judge): readonly Flaw[] {
  const type = typeFlaw(field, value);
  if (type !== null) return [type];
  if (field.type === "date") return dateFlaws(field, value as string);
  if (typeof value === "number") return boundFlaws(value, boundsOf(field), String);
  return typeof value === "string" ? textFlaws(field, value, judge) : [];
}

function dateFlaws(field: Field, value: string): readonly Flaw[] {
  return boundFlaws(Date.parse(value), boundsOf(field), (at) => new Date(at).toISOString().slice(0, 10));
}

function boundFlaws(value: number, { min, max }: Bounds, show: (bound: number) => string): readonly Flaw[] {
  if (min !== undefined && value < min) return [{ rule: "min", message: `must be at least ${show(min)}` }];
  if (max !== undefined && value > max) return [{ rule: "max", message: `must be at most ${show(max)}` }];
  return [];
}

function textFlaws(field: Field, value: string, judge: Judge): readonly Flaw[] {
  const { minLength, maxLength, pattern } = field.validation ?? {};
  const length = codePoints(value);
  if (minLength !== undefined && length < minLength) {
    return [{ rule: "minLength", message: `must have at least ${minLength} characters` }];
  }
  // A text that is too long is not put to the pattern: the bound also bounds that work.
  if (maxLength !== undefined && length > maxLength) {
    return [{ rule: "maxLength", message: `must have at most ${maxLength} characters` }];
  }
  if (pattern === undefined) return [];
  const matches = judge.pattern(pattern);
  if (typeof matches === "string") return [{ rule: "pattern", message: matches }];
  return matches(value) ? [] : [{ rule: "pattern", message: "must have the requested format" }];
}

/** What a person counts as characters is nearer to code points than to UTF-16 units. */
function codePoints(text: string): number {
  return text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, "_").length;
}
