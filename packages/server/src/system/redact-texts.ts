/** Redacts values rather than texts: whatever leaves the server as JSON or as a card goes through here (G9). */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import type { Redact } from "./redact.ts";

/** Every text in it, names of members included. A number that matches becomes text: a card number may be a JSON number. */
export async function redactTexts<T>(value: T, redact: Redact): Promise<T> {
  return redact.isIdle === true ? value : ((await redacted(value, redact)) as T);
}

async function redacted(value: unknown, redact: Redact): Promise<unknown> {
  if (typeof value === "string") return redact(value);
  if (typeof value === "number") {
    const clean = await redact(String(value));
    return clean === String(value) ? value : clean;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await redacted(item, redact));
    return items;
  }
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value))
    members.push([await redact(name), await redacted(member, redact)]);
  return Object.fromEntries(members);
}

/** A message of the server's: `own` are those of its members that the server made, such as ids, times and hashes. */
export interface Message {
  readonly said: JsonObject;
  readonly own: JsonObject;
}

/** A pattern for long tokens matches ids and hashes too. A message without them would be of no use, so they stay. */
export async function redactMessage({ said, own }: Message, redact: Redact): Promise<JsonObject> {
  return laidOver(await redactTexts(said, redact), own);
}

function laidOver(under: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...under };
  for (const [name, value] of Object.entries(over))
    merged[name] = isRecord(value) && isRecord(merged[name]) ? laidOver(merged[name], value) : value;
  return merged;
}

function isRecord(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
