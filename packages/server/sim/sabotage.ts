/** Bugs put in on purpose. A checker that does not notice its canary is no checker. */

import type { Changes, Put } from "../src/store/port.ts";
import type { Random } from "./random.ts";

/** Each with the checker that must notice it; empty: any of them. */
export const SABOTAGES = {
  lie: "acknowledged",
  overwrite: "",
  refire: "timers",
  drop_message: "messages",
  leak: "",
  forget_timer: "",
  decide_below: "votes",
  decide_twice: "once",
  count_twice: "votes",
  count_excluded: "votes",
  rewrite: "chains",
  credit: "",
  forge_link: "",
  swap_question: "",
} as const;
export type Sabotage = keyof typeof SABOTAGES;

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
    case "decide_below":
      return { ...changes, puts: changes.puts.map((put) => changed(put, loseVote)) };
    case "decide_twice":
      return random.chance(0.3)
        ? { ...changes, puts: changes.puts.map((put) => changed(put, reopen)) }
        : changes;
    case "count_twice":
      return { ...changes, puts: changes.puts.map((put) => changed(put, repeatVote)) };
    case "count_excluded":
      return { ...changes, puts: changes.puts.map((put) => changed(put, voteExcluded)) };
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

interface Ruled {
  readonly decision?: { readonly excluded: readonly string[] };
  readonly votes?: readonly Body[];
}

/** The hold was decided, and one vote fewer would have done. */
function loseVote(body: Body): Body {
  const { decision, votes = [] } = body as Ruled;
  const isDecided = (body["outcome"] as { kind?: string } | undefined)?.kind === "decided";
  return decision !== undefined && isDecided ? { ...body, votes: votes.slice(1) } : body;
}

/** The hold was decided, and people can decide it once more. */
function reopen(body: Body): Body {
  const { outcome, ...rest } = body;
  return (outcome as { kind?: string } | undefined)?.kind === "decided" ? { ...rest, status: "open" } : body;
}

function repeatVote(body: Body): Body {
  const { votes = [] } = body as Ruled;
  return votes.length === 0 ? body : { ...body, votes: [...votes, votes[0]] };
}

function voteExcluded(body: Body): Body {
  const { decision, votes = [] } = body as Ruled;
  const [person] = decision?.excluded ?? [];
  const [first, ...others] = votes;
  return person === undefined || first === undefined
    ? body
    : { ...body, votes: [{ ...first, person }, ...others] };
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
