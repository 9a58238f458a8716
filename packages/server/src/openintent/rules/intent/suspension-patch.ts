/**
 * Patches that write to `_suspension`. Until the hold is placed, the record belongs to the agent. Afterwards it is what a
 * person sees or has answered, and no patch can change it (G12). Writing the same content again is not a change.
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

export interface SplitPatches {
  /** Patches of the state itself. */
  readonly own: readonly Patch[];
  /** Patches of `_suspension` and `_suspension_history`, which the server shows in the state. */
  readonly onSuspension: readonly Patch[];
}

/** A patch of the whole state is split into both. */
export function splitPatches(patches: readonly Patch[]): SplitPatches {
  const own: Patch[] = [];
  const onSuspension: Patch[] = [];
  for (const patch of patches) {
    const [first] = namesOf(patch.path);
    if (first === RECORD || first === HISTORY) onSuspension.push(patch);
    else if (first === undefined && patch.op === "set" && isObject(patch.value ?? null)) {
      const { [RECORD]: record, [HISTORY]: _shown, ...rest } = patch.value as JsonObject;
      own.push({ ...patch, value: rest });
      onSuspension.push(
        record === undefined ? { op: "remove", path: RECORD } : { op: "set", path: RECORD, value: record },
      );
    } else own.push(patch);
  }
  return { own, onSuspension };
}

/** Ids in a patch that may be suspension ids; they are loaded before that is known. */
export function recordIdsIn(patches: readonly Patch[]): readonly string[] {
  return splitPatches(patches).onSuspension.flatMap(({ path, value = null }) => {
    const [, ...within] = namesOf(path);
    const record = within.length === 0 && isObject(value) ? member(value, "id") : undefined;
    const id = within.length === 1 && within[0] === "id" ? value : record;
    return typeof id === "string" ? [id] : [];
  });
}

export type SuspensionPatch =
  /** No change. */
  | { readonly kind: "nothing" }
  | { readonly kind: "record"; readonly record: JsonObject }
  | { readonly kind: "removed" }
  | { readonly kind: "cancelled" }
  | Failure;

export function suspensionPatchOf(
  intent: Intent,
  onSuspension: readonly Patch[],
  world: World,
): SuspensionPatch {
  if (onSuspension.some(({ path }) => namesOf(path)[0] === HISTORY)) return immutable();
  const ref = intent.suspension;
  const hold = ref === undefined ? undefined : world.get("hold", ref.holdId);
  const isShown = intent.pending === undefined && ref !== undefined && hold !== undefined;
  const shown = isShown ? shownAs(intent, ref, hold) : [];
  const now = intent.pending ?? shown[0];
  const patched = applyPatches(now === undefined ? {} : { [RECORD]: now }, onSuspension);
  if ("problems" in patched)
    return failure("invalid_patch", "the patch cannot be applied to the suspension record", patched);
  const wanted = member(patched.state, RECORD);
  if (sameJson(wanted ?? null, now ?? null)) return { kind: "nothing" };
  if (shown.length === 0) return ownRecord(wanted);
  return patchShown(intent, shown, wanted);
}

/** The forms in which a client may have received the record and send it back unchanged. */
function shownAs(intent: Intent, ref: SuspensionRef, hold: Hold): readonly JsonObject[] {
  const written = openSuspension(intent) === undefined ? undefined : writtenRecord(hold);
  return [
    suspensionOf(hold, ref, true),
    suspensionOf(hold, ref, false),
    ...(written === undefined ? [] : [written]),
  ];
}

function ownRecord(wanted: Json | undefined): SuspensionPatch {
  if (wanted === undefined || wanted === null) return { kind: "removed" };
  const read = readRecord(wanted, "lenient");
  return "problems" in read
    ? failure("invalid_record", "the suspension record is not valid", read)
    : { kind: "record", record: read.record };
}

function patchShown(intent: Intent, shown: readonly JsonObject[], wanted: Json | undefined): SuspensionPatch {
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
    "the ask and the answer of a suspension cannot be changed by a state patch",
  );
}
