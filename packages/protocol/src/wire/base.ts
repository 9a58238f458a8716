/** The small types the other wire files are made of. */

import * as z from "zod";
import { parseDuration } from "../rules/duration.ts";
import { isObject, type JsonObject } from "../rules/json.ts";

/**
 * A JSON object whose members belong to somebody else: context, data, schemas, metadata. It is passed on as it came,
 * never copied or renamed.
 */
export const OpenObject = z
  .custom<JsonObject>(isObject, "Invalid input: expected object")
  .meta({ type: "object" });

/** RFC 3339. Any offset is read; what the server writes is UTC with milliseconds. */
export const Time = z.iso.datetime({ offset: true });

/** What counts as a duration is said once, by the rules. */
export const Duration = z
  .string()
  .refine(
    (text) => parseDuration(text) !== null,
    "Invalid duration: expected <n>s, <n>m, <n>h, <n>d or ISO 8601",
  )
  .meta({ examples: ["90s", "30m", "2h", "7d", "PT24H"] });

export const Id = z.string().min(1).max(200);

/** The form a list takes in our types: nobody may write to what came over the wire. */
export function list<Item extends z.ZodType>(
  item: Item,
  limits: { readonly min?: number; readonly max?: number } = {},
): z.ZodType<readonly z.infer<Item>[], readonly z.input<Item>[]> {
  let array = z.array(item);
  if (limits.min !== undefined) array = array.min(limits.min);
  if (limits.max !== undefined) array = array.max(limits.max);
  return array as z.ZodType<readonly z.infer<Item>[], readonly z.input<Item>[]>;
}

/**
 * A member that may be left out. Where many are, as in what a hold is placed with, Zod's own exact form makes an error for
 * each that is not there, only to drop it, on every request. This one accepts `undefined` too, which JSON cannot carry.
 */
export function maybe<Schema extends z.ZodType>(schema: Schema): z.ZodExactOptional<Schema> {
  return schema.optional() as z.ZodExactOptional<Schema>;
}
