/**
 * Writes that touch `_suspension`. Before a question is adopted its record is the agent's own; afterwards it is what a person
 * sees or has answered, and no patch changes either (G12). Saying the same again is not a change.
 */

import { isObject, type Json, type JsonObject, member, sameJson } from "@holdpoint/protocol/rules";
import type { Hold } from "../../../kernel/hold/hold.ts";
import { type Failure, failure } from "../failure.ts";
import type { World } from "../world.ts";
import { type Intent, openSuspension, type SuspensionRef } from "./intent.ts";
import { applyPatches, namesOf, type Patch } from "./patch.ts";
import { readRecord } from "./record.ts";
import { suspensionOf, writtenRecord } from "./suspension.ts";

const RECORD = "_suspension";
const HISTORY = "_suspension_history";

export interface Parted {
  /** For the state itself. */
  readonly own: readonly Patch[];
  /** For what the server shows there. */
  readonly touching: readonly Patch[];
}

/** A patch of the whole state is both. */
export function partPatches(patches: readonly Patch[]): Parted {
  const own: Patch[] = [];
  const touching: Patch[] = [];
  for (const patch of patches) {
    const [first] = namesOf(patch.path);
    if (first === RECORD || first === HISTORY) touching.push(patch);
    else if (first === undefined && patch.op === "set" && isObject(patch.value ?? null)) {
      const { [RECORD]: record, [HISTORY]: _shown, ...rest } = patch.value as JsonObject;
      own.push({ ...patch, value: rest });
      touching.push(
        record === undefined ? { op: "remove", path: RECORD } : { op: "set", path: RECORD, value: record },
      );
    } else own.push(patch);
  }
  return { own, touching };
}

/** Ids that a write names as a suspension's, before anybody knows whether they are. */
export function recordIdsIn(patches: readonly Patch[]): readonly string[] {
  return partPatches(patches).touching.flatMap(({ path, value }) => {
    const id =
      namesOf(path).length === 1 && isObject(value ?? null) ? member(value as JsonObject, "id") : undefined;
    return typeof id === "string" ? [id] : [];
  });
}

export type Touch =
  /** Nothing would be different. */
  | { readonly kind: "nothing" }
  | { readonly kind: "record"; readonly record: JsonObject }
  | { readonly kind: "removed" }
  | { readonly kind: "cancelled" }
  | Failure;

export function touchOf(intent: Intent, touching: readonly Patch[], world: World): Touch {
  if (touching.some(({ path }) => namesOf(path)[0] === HISTORY)) return immutable();
  const ref = intent.suspension;
  const hold = ref === undefined ? undefined : world.get("hold", ref.holdId);
  const isShown = intent.pending === undefined && ref !== undefined && hold !== undefined;
  const shown = isShown ? shownAs(intent, ref, hold) : [];
  const now = intent.pending ?? shown[0];
  const patched = applyPatches(now === undefined ? {} : { [RECORD]: now }, touching);
  if ("problems" in patched) return failure("invalid_patch", "the patch cannot be applied", patched);
  const wanted = member(patched.state, RECORD);
  if (sameJson(wanted ?? null, now ?? null)) return { kind: "nothing" };
  if (shown.length === 0) return ownRecord(wanted);
  return touchShown(intent, shown, wanted);
}

/** The record in every form in which it may come back unchanged. */
function shownAs(intent: Intent, ref: SuspensionRef, hold: Hold): readonly JsonObject[] {
  const written = openSuspension(intent) === undefined ? undefined : writtenRecord(hold);
  return [
    suspensionOf(hold, ref, true),
    suspensionOf(hold, ref, false),
    ...(written === undefined ? [] : [written]),
  ];
}

function ownRecord(wanted: Json | undefined): Touch {
  if (wanted === undefined || wanted === null) return { kind: "removed" };
  const read = readRecord(wanted, "lenient");
  return "problems" in read
    ? failure("invalid_record", "the suspension record cannot be used", read)
    : { kind: "record", record: read.record };
}

function touchShown(intent: Intent, shown: readonly JsonObject[], wanted: Json | undefined): Touch {
  if (!isObject(wanted ?? null)) return immutable();
  const given = wanted as JsonObject;
  if (isAny(shown, withoutNulls(given))) return { kind: "nothing" };
  if (openSuspension(intent) !== undefined) {
    const { resolution, ...rest } = given;
    return resolution === "cancelled" && isAny(shown, withoutNulls(rest))
      ? { kind: "cancelled" }
      : immutable();
  }
  return given["id"] === intent.suspension?.id ? immutable() : ownRecord(given);
}

function isAny(shown: readonly JsonObject[], given: JsonObject): boolean {
  return shown.some((record) => sameJson(withoutNulls(record), given));
}

function withoutNulls(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

function immutable(): Failure {
  return failure(
    "suspension_immutable",
    "what was asked and answered cannot be changed by writing to the state",
  );
}
