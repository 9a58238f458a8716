/**
 * The inputs a phase needs before an agent may start on it. The phase's state says where each input comes from: `phase.key`
 * is another phase's output; `$trigger.key` and `$initial_state.key` are values in the phase's own state.
 */

import { type JsonObject, member } from "@holdpoint/protocol/rules";
import { type Failure, failure } from "../failure.ts";
import { type Intent, openSuspension, SUSPENDED } from "../intent/intent.ts";
import { wireTime } from "../intent/wire-time.ts";
import type { Need, World } from "../world.ts";
import { firstFew, objectIn, phaseNameOf } from "./phases.ts";

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

/** Whether the output of an intent is an input of this phase. */
export function wiringOf(phase: Intent): (producer: Intent) => boolean {
  const sources = Object.values(inputsOf(phase)).map(sourceOf);
  const phases = new Set(sources.map((source) => (source?.kind === "phase" ? source.phase : undefined)));
  return (producer) => phases.has(phaseNameOf(producer, phase)) || phases.has(producer.title);
}

/** The phases it takes input from, and the holds of those that are suspended, whose expiry the error reports. */
export function inputNeeds(intent: Intent, world: World): readonly Need[] {
  if (Object.keys(inputsOf(intent)).length === 0) return [];
  return intent.dependsOn.flatMap((id): readonly Need[] => {
    const upstream = world.get("intent", id);
    const open = upstream === undefined ? undefined : openSuspension(upstream);
    const self: Need = { kind: "intent", id, read: true };
    return open === undefined ? [self] : [self, { kind: "hold", id: open.holdId, read: true }];
  });
}

/** Checked when an agent starts a phase. `taskId` is the agent's task, or the intent's id where there is no task. */
export function whyNoInputs(intent: Intent, taskId: string, world: World): Failure | null {
  const inputs = Object.entries(inputsOf(intent));
  if (inputs.length === 0) return null;
  const upstream = intent.dependsOn
    .map((id) => world.get("intent", id))
    .filter((other) => other !== undefined);
  const isWired = wiringOf(intent);
  const suspended = upstream.find((other) => other.status === SUSPENDED && isWired(other));
  if (suspended !== undefined) return whySuspended(intent, suspended, taskId, world);
  const producers = byPhase(intent, upstream);
  const unresolvable = inputs.flatMap(([name, reference]) =>
    isThere(sourceOf(reference), intent, producers)
      ? []
      : [typeof reference === "string" ? reference : `${name}: ${JSON.stringify(reference)}`],
  );
  if (unresolvable.length === 0) return null;
  const { names, text } = firstFew(unresolvable);
  return failure("UnresolvableInputError", `declared inputs cannot be resolved: ${text}`, {
    detail: { task_id: taskId, phase_name: phaseNameOf(intent), unresolvable_refs: names },
  });
}

/** The producer of an input is suspended, so its output may still change. */
function whySuspended(intent: Intent, producer: Intent, taskId: string, world: World): Failure {
  const open = openSuspension(producer);
  const expiresAt = open === undefined ? undefined : world.get("hold", open.holdId)?.expiresAt;
  const phase = phaseNameOf(producer, intent);
  return failure("UpstreamIntentSuspendedError", `the phase ${phase} is suspended and waits for a person`, {
    detail: {
      reason: "upstream_intent_suspended",
      task_id: taskId,
      phase_name: phase,
      suspended_intent_id: producer.id,
      expected_resume_at: expiresAt === undefined ? null : wireTime(expiresAt),
    },
  });
}

/** By the name of their phase and by their title; the first dependency of a name counts. */
function byPhase(intent: Intent, upstream: readonly Intent[]): ReadonlyMap<string, Intent> {
  const found = new Map<string, Intent>();
  for (const other of upstream) {
    for (const name of [phaseNameOf(other, intent), other.title]) {
      if (!found.has(name)) found.set(name, other);
    }
  }
  return found;
}

function isThere(source: Source | null, intent: Intent, producers: ReadonlyMap<string, Intent>): boolean {
  if (source === null) return false;
  if (source.kind === "static") return isSet(intent.state, source.key);
  const producer = producers.get(source.phase);
  return producer?.status === "completed" && member(producer.state, source.key) !== undefined;
}

function isSet(state: JsonObject, key: string): boolean {
  return (member(state, key) ?? null) !== null;
}
