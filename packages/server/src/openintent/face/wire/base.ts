/** The small types the other wire files are made of. What clients send beyond what is declared is let pass. */

import { OpenObject } from "@holdpoint/protocol";
import { isObject, type Json } from "@holdpoint/protocol/rules";
import * as z from "zod";
import { readTime } from "../../rules/intent/wire-time.ts";

export const Id = z.string().min(1).max(200);
export const Name = z.string().min(1).max(200);
export const Text = z.string().max(20_000);

/** Any JSON at all. */
export const AnyJson = z.custom<Json>((value) => value !== undefined, "Invalid input: expected a value");

/** What the server writes: UTC with milliseconds and an offset in digits. */
export const TimeOut = z.string().meta({ format: "date-time", examples: ["2026-03-01T09:30:00.000+00:00"] });

/** What clients write; without an offset it is UTC. */
export const TimeIn = z
  .string()
  .refine((text) => readTime(text) !== null, "Invalid time: expected ISO 8601")
  .meta({ format: "date-time" });

/** A JSON object whose members belong to somebody else. */
export const Open = OpenObject;

/** The protocol's own texts once had a list here, so both are kept as they come. */
export const Constraints = z
  .custom<Json>((value) => isObject(value) || Array.isArray(value), "Invalid input: expected object")
  .meta({ type: "object" });

export const IntentParams = z.strictObject({ id: Id });

export const IfMatch = z.strictObject({
  "if-match": z.string().exactOptional().describe('The version that was read: `3`, `"3"` or `W/"3"`.'),
});
