/** What a phase's agent is handed. Whether everything is there is asked before it begins, and who still asks a person first. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import type { Intent } from "../types.ts";
import { inputSource, type Phase } from "./definition.ts";
import { UnresolvableInputError, UpstreamIntentSuspendedError } from "./errors.ts";

type Upstream = Pick<Intent, "id" | "status" | "state">;

/** The intents of a run, by phase. */
export type Phases = ReadonlyMap<string, Upstream>;

/** Throws why a phase cannot be taken up yet; resolves to its inputs otherwise. */
export function validateClaimInputs(
  phase: Phase,
  taskId: string,
  state: JsonObject,
  phases: Phases,
): JsonObject {
  const wired = Object.values(phase.inputs).map(inputSource);
  for (const source of wired) {
    const producer = source?.kind === "phase" ? phases.get(source.phase) : undefined;
    if (source?.kind === "phase" && producer?.status === "suspended_awaiting_input") {
      throw new UpstreamIntentSuspendedError(taskId, source.phase, producer.id, resumesAt(producer));
    }
  }
  const resolved = Object.entries(phase.inputs).map(
    ([name, reference]) => [name, reference, resolve(reference, state, phases)] as const,
  );
  const missing = resolved.filter(([, , value]) => value === undefined).map(([, reference]) => reference);
  if (missing.length > 0) throw new UnresolvableInputError(taskId, phase.name, missing);
  return Object.fromEntries(resolved.map(([name, , value]) => [name, value as Json]));
}

function resolve(reference: string, state: JsonObject, phases: Phases): Json | undefined {
  const source = inputSource(reference);
  if (source === null) return undefined;
  if (source.kind === "static") return state[source.key] ?? undefined;
  const producer = phases.get(source.phase);
  return producer?.status === "completed" && Object.hasOwn(producer.state, source.key)
    ? producer.state[source.key]
    : undefined;
}

function resumesAt({ state }: Upstream): string | null {
  const suspension = state["_suspension"] as { readonly expires_at?: unknown } | undefined;
  return typeof suspension?.expires_at === "string" ? suspension.expires_at : null;
}
