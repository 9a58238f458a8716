/** Values on their way into a store and out of it. */

import type { Json } from "@holdpoint/protocol/rules";

/** JSON as it is stored: what `JSON.stringify` drops is gone. */
export function asJson(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value) ?? "null") as Json);
}

/** What an adapter reads back from where only the adapter itself writes. */
export function readBack<Value>(stored: unknown): Value {
  return stored as Value;
}
