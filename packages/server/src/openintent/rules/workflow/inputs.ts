/**
 * What a phase needs before somebody takes it up. Its state says where each input comes from: `phase.key` for another
 * phase's output, `$trigger.key` or `$initial_state.key` for what it was begun with, which stands in its own state.
 */

import { type JsonObject, member } from "@holdpoint/protocol/rules";
import { type Failure, failure } from "../failure.ts";
import { type Intent, openSuspension, SUSPENDED } from "../intent/intent.ts";
import { wireTime } from "../intent/wire-time.ts";
import type { Need, World } from "../world.ts";
import { objectIn, phaseNameOf } from "./phases.ts";

type Source =
  | { readonly kind: "static"; readonly key: string }
  | { readonly kind: "phase"; readonly phase: string; readonly key: string };

const STATIC = /^\$(?:trigger|initial_state)\.(.+)$/s;
const WIRED = /^([^.$][^.]*)\.(.+)$/s;

function sourceOf(reference: unknown): Source | null {
  if (typeof reference !== "string") return null;
  const begun = STATIC.exec(reference)?.[1];
  if (begun !== undefined) return { kind: "static", key: begun };
  const wired = WIRED.exec(reference);
  return wired === null ? null : { kind: "phase", phase: wired[1] as string, key: wired[2] as string };
}

function inputsOf({ state }: Intent): JsonObject {
  return objectIn(state, "_io_inputs");
}

/** Phases whose output this one is wired to. */
export function wiredPhases(intent: Intent): ReadonlySet<string> {
  const sources = Object.values(inputsOf(intent)).map(sourceOf);
  return new Set(sources.flatMap((source) => (source?.kind === "phase" ? [source.phase] : [])));
}

export function isWiredTo(dependent: Intent, producer: Intent): boolean {
  const phases = wiredPhases(dependent);
  return phases.has(phaseNameOf(producer, dependent)) || phases.has(producer.title);
}

/** The phases it could draw from, and when those that wait for a person will be answered at the latest. */
export function inputNeeds(intent: Intent, world: World): readonly Need[] {
  if (Object.keys(inputsOf(intent)).length === 0) return [];
  return intent.dependsOn.flatMap((id): readonly Need[] => {
    const upstream = world.get("intent", id);
    const open = upstream === undefined ? undefined : openSuspension(upstream);
    const self: Need = { kind: "intent", id, read: true };
    return open === undefined ? [self] : [self, { kind: "hold", id: open.holdId, read: true }];
  });
}

/** Asked of whoever takes a phase up; `taskId` is theirs, or the intent's own where there is no task. */
export function whyNoInputs(intent: Intent, taskId: string, world: World): Failure | null {
  const inputs = Object.values(inputsOf(intent));
  if (inputs.length === 0) return null;
  const upstream = intent.dependsOn
    .map((id) => world.get("intent", id))
    .filter((other) => other !== undefined);
  const suspended = upstream.find((other) => other.status === SUSPENDED && isWiredTo(intent, other));
  if (suspended !== undefined) return whySuspended(intent, suspended, taskId, world);
  const unresolvable = Object.entries(inputsOf(intent)).flatMap(([name, reference]) =>
    isThere(sourceOf(reference), intent, upstream)
      ? []
      : [typeof reference === "string" ? reference : `${name}: ${JSON.stringify(reference)}`],
  );
  if (unresolvable.length === 0) return null;
  return failure("UnresolvableInputError", `declared inputs cannot be resolved: ${unresolvable.join(", ")}`, {
    detail: { task_id: taskId, phase_name: phaseNameOf(intent), unresolvable_refs: unresolvable },
  });
}

/** Whoever produces an input waits for a person: whatever it has written so far may still change. */
function whySuspended(intent: Intent, producer: Intent, taskId: string, world: World): Failure {
  const open = openSuspension(producer);
  const expiresAt = open === undefined ? undefined : world.get("hold", open.holdId)?.expiresAt;
  const phase = phaseNameOf(producer, intent);
  return failure("UpstreamIntentSuspendedError", `the phase ${phase} waits for a person`, {
    detail: {
      reason: "upstream_intent_suspended",
      task_id: taskId,
      phase_name: phase,
      suspended_intent_id: producer.id,
      expected_resume_at: expiresAt === undefined ? null : wireTime(expiresAt),
    },
  });
}

function isThere(source: Source | null, intent: Intent, upstream: readonly Intent[]): boolean {
  if (source === null) return false;
  if (source.kind === "static") return isSet(intent.state, source.key);
  const producer = upstream.find(
    (other) => phaseNameOf(other, intent) === source.phase || other.title === source.phase,
  );
  return producer?.status === "completed" && member(producer.state, source.key) !== undefined;
}

function isSet(state: JsonObject, key: string): boolean {
  return (member(state, key) ?? null) !== null;
}
