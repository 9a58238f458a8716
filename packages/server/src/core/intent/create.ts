/** A new intent. Whoever makes it owns it: its access list cannot lock them out. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { Need, World } from "../world.ts";
import type { CreateIntent } from "./commands.ts";
import type { Intent } from "./intent.ts";
import { whyTooMuch } from "./patch.ts";
import { readRecord } from "./record.ts";
import { begin, moveTo, tell } from "./story.ts";
import { actorOf, may } from "./who.ts";

export function createNeeds({ intent }: CreateIntent): readonly Need[] {
  const others = [...intent.dependsOn, ...(intent.parentId === undefined ? [] : [intent.parentId])];
  return [
    { kind: "intent", id: intent.id },
    { kind: "workspace", id: "settings", read: true },
    ...others.map((id) => ({ kind: "intent", id, read: true }) as const),
  ];
}

export function createIntent(command: CreateIntent, world: World, { now }: Context): Decision {
  const { by, status } = command;
  if (by.role === "auditor") return refuse(refusal("not_allowed", "the role auditor only reads"));
  if (status !== undefined && status !== "draft" && status !== "active") {
    const detail = { from: "draft", to: status };
    return refuse(refusal("invalid_transition", "an intent begins as a draft or active", { detail }));
  }
  const wrong = whyUnknown(command, world, now) ?? whyTooLarge(command);
  if (wrong !== null) return refuse(wrong);
  const split = splitState(command.intent.state);
  if ("code" in split) return refuse(split);
  const intent: Intent = {
    ...command.intent,
    ...split,
    createdBy: actorOf(by),
    createdAt: now,
    updatedAt: now,
    status: "draft",
    version: 1,
    history: [],
    leases: [],
    agents: [],
    failures: 0,
    watchers: [],
    logged: 0,
    checkpointed: 0,
  };
  const { title, createdBy: created_by } = intent;
  const story = tell(begin(intent, world, now, by), {
    type: "intent_created",
    payload: { title, created_by, status: "draft", version: 1 },
  });
  return accept("intent", intent.id, (status === "active" ? moveTo(story, "active") : story).facts);
}

/** What the server shows under the state is not part of it; a record written there waits for the status. */
function splitState(state: Intent["state"]): Pick<Intent, "state" | "pending"> | Refusal {
  const { _suspension: written, _suspension_history: _shown, ...rest } = state;
  if (written === undefined || written === null) return { state: rest };
  const read = readRecord(written, "lenient");
  if ("problems" in read) return refusal("invalid_record", "the suspension record cannot be used", read);
  return { state: rest, pending: read.record };
}

function whyTooLarge({ intent }: CreateIntent): Refusal | null {
  const wrong = whyTooMuch(intent.state);
  return wrong === null ? null : refusal("invalid_patch", "the state is too much", wrong);
}

/** An intent that the caller may not read does not exist for it. */
function whyUnknown({ intent, by }: CreateIntent, world: World, now: number): Refusal | null {
  const knows = (id: string) => {
    const other = world.get("intent", id);
    return other !== undefined && may(other, by, "read", now);
  };
  if (intent.parentId !== undefined && !knows(intent.parentId)) {
    return refusal("unknown_dependency", "the parent intent is not there");
  }
  return intent.dependsOn.every(knows) ? null : refusal("unknown_dependency", "a dependency is not there");
}
