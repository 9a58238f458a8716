/** Random histories of a store: steps that every implementation can run, and what it returned. */

import fc from "fast-check";
import type { EntityKey } from "../../kernel/entity.ts";
import type { OutboxRow } from "../../kernel/record.ts";
import type { Changes, Store } from "../port.ts";
import { event, holdBody, key, message, put, readAll } from "./fixture.ts";

const workspace = fc.constantFrom("default", "acme");
const id = fc.constantFrom("a", "b", "c", "é", "\u{1F600}");
const value = fc.option(fc.constantFrom("v1", "v2"), { nil: undefined });
const entityKey = fc
  .record({ workspace, id, kind: fc.constantFrom("hold", "group", "person") })
  .map(({ workspace, id, kind }) => key(id, kind, workspace));

const body = fc.record({
  status: fc.constantFrom("open", "decided", "expired"),
  creator: fc.constantFrom("bot", "other\u0000bot"),
  createdAt: fc.integer({ min: 0, max: 100_000 }),
  thread: value,
  intent: value,
  group: value,
  previous: value,
  hold: value,
  ask: fc.constantFrom(
    null,
    { prompt: "Pay?" },
    { prompt: "Ship?", type: "approval", context: { tool: "ship" } },
  ),
  assignee: value,
  openedAt: fc.constantFrom(undefined, 7),
  expiresAt: fc.constantFrom(undefined, 1, 2),
  key: value,
});

const change = fc.record({
  puts: fc.array(
    fc.record({
      key: entityKey,
      body: fc.option(body),
      /** Mostly the stored version; a wrong one must fail in the same way everywhere. */
      lag: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1),
      by: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 4 },
  ),
  events: fc.array(fc.record({ stream: id, workspace, lag: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1) }), {
    maxLength: 3,
  }),
  timers: fc.array(fc.record({ key: entityKey, dueAt: fc.option(fc.integer({ min: 0, max: 5 })) }), {
    maxLength: 3,
  }),
  outbox: fc.array(
    fc.record({
      id: fc.integer({ min: 10, max: 60 }).map(String),
      workspace,
      holdId: fc.option(id),
      endpoint: fc.constantFrom("hooks", "mail"),
      dueAt: fc.integer({ min: 0, max: 5 }),
    }),
    { maxLength: 2 },
  ),
});

export type Step =
  | { readonly kind: "commit"; readonly change: typeof change extends fc.Arbitrary<infer C> ? C : never }
  | { readonly kind: "claim"; readonly now: number; readonly limit: number }
  | {
      readonly kind: "settle";
      readonly pick: number;
      readonly state: OutboxRow["state"];
      readonly dueAt: number;
    };

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("commit" as const), change }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("claim" as const),
        now: fc.integer({ min: 0, max: 20 }),
        limit: fc.integer({ min: 1, max: 3 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("settle" as const),
        pick: fc.nat(),
        state: fc.constantFrom("waiting" as const, "sent" as const, "failed" as const, "no_channel" as const),
        dueAt: fc.integer({ min: 0, max: 20 }),
      }),
    },
  ),
  { minLength: 1, maxLength: 25 },
);

/** Runs the steps on a store; returns its replies and everything that can be read from it at the end. */
export async function play(store: Store, history: readonly Step[]): Promise<unknown> {
  const answers: unknown[] = [];
  const claimed: OutboxRow[] = [];
  for (const step of history) {
    switch (step.kind) {
      case "commit":
        answers.push(await tryCommit(store, step.change));
        break;
      case "claim": {
        const rows = await store.claimOutbox(step.now, 5, step.limit);
        claimed.push(...rows);
        answers.push(rows);
        break;
      }
      case "settle": {
        const row = claimed[step.pick % Math.max(1, claimed.length)];
        const dueAt = step.state === "waiting" ? step.dueAt : null;
        const attempts = [{ at: step.dueAt, ok: step.state === "sent", durationMs: 1 }];
        if (row !== undefined)
          answers.push(await store.settleOutbox({ ...row, state: step.state, dueAt, attempts }, 0));
      }
    }
  }
  return { answers, lists: await readLists(store), all: await readAll(store, ["default", "acme"]) };
}

type Change = Extract<Step, { kind: "commit" }>["change"];

async function tryCommit(store: Store, change: Change): Promise<unknown> {
  const batch = await store.begin();
  const versions = new Map<string, number>();
  const version = async (at: EntityKey) => {
    const name = `${at.workspace}/${at.kind}/${at.id}`;
    return versions.get(name) ?? (await batch.load([at]))[0]?.version ?? 0;
  };
  const puts = [];
  for (const { key: at, body, lag, by } of change.puts) {
    const expected = Math.max(0, (await version(at)) - lag);
    puts.push(
      put(at, expected, body === null ? null : holdBody(body), {
        version: expected + by,
        seq: by,
        head: `${by}`,
      }),
    );
    versions.set(`${at.workspace}/${at.kind}/${at.id}`, body === null ? 0 : expected + by);
  }
  const events = [];
  const seqs = new Map<string, number>();
  for (const { stream, workspace, lag } of change.events) {
    const name = `${workspace}/${stream}`;
    const stored = await batch.events({ workspace, stream, after: 0, limit: 1000 });
    const seq = Math.max(1, (seqs.get(name) ?? stored.length) + 1 - lag);
    seqs.set(name, seq);
    events.push(event(stream, seq, { workspace, audience: lag === 0 ? "bot" : null }));
  }
  const changes: Changes = {
    puts,
    events,
    timers: change.timers,
    outbox: change.outbox.map((row) => message(row.id, row)),
  };
  return batch.commit(changes).then(
    ({ positions }) => positions,
    (error: Error) => (error.name === "VersionConflict" ? "conflict" : "refused"),
  );
}

const HOLD_LISTS = [
  ["status", "open"],
  ["status", "decided"],
  ["creator", "bot"],
  ["creator", "other\u0000bot"],
  ["creator_status", "bot\u0000open"],
  ["creator_status", "other\u0000bot\u0000decided"],
  ["thread", "v1"],
  ["intent", "v1"],
  ["group", "v2"],
  ["previous", "v2"],
] as const;

async function readLists(store: Store): Promise<unknown> {
  const found: unknown[] = [];
  for (const workspace of ["default", "acme"]) {
    for (const newestFirst of [true, false]) {
      const holds = { workspace, kind: "hold", newestFirst, limit: 2 } as const;
      found.push(await store.query(holds), await store.query({ ...holds, after: "b" }));
      for (const [name, value] of HOLD_LISTS)
        found.push(await store.query({ ...holds, index: { name, value } }));
      found.push(await store.query({ ...holds, kind: "group", index: { name: "thread", value: "v1" } }));
      found.push(await store.query({ ...holds, kind: "group", prefix: "a" }));
    }
    found.push(await store.searchHolds({ workspace, text: "pay", limit: 3 }));
    found.push(await store.searchHolds({ workspace, text: "V1", limit: 3, status: "open" }));
    found.push(await store.outbox({ workspace, limit: 5, state: "failed" }));
    found.push(await store.outbox({ workspace, limit: 5, holdId: "a" }));
    found.push(await store.events({ workspace, stream: "a", after: 0, limit: 5 }));
    found.push(await store.events({ workspace, audience: "bot", after: 2, limit: 5 }));
  }
  found.push(await store.nextTimerAt(), await store.nextOutboxAt(), await store.lastPosition());
  return found;
}
