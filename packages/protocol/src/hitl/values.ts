/** The single values that the protocol's objects are made of, as schemas. */

import * as z from "zod";
import { ASK_TYPES } from "../rules/ask.ts";
import type { Json } from "../rules/json.ts";
import {
  CASE_ID,
  EXTENSION,
  fitsLength,
  hasLength,
  isDateTime,
  isEmail,
  isSafeUrl,
  isUri,
  SAFE_URL,
} from "./formats.ts";

export const CaseId = z.string().regex(CASE_ID);

export const Moment = z
  .string()
  .refine(isDateTime, "Invalid moment: expected RFC 3339")
  .meta({ format: "date-time" });

export const Uri = z.string().refine(isUri, "Invalid URI").meta({ format: "uri" });

export const SafeUrl = z
  .string()
  .refine(isSafeUrl, "Invalid URL: expected https, or http on localhost or 127.0.0.1")
  .meta({ format: "uri", pattern: SAFE_URL.source });

export const Email = z.string().refine(isEmail, "Invalid e-mail address").meta({ format: "email" });

/** Members that belong to somebody else, so any JSON value will do. */
export const AnyJson = z.custom<Json>((value) => value !== undefined);

const Extension = z.string().regex(EXTENSION);

/** One of the protocol's words, or a word of one's own that starts with `x-`. */
export function wordOrExtension<const Word extends string>(words: readonly Word[]) {
  return z.union([z.enum(words), Extension as z.ZodType<`x-${string}`, `x-${string}`>]);
}

export const ReviewType = wordOrExtension(ASK_TYPES);

export function textUpTo(most: number) {
  return z
    .string()
    .refine((text) => fitsLength(text, most), `Too long: expected at most ${most} characters`)
    .meta({ maxLength: most });
}

export function textFrom(least: number) {
  return z
    .string()
    .refine((text) => hasLength(text, least), `Too short: expected at least ${least} characters`)
    .meta({ minLength: least });
}

/** JSON Schema's integer: any number without a fraction, also beyond what JavaScript counts exactly. */
export function integerFrom(least: number) {
  return z
    .number()
    .refine(Number.isInteger, "Invalid number: expected an integer")
    .min(least)
    .meta({ type: "integer" });
}
