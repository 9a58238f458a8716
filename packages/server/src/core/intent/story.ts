/**
 * One command's worth of an intent's history: entries told one after another, each with the intent as it is by then. What
 * several entries of one command say of the same suspension gathers here too.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Stated } from "../fact.ts";
import type { Ending } from "../portfolio/watch.ts";
import type { Principal } from "../principal.ts";
import type { Change, World } from "../world.ts";
import type { LogEntry } from "./facts.ts";
import { type Intent, type IntentStatus, type SuspensionLog, suspensionLogId } from "./intent.ts";
import { actorOf } from "./who.ts";

export interface Story {
  readonly intent: Intent;
  readonly facts: readonly Stated[];
  readonly at: number;
  readonly actor: string;
  readonly logs: ReadonlyMap<string, SuspensionLog>;
  readonly world: World;
}

export function begin(intent: Intent, world: World, at: number, by: Principal): Story {
  return { intent, facts: [], at, actor: actorOf(by), logs: new Map(), world };
}

/** A change that clients count: one version, however many entries follow. */
export function bump(story: Story): Story {
  const { intent, at } = story;
  return { ...story, intent: { ...intent, version: intent.version + 1, updatedAt: at } };
}

export interface Told extends LogEntry {
  /** What is different about the intent from here on. */
  readonly change?: Partial<Intent>;
  readonly also?: readonly Change[];
  /** Part of this suspension's own story, told once per name. */
  readonly tells?: { readonly suspensionId: string; readonly holdId: string; readonly as: string };
}

export function tell(story: Story, told: Told): Story {
  const { change, also = [], tells, ...entry } = told;
  const logged = story.intent.logged + 1;
  const intent: Intent = { ...story.intent, ...change, logged };
  const suspensionId = tells?.suspensionId ?? entry.keptWith;
  const kept = suspensionId === undefined ? undefined : keep(story, suspensionId, logged, told);
  const stated = state(intent, story, {
    type: "intent.told",
    intent,
    entry: suspensionId === undefined ? entry : { ...entry, keptWith: suspensionId },
    also: kept === undefined ? also : [...also, kept],
  });
  const logs = kept === undefined ? story.logs : new Map(story.logs).set(kept.id, kept.body);
  return { ...story, intent, facts: [...story.facts, stated], logs };
}

function keep(story: Story, suspensionId: string, seq: number, { payload, tells }: Told) {
  const id = suspensionLogId(story.intent.id, suspensionId);
  const before = story.logs.get(id) ?? story.world.get("suspension_log", id);
  const fresh = { intentId: story.intent.id, suspensionId, payloads: {}, told: {} };
  const log: SuspensionLog = before === undefined || before.erasedAt !== undefined ? fresh : before;
  const body: SuspensionLog = {
    ...log,
    payloads: { ...log.payloads, [seq]: payload },
    ...(tells === undefined ? {} : { holdId: tells.holdId, told: { ...log.told, [tells.as]: seq } }),
  };
  return { kind: "suspension_log", id, body } as const;
}

/** A change that nobody needs to read about. */
export function note(story: Story, change: Partial<Intent>, also: readonly Change[] = []): Story {
  const intent: Intent = { ...story.intent, ...change };
  const stated = state(intent, story, { type: "intent.noted", intent, also });
  return { ...story, intent, facts: [...story.facts, stated] };
}

function state(intent: Intent, { at, actor }: Story, fact: Stated["fact"]): Stated {
  return { kind: "intent", id: intent.id, fact, at, actor, audience: intent.createdBy };
}

/** Facts about other things, in their place in the story. */
export function weave(story: Story, facts: readonly Stated[]): Story {
  return { ...story, facts: [...story.facts, ...facts] };
}

export interface StatusWords {
  readonly reason?: string;
  /** More that the event says. */
  readonly payload?: JsonObject;
  readonly change?: Partial<Intent>;
  /** How the suspension ended, where this is its end. */
  readonly ending?: Ending;
}

/** The change alone; what follows from it is `moveTo`'s. Only who is blocked has something that blocks it. */
export function tellStatus(story: Story, to: IntentStatus, more: StatusWords = {}): Story {
  const { blockedBy: _before, ...intent } = story.intent;
  const from = intent.status;
  const { reason, payload = {} } = more;
  return tell(
    { ...story, intent },
    {
      type: "status_changed",
      payload: {
        from,
        to,
        status: to,
        old_status: from,
        new_status: to,
        version: intent.version,
        ...(reason === undefined ? {} : { reason }),
        ...payload,
      },
      change: { ...more.change, status: to },
    },
  );
}
