/** Writing to an intent's state. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { Draft } from "../world.ts";
import { adopt } from "./adopt.ts";
import { cancelInLog } from "./cancel.ts";
import type { PatchState } from "./commands.ts";
import { type Intent, SUSPENDED } from "./intent.ts";
import { append, begin, type IntentLog, nextVersion } from "./intent-log.ts";
import { whyLeased } from "./leases.ts";
import { applyPatches } from "./patch.ts";
import { whyStale } from "./stale.ts";
import { partPatches, type Touch, touchOf } from "./suspension-patch.ts";
import { actorOf, whyNot } from "./who.ts";

export function patchState(command: PatchState, intent: Intent, draft: Draft, context: Context): Reply {
  const { by, patches, ifVersion } = command;
  const { now } = context;
  const denied =
    whyNot(intent, by, "write", now) ??
    whyStale(intent, ifVersion) ??
    whyLeased(intent, patches, actorOf(by));
  if (denied !== null) return refuse(denied);
  const { own, touching } = partPatches(patches);
  const touch: Touch = touching.length === 0 ? { kind: "nothing" } : touchOf(intent, touching, draft);
  if ("code" in touch) return refuse(touch);
  if (own.length === 0 && touch.kind === "nothing") return accept(intent.id);
  const patched = applyPatches(intent.state, own);
  if ("problems" in patched) return refuse(failure("invalid_patch", "the patch cannot be applied", patched));

  const written = { ...withTouch(intent, touch), state: patched.state };
  const intentLog = logPatched(nextVersion(begin(written, draft, now, by)), command, touch);
  const ended = carryOut(intentLog, touch, command, context);
  return "code" in ended ? refuse(ended) : accept(intent.id);
}

function withTouch(intent: Intent, touch: Exclude<Touch, Failure>): Intent {
  const { pending: _before, ...rest } = intent;
  if (touch.kind === "record") return { ...rest, pending: touch.record };
  return touch.kind === "removed" ? rest : intent;
}

/** Whatever quotes a question is kept with it. */
function logPatched(
  intentLog: IntentLog,
  { patches }: PatchState,
  touch: Exclude<Touch, Failure>,
): IntentLog {
  const { version, pending, suspension } = intentLog.intent;
  const { touching } = partPatches(patches);
  const id =
    touch.kind === "record"
      ? (touch.record["id"] as string)
      : ((pending?.["id"] as string | undefined) ?? suspension?.id);
  return append(intentLog, {
    type: "state_patched",
    payload: { patches: patches.map((patch) => ({ ...patch })), version },
    ...(touching.length === 0 || id === undefined ? {} : { keptWith: id }),
  });
}

function carryOut(
  intentLog: IntentLog,
  touch: Exclude<Touch, Failure>,
  command: PatchState,
  context: Context,
): IntentLog | Failure {
  const { by, made } = command;
  if (touch.kind === "cancelled") return cancelInLog(intentLog, by);
  if (touch.kind !== "record" || intentLog.intent.status !== SUSPENDED) return intentLog;
  const adopted = adopt(intentLog, touch.record, by, made, context);
  return "code" in adopted ? adopted : adopted.intentLog;
}
