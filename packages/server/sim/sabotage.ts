/** Bugs put in on purpose. A checker that does not notice its canary is no checker. */

import type { Changes, Put } from "../src/store/port.ts";
import type { Random } from "./random.ts";

/** Each breaks one guarantee. G6 to G8, G10, G11, G13 and G14 are broken by no store: the workload tries them at the doors. */
export const SABOTAGES = [
  "overwrite", // G1
  "lie", // G2
  "refire", // G3
  "forget_timer", // G3
  "rewrite", // G4
  "credit", // G5
  "forge_link", // G7
  "leak", // G9
  "swap_question", // G12, G15
  "drop_message",
] as const;
export type Sabotage = (typeof SABOTAGES)[number];

/** What the store writes instead of what it was given; `null`: nothing, while saying it did. */
export function sabotaged(kind: Sabotage | undefined, changes: Changes, random: Random): Changes | null {
  switch (kind) {
    case "lie":
      return random.chance(0.1) ? null : changes;
    case "overwrite":
      return { ...changes, puts: changes.puts.map((put) => changed(put, flipOutcome)) };
    case "refire":
      return { ...changes, puts: changes.puts.map((put) => changed(put, forgetRungs)) };
    case "drop_message":
      return { ...changes, outbox: [] };
    case "forget_timer":
      return { ...changes, timers: changes.timers.map(({ key }) => ({ key, dueAt: null })) };
    case "rewrite":
      return {
        ...changes,
        events: changes.events.map((event) =>
          event.type === "hold.decided" ? { ...event, data: event.data.replace("approve", "reject") } : event,
        ),
      };
    case "credit":
      return { ...changes, puts: changes.puts.map((put) => changed(put, creditSomebody)) };
    case "swap_question":
      return { ...changes, puts: changes.puts.map((put) => changed(put, swapQuestion)) };
    case "forge_link":
      return { ...changes, puts: changes.puts.map(forgeLink) };
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

function creditSomebody(body: Body): Body {
  const outcome = body["outcome"] as { kind?: string } | undefined;
  if (outcome?.kind !== "expired") return body;
  return { ...body, outcome: { ...outcome, by: { kind: "key", id: "key_ada", name: "ada" } } };
}

function swapQuestion(body: Body): Body {
  const ask = body["ask"] as Body | null;
  return ask === null ? body : { ...body, ask: { ...ask, prompt: "Something harmless?" } };
}

function forgeLink(put: Put): Put {
  if (put.key.kind !== "link" || put.body === null) return put;
  return { ...put, body: { ...put.body, givenTo: "people", recipient: "ada" } };
}
