/** The small types the other wire files are made of. Members that are not declared are accepted. */

import { OpenObject } from "@holdpoint/protocol";
import { isObject, type Json } from "@holdpoint/protocol/rules";
import * as z from "zod";
import { readTime } from "../../rules/intent/wire-time.ts";

export const Id = z.string().min(1).max(200);
export const Name = z.string().min(1).max(200);
export const Text = z.string().max(20_000);

/** Any JSON value. */
export const AnyJson = z.custom<Json>((value) => value !== undefined, "Invalid input: expected a value");

/** A time as the server writes it: UTC, with milliseconds and a numeric offset. */
export const TimeOut = z.string().meta({ format: "date-time", examples: ["2026-03-01T09:30:00.000+00:00"] });

/** A time as clients write it; without an offset it is in UTC. */
export const TimeIn = z
  .string()
  .refine((text) => readTime(text) !== null, "Invalid time: expected ISO 8601")
  .meta({ format: "date-time" });

/** A JSON object whose members the client chooses. */
export const Open = OpenObject;

/** Earlier versions of the protocol had a list here, so a list and an object are both stored as they were sent. */
export const Constraints = z
  .custom<Json>((value) => isObject(value) || Array.isArray(value), "Invalid input: expected object")
  .meta({ type: "object" });

export const IntentParams = z.strictObject({ id: Id });

export const IfMatch = z.strictObject({
  "if-match": z.string().exactOptional().describe('The version that was read: `3`, `"3"` or `W/"3"`.'),
});
