/** Bugs put in on purpose. A checker that does not notice its canary is no checker. */

import type { Changes, Put } from "../src/store/port.ts";
import type { Random } from "./random.ts";

export const SABOTAGES = ["lie", "overwrite", "refire", "drop_message", "leak", "forget_timer"] as const;
export type Sabotage = (typeof SABOTAGES)[number];

/** What the store writes instead of what it was given; `null`: nothing, while saying it did. */
export function sabotaged(kind: Sabotage | undefined, changes: Changes, random: Random): Changes | null {
  switch (kind) {
    case "lie":
      return random.chance(0.1) ? null : changes;
    case "overwrite":
      return { ...changes, puts: changes.puts.map((put) => changed(put, flipOutcome)) };
    case "refire":
      // Now and then only: a rung that reaches nobody brings the next one forward, so a server that forgot every rung would never rest.
      return random.chance(0.3)
        ? { ...changes, puts: changes.puts.map((put) => changed(put, forgetRungs)) }
        : changes;
    case "drop_message":
      return { ...changes, outbox: [] };
    case "forget_timer":
      return { ...changes, timers: changes.timers.map(({ key }) => ({ key, dueAt: null })) };
    case "leak":
      return {
        ...changes,
        events: changes.events.map((event) => ({ ...event, actor: "key:test-key-of-agent" })),
      };
    default:
      return changes;
  }
}

type Body = Readonly<Record<string, unknown>>;

function changed(put: Put, change: (body: Body) => Body): Put {
  return put.key.kind === "hold" && put.body !== null ? { ...put, body: change({ ...put.body }) } : put;
}

function flipOutcome(body: Body): Body {
  const outcome = body["outcome"] as { action?: string } | undefined;
  if (outcome?.action !== "approve") return body;
  return { ...body, outcome: { ...outcome, action: "reject" } };
}

function forgetRungs(body: Body): Body {
  if (body["status"] !== "open") return body;
  const rungs = (body["rungs"] as readonly Record<string, unknown>[]).map(
    ({ state: _state, ...rung }) => rung,
  );
  return { ...body, rungs };
}
