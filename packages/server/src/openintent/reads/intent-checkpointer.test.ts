import { describe, expect, it } from "vitest";
import { SEALS, TABLE } from "../../domains.ts";
import { Engine } from "../../engine/engine.ts";
import { contentDigest } from "../../engine/seal.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { systemIds } from "../../system/ids.ts";
import { createJudge } from "../../system/judge.ts";
import { intentBody } from "../../testing/intent-samples.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { type OpenIntentServer, openIntentServer, type Wire } from "../../testing/openintent.ts";
import { IntentCheckpointer } from "./intent-checkpointer.ts";
import { Intents } from "./intents.ts";

async function spans(oi: OpenIntentServer, id: string): Promise<readonly (readonly [number, number])[]> {
  const { body } = await oi.call("GET", `checkpoints?intent_id=${id}`);
  return body.map((each: Wire) => [each.first_sequence, each.last_sequence]);
}

function comment(oi: OpenIntentServer, id: string, times: number) {
  const body = { event_type: "comment", actor: "x" };
  return Promise.all(Array.from({ length: times }, () => oi.call("POST", `intents/${id}/events`, { body })));
}

describe("intent checkpoints", () => {
  it("J2 a checkpoint is made only after enough events or enough time", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ status: "draft" });
    await comment(oi, id, 98);
    await oi.test.clock.advance(0);
    expect(await spans(oi, id)).toEqual([]);
    await oi.test.clock.advance(300_000);
    expect(await spans(oi, id)).toEqual([[1, 99]]);
    expect(oi.test.log).toEqual([]);
  });

  it("J1 checkpoints follow each other without a gap, whether the timer or an admin makes them", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ status: "draft" });
    const make = () => oi.call("POST", "admin/checkpoints", { as: "dev", body: { intent_id: id } });
    for (let round = 0; round < 3; round += 1) {
      await comment(oi, id, 150);
      await oi.test.clock.advance(1);
      await Promise.all([make(), make()]);
    }
    await oi.test.clock.advance(300_000);
    const covered = await spans(oi, id);
    expect(covered[0]?.[0]).toBe(1);
    for (const [at, [first]] of covered.slice(1).entries()) expect(first).toBe((covered[at]?.[1] ?? 0) + 1);
    expect(covered.at(-1)?.[1]).toBe(451);
  });

  it("J1 events beyond the size of one Merkle tree go into the next checkpoint", async () => {
    const clock = new ManualClock();
    const store = new MemoryStore({ indexes: TABLE });
    const engine = new Engine({
      table: TABLE,
      seals: SEALS,
      store,
      clock,
      judge: createJudge(),
      digest: contentDigest,
    });
    const signer = { name: "did:key:test", sign: () => "signature" };
    const options = {
      engine,
      intents: new Intents(engine),
      signer,
      nextId: (now: number) => systemIds.next(now),
    };
    const checkpointer = new IntentCheckpointer({ ...options, everyEvents: 10_000, everyMs: 1_000 });
    const { id, title, description, dependsOn, constraints, state, confidence } = intentBody();
    const intent = { id, title, description, dependsOn, constraints, state, confidence };
    const by = { role: "agent", via: "key", id: "k", name: "refunder" } as const;
    await engine.run({ kind: "create_intent", workspace: "default", by, intent });
    const comment = {
      kind: "log_event",
      workspace: "default",
      by,
      intentId: id,
      type: "comment",
      payload: {},
    } as const;
    await Promise.all(Array.from({ length: 2_500 }, () => engine.run(comment)));
    await clock.advance(1_000);
    const kept = await store.query({ workspace: "default", kind: "intent_checkpoint", limit: 10 });
    const covered = kept
      .map(({ body }) => [body["firstSeq"], body["lastSeq"]])
      .toSorted((a, b) => Number(a[0]) - Number(b[0]));
    expect(covered).toEqual([
      [1, 1000],
      [1001, 2000],
      [2001, 2501],
    ]);
    await checkpointer.stop();
  });

  it("J1 two servers that sign the same events make only one checkpoint", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ status: "draft" });
    const { engine, intents, signer, nextId } = parts(oi);
    const others = [0, 1].map(() => new IntentCheckpointer({ engine, intents, signer, nextId }));
    await comment(oi, id, 20);
    const made = await Promise.all(others.map((each) => each.make("default", id)));
    expect(made.filter((each) => each !== undefined)).toHaveLength(1);
    expect(await spans(oi, id)).toEqual([[1, 21]]);
    for (const each of others) await each.stop();
  });

  it("J3 a starting server signs the events that another server left unsigned", async () => {
    const store = new MemoryStore({ indexes: TABLE });
    const clock = new ManualClock();
    const first = await openIntentServer({ store, clock });
    const { id } = await first.create({ status: "draft" });
    await first.test.server.timers.stop();
    await using second = await openIntentServer({ store, clock: new ManualClock({ startAt: clock.now() }) });
    expect(await spans(second, id)).toEqual([]);
    await second.test.clock.advance(300_000);
    expect(await spans(second, id)).toEqual([[1, 1]]);
  });

  it("a checkpointer reports a signing failure and does nothing after it is stopped", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ status: "draft" });
    const { engine, intents, nextId } = parts(oi);
    const faults: unknown[] = [];
    const broken = {
      name: "x",
      sign: () => {
        throw new Error("no key");
      },
    };
    const own = new IntentCheckpointer({
      engine,
      intents,
      signer: broken,
      nextId,
      everyEvents: 2,
      onFault: (fault) => faults.push(fault),
    });
    await comment(oi, id, 2);
    await oi.test.clock.advance(0);
    expect(faults).toHaveLength(1);
    await own.stop();
    await comment(oi, id, 5);
    expect(faults).toHaveLength(1);
    expect(await own.make("default", "none")).toBeUndefined();
  });
});

function parts(oi: OpenIntentServer) {
  const { engine, ids } = oi.test.server;
  const signer = { name: "did:key:test", sign: () => "signature" };
  return { engine, intents: new Intents(engine), signer, nextId: (now: number) => ids.next(now) };
}
