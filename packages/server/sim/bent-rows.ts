/** Rows as a server with a bug would write them. */

import type { Changes, Put } from "../src/store/port.ts";

type Body = Readonly<Record<string, unknown>>;

export function changed(put: Put, change: (body: Body) => Body): Put {
  return put.key.kind === "hold" && put.body !== null ? { ...put, body: change({ ...put.body }) } : put;
}

export function flipOutcome(body: Body): Body {
  const outcome = body["outcome"] as { action?: string } | undefined;
  if (outcome?.action !== "approve") return body;
  return { ...body, outcome: { ...outcome, action: "reject" } };
}

export function forgetRungs(body: Body): Body {
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
export function loseVote(body: Body): Body {
  const { decision, votes = [] } = body as Ruled;
  const isDecided = (body["outcome"] as { kind?: string } | undefined)?.kind === "decided";
  return decision !== undefined && isDecided ? { ...body, votes: votes.slice(1) } : body;
}

/** The hold was decided, and people can decide it once more. */
export function reopen(body: Body): Body {
  const { outcome, ...rest } = body;
  return (outcome as { kind?: string } | undefined)?.kind === "decided" ? { ...rest, status: "open" } : body;
}

/** Whoever takes a hold or writes about it has decided it. */
export function decideTouched({ puts, timers, ...changes }: Changes): Changes {
  const ended: Changes["timers"][number][] = [];
  const decided = puts.map((put) =>
    changed(put, (body) => {
      const { status, assignee, comments = [] } = body as Touched;
      const name = assignee ?? comments[0]?.by.name;
      if (status !== "open" || name === undefined) return body;
      ended.push({ key: put.key, dueAt: null });
      const by = { kind: "key", id: `env:operator:${name}`, name };
      const outcome = {
        ...{ kind: "decided", action: "approve", data: {}, by, door: "rest", at: body["createdAt"] },
      };
      return { ...body, status: "decided", outcome };
    }),
  );
  return { ...changes, puts: decided, timers: [...timers, ...ended] };
}

interface Touched {
  readonly status?: string;
  readonly assignee?: string;
  readonly comments?: readonly { readonly by: { readonly name?: string } }[];
}

export function answerForAnother(body: Body): Body {
  const outcome = body["outcome"] as { kind?: string; by?: Body } | undefined;
  if (outcome?.kind !== "decided") return body;
  return { ...body, outcome: { ...outcome, by: { ...outcome.by, name: "vera" } } };
}

/** The asker's own name is on the answer. */
export function answerOneself(body: Body): Body {
  const outcome = body["outcome"] as { kind?: string; by?: Body } | undefined;
  if (outcome?.kind !== "decided") return body;
  return { ...body, outcome: { ...outcome, by: { ...outcome.by, name: body["createdBy"] } } };
}

/** What was executed and reported can be claimed again. */
export function forgetRun(body: Body): Body {
  const { claim, ...rest } = body as Body & { readonly claim?: { readonly state: string } };
  return claim === undefined || claim.state === "claimed" ? body : rest;
}

/** People see another call than the one that was checked and runs. */
export function hideCall(body: Body): Body {
  const ask = body["ask"] as { readonly prompt: string; readonly context?: Body } | null;
  if (ask === null || !ask.prompt.startsWith("Allow ")) return body;
  return { ...body, ask: { ...ask, context: { ...ask.context, arguments: { amount: 0 } } } };
}

/** What one person pressed in a chat counts for the other. */
export function pressForAnother(body: Body): Body {
  const outcome = body["outcome"] as { door?: string; by?: Body } | undefined;
  if (outcome?.door !== "channel") return body;
  const name = outcome.by?.["name"] === "vera" ? "root" : "vera";
  return { ...body, outcome: { ...outcome, by: { ...outcome.by, name } } };
}

/** An answer that may have arrived at the agent behind the proxy, or not, is sent there once more. */
export function releaseAgain({ puts, timers, ...changes }: Changes): Changes {
  const again: Changes["timers"][number][] = [];
  const resent = puts.map((put): Put => {
    const body: Body = { ...put.body };
    if (put.key.kind !== "release" || !/^(?:unknown|failed)$/.test(String(body["state"]))) return put;
    const dueAt = Number(body["changedAt"]) + 1_000;
    again.push({ key: put.key, dueAt });
    return { ...put, body: { ...body, state: "pending", dueAt } };
  });
  return { ...changes, puts: resent, timers: [...timers, ...again] };
}

/** A question of an agent behind the proxy. */
export function approveRejected(body: Body): Body {
  const outcome = body["outcome"] as { action?: string } | undefined;
  return body["groupId"] === undefined || outcome?.action !== "reject"
    ? body
    : { ...body, outcome: { ...outcome, action: "approve" } };
}

export function repeatVote(body: Body): Body {
  const { votes = [] } = body as Ruled;
  return votes.length === 0 ? body : { ...body, votes: [...votes, votes[0]] };
}

export function voteExcluded(body: Body): Body {
  const { decision, votes = [] } = body as Ruled;
  const [person] = decision?.excluded ?? [];
  const [first, ...others] = votes;
  return person === undefined || first === undefined
    ? body
    : { ...body, votes: [{ ...first, person }, ...others] };
}

export function creditSomebody(body: Body): Body {
  const outcome = body["outcome"] as { kind?: string } | undefined;
  if (outcome?.kind !== "expired") return body;
  return { ...body, outcome: { ...outcome, by: { kind: "key", id: "key_ada", name: "ada" } } };
}

export function swapQuestion(body: Body): Body {
  const ask = body["ask"] as Body | null;
  return ask === null ? body : { ...body, ask: { ...ask, prompt: "Something harmless?" } };
}

export function forgeLink(put: Put): Put {
  if (put.key.kind !== "link" || put.body === null) return put;
  return { ...put, body: { ...put.body, givenTo: "people", recipient: "ada" } };
}
