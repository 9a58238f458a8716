/** The small types the other wire files are made of. */

import * as z from "zod";
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

/** `90s`, `30m`, `2h`, `3d` or an ISO 8601 duration of weeks, days and smaller. */
export const Duration = z
  .string()
  .max(64)
  .regex(
    /^(?:\d+[smhd]|P(?!$)(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d{1,3})?S)?)?)$/,
    "Invalid duration: expected <n>s, <n>m, <n>h, <n>d or ISO 8601",
  );

export const Id = z.string().min(1).max(200);

/** The form a list takes in our types: nobody may write to what came over the wire. */
export function list<Item extends z.ZodType>(
  item: Item,
  limits: { readonly min?: number; readonly max?: number } = {},
): z.ZodType<readonly z.infer<Item>[], readonly z.input<Item>[]> {
  let array = z.array(item);
  if (limits.min !== undefined) array = array.min(limits.min);
  if (limits.max !== undefined) array = array.max(limits.max);
  return array as unknown as z.ZodType<readonly z.infer<Item>[], readonly z.input<Item>[]>;
}
