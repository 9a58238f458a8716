/**
 * How a phase ends well. Every step can be done again: by a run that goes on where another one stopped, or by two runs at
 * once, of which the first to complete the phase decides what it brought.
 */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import type { OpenIntentClient } from "../client.ts";
import { ConflictError, OpenIntentError } from "../errors.ts";
import type { Intent } from "../types.ts";
import type { Phase } from "./definition.ts";
import { asWorkflowError } from "./errors.ts";
import type { PhaseRun } from "./phases.ts";

/** What it brought is written where the next phase looks for it, then task and intent are complete. */
export async function finish(
  run: PhaseRun,
  output: JsonObject,
  client: OpenIntentClient,
): Promise<JsonObject> {
  try {
    const patches = Object.entries(output).map(([key, value]) => ({
      op: "set" as const,
      path: pointer(key),
      value,
    }));
    if (patches.length > 0) {
      const { status } = await write(run, client, ({ id, version }) =>
        client.patchState(id, version, patches),
      );
      if (status === "completed") return await complete(run, client);
    }
    await completeTask(run, output, client);
    return { ...output, ...(await complete(run, client)) };
  } catch (error) {
    throw asWorkflowError(error);
  }
}

/** Another run may have been first. */
async function completeTask(
  { taskId }: PhaseRun,
  output: JsonObject,
  client: OpenIntentClient,
): Promise<void> {
  try {
    const call = { body: { output }, repeatable: true };
    await client.transport.call("POST", `/tasks/${taskId}/complete`, call);
  } catch (error) {
    const task = await client.transport.call<{ status: string }>("GET", `/tasks/${taskId}`);
    if (!(error instanceof ConflictError) || task.status !== "completed") throw error;
  }
}

/** The intent of a phase whose task is done. */
export async function complete(run: PhaseRun, client: OpenIntentClient): Promise<JsonObject> {
  const intent = await write(run, client, ({ id, version }) => client.setStatus(id, version, "completed"));
  return outputsOf(run.phase, intent);
}

const UNSURE_MAX = 4;

/** Again while others write too, or a reply was lost; what is completed stays as it is. */
async function write(
  { intentId }: PhaseRun,
  client: OpenIntentClient,
  change: (intent: Intent) => Promise<Intent>,
): Promise<Intent> {
  for (let unsure = 0; ; ) {
    const intent = await client.getIntent(intentId);
    if (intent.status === "completed") return intent;
    try {
      return await change(intent);
    } catch (error) {
      const isStale = error instanceof ConflictError && error.currentVersion !== undefined;
      // No answer at all: the next look says whether it happened.
      if (!(error instanceof OpenIntentError)) unsure += 1;
      else if (!isStale) throw error;
      if (unsure > UNSURE_MAX) throw error;
    }
  }
}

export function outputsOf({ outputs }: Phase, { state }: Intent): JsonObject {
  const there = Object.keys(outputs).filter((key) => Object.hasOwn(state, key));
  return Object.fromEntries(there.map((key) => [key, state[key] as Json]));
}

function pointer(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
