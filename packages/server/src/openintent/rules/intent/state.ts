/** Patches an intent's state. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { must } from "../../../kernel/must.ts";
import { type Failure, failure } from "../failure.ts";
import type { Draft } from "../world.ts";
import { adopt } from "./adopt.ts";
import { cancelInLog } from "./cancel.ts";
import type { PatchState } from "./commands.ts";
import { whyNotWrite } from "./governance.ts";
import { type Intent, SUSPENDED } from "./intent.ts";
import { append, begin, type IntentLog, nextVersion } from "./intent-log.ts";
import { whyLeased } from "./leases.ts";
import { applyPatches, type Patch } from "./patch.ts";
import { whyStale } from "./stale.ts";
import { whyLogFull } from "./suspension-log.ts";
import { type SuspensionPatch, splitPatches, suspensionPatchOf } from "./suspension-patch.ts";
import { actorOf, whyNot } from "./who.ts";

export function patchState(command: PatchState, intent: Intent, draft: Draft, context: Context): Reply {
  const { by, patches, ifVersion } = command;
  const { now } = context;
  const denied =
    whyNot(intent, by, "write", now) ??
    whyStale(intent, ifVersion) ??
    whyLeased(intent, patches, actorOf(by)) ??
    whyNotWrite(intent, by, draft, now);
  if (denied !== null) return refuse(denied);
  const { own, onSuspension } = splitPatches(patches);
  const suspensionPatch: SuspensionPatch =
    onSuspension.length === 0 ? { kind: "nothing" } : suspensionPatchOf(intent, onSuspension, draft);
  if ("code" in suspensionPatch) return refuse(suspensionPatch);
  const full =
    suspensionPatch.kind === "record" ? whyLogFull(intent, idOf(suspensionPatch.record), draft) : null;
  if (full !== null) return refuse(full);
  if (own.length === 0 && suspensionPatch.kind === "nothing") return accept(intent.id);
  const patched = applyPatches(intent.state, own);
  if ("problems" in patched)
    return refuse(failure("invalid_patch", "the patch cannot be applied to the state", patched));

  const written = { ...withSuspensionPatch(intent, suspensionPatch), state: patched.state };
  const quoted = quotedBy(suspensionPatch, intent);
  // Where the record stays as it is, only the other patches are logged: nobody asked anything in this one.
  const logged = quoted === undefined ? own : patches;
  const intentLog = logPatched(nextVersion(begin(written, draft, now, by)), logged, quoted);
  const ended = carryOut(intentLog, suspensionPatch, command, context);
  return "code" in ended ? refuse(ended) : accept(intent.id);
}

function withSuspensionPatch(intent: Intent, suspensionPatch: Exclude<SuspensionPatch, Failure>): Intent {
  const { pending: _before, ...rest } = intent;
  if (suspensionPatch.kind === "record") return { ...rest, pending: suspensionPatch.record };
  return suspensionPatch.kind === "removed" ? rest : intent;
}

/** The suspension whose record the patch changes. The patch quotes it, so it is stored with that suspension. */
function quotedBy(patch: Exclude<SuspensionPatch, Failure>, before: Intent): string | undefined {
  switch (patch.kind) {
    case "nothing":
      return undefined;
    case "record":
      return idOf(patch.record);
    case "removed":
      return idOf(must(before.pending, "the record that a patch removes"));
    case "cancelled":
      return must(before.suspension, "the suspension that a patch cancels").id;
  }
}

function idOf(record: JsonObject): string {
  return record["id"] as string;
}

function logPatched(
  intentLog: IntentLog,
  patches: readonly Patch[],
  keptWith: string | undefined,
): IntentLog {
  const { version } = intentLog.intent;
  return append(intentLog, {
    type: "state_patched",
    payload: { patches: patches.map((patch) => ({ ...patch })), version },
    ...(keptWith === undefined ? {} : { keptWith }),
  });
}

function carryOut(
  intentLog: IntentLog,
  suspensionPatch: Exclude<SuspensionPatch, Failure>,
  command: PatchState,
  context: Context,
): IntentLog | Failure {
  const { by, made } = command;
  if (suspensionPatch.kind === "cancelled") return cancelInLog(intentLog, by);
  if (suspensionPatch.kind !== "record" || intentLog.intent.status !== SUSPENDED) return intentLog;
  const adopted = adopt(intentLog, suspensionPatch.record, by, made, context);
  return "code" in adopted ? adopted : adopted.intentLog;
}
