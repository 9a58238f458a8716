import { setImmediate as turn } from "node:timers/promises";
import type { Judge } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { DOMAINS } from "../domains.ts";
import { SYSTEM } from "../kernel/principal.ts";
import { Table } from "../kernel/table.ts";
import { VersionConflict } from "../store/port.ts";
import { ADMIN, AGENT, holdIn, OPERATOR, OTHER_AGENT, WORKSPACE } from "../testing/core-samples.ts";
import { testJudge } from "../testing/core-step.ts";
import { type EngineKit, engineKit } from "../testing/engine-kit.ts";
import { type Commit, EngineStopped } from "./engine.ts";

const place = (id: string, key?: string) =>
  ({
    kind: "place_hold",
    hold: holdIn({ id, salt: `salt-${id}`, ...(key === undefined ? {} : { key }) }),
  }) as const;
const answer = (holdId: string, action = "approve") =>
  ({ kind: "answer_hold", holdId, action, data: {}, door: "rest" }) as const;
const progress = (holdId: string) => ({ kind: "progress_hold", holdId }) as const;
const cancel = (holdId: string) => ({ kind: "cancel_hold", holdId }) as const;
const HOLD_KEY = { workspace: WORKSPACE, kind: "hold" } as const;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** The domains' table, with these commands as the ones that timers run. */
function tableWithTicks(tickOf: Table["tickOf"]): Table {
  return Object.assign(new Table(DOMAINS), { tickOf });
}

describe("E1: commands are decided one after another, and written together", () => {
  test("commands that arrive in the same event-loop turn are written in one commit", async () => {
    const { run, store } = engineKit();
    const results = await Promise.all(numbers(20).map((i) => run(place(`h${i}`))));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(store.commits).toHaveLength(1);
    expect(store.commits[0]?.events).toHaveLength(20);
  });

  test("commands that arrive while a commit is running are written in the next commit", async () => {
    const { run, store } = engineKit();
    const release = store.block("commit");
    const first = run(place("h0"));
    await turn();
    await turn();
    const rest = numbers(10).map((i) => run(place(`r${i}`)));
    release();
    await Promise.all([first, ...rest]);
    expect(store.commits.map(({ events }) => events.length)).toEqual([1, 10]);
  });

  test("a batch takes at most batchMax commands", async () => {
    const { run, store, engine } = engineKit({ batchMax: 4 });
    const all = Promise.all(numbers(10).map((i) => run(place(`h${i}`))));
    expect(engine.queued).toBe(10);
    await all;
    expect(store.commits.map(({ events }) => events.length)).toEqual([4, 4, 2]);
    expect(engine.queued).toBe(0);
  });

  test("placing twice under the same key in one batch creates one hold (G8)", async () => {
    const { run, store } = engineKit();
    const [one, other] = await Promise.all([run(place("h1", "k")), run(place("h2", "k"))]);
    expect(one).toMatchObject({ ok: true, fresh: true, entity: { id: "h1" } });
    expect(other).toMatchObject({ ok: true, fresh: false, entity: { id: "h1" } });
    expect(store.commits).toHaveLength(1);
    expect(await store.query({ workspace: "default", kind: "hold", limit: 10 })).toHaveLength(1);
  });

  test("of fifty answers in one batch one wins, and the others get its outcome (G1)", async () => {
    const { run, hold, store } = engineKit();
    await hold(place("h1"));
    const results = await Promise.all(
      numbers(50).map((i) => run(answer("h1", i % 2 === 0 ? "approve" : "reject"))),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results[0]?.ok).toBe(true);
    for (const lost of results.slice(1)) {
      expect(lost).toMatchObject({
        ok: false,
        failure: { code: "already_settled" },
        hold: { body: { outcome: { action: "approve" } } },
      });
    }
    expect(store.commits.map(({ events }) => events.length)).toEqual([1, 1]);
  });

  test("each caller gets the hold as it was right after its own command", async () => {
    const { run, hold } = engineKit();
    await hold(place("h1"));
    const [opened, answered] = await Promise.all([
      run({ kind: "open_hold", holdId: "h1" }),
      run(answer("h1")),
    ]);
    expect(opened).toMatchObject({ ok: true, entity: { version: 2, body: { status: "open" } } });
    expect(answered).toMatchObject({ ok: true, entity: { version: 3, body: { status: "decided" } } });
  });

  test("the clock is read once per batch, after the entities were loaded", async () => {
    const { run, store, clock } = engineKit();
    store.before = (call) => {
      return call === "load" ? clock.jump(400) : undefined;
    };
    const [one, other] = await Promise.all([run(place("h1", "k1")), run(place("h2", "k2"))]);
    for (const result of [one, other])
      expect(result).toMatchObject({ entity: { body: { createdAt: 1_400 } } });
  });

  test("a batch loads each entity once per round, and locks it if any command writes it", async () => {
    const { run, store } = engineKit();
    const retention = { kind: "set_retention", retainMs: 5 } as const;
    await Promise.all([run(place("h1", "k")), run(retention, ADMIN), run(place("h2", "k"))]);
    expect(store.loads).toHaveLength(1);
    const settings = store.loads[0]?.filter(({ kind }) => kind === "workspace");
    expect(settings).toEqual([{ workspace: "default", kind: "workspace", id: "settings" }]);
  });
});

describe("E2: nobody is notified before the commit is on disk (G2)", () => {
  test("callers that win, callers that lose and listeners are notified only after the commit", async () => {
    const { run, hold, store, engine } = engineKit();
    await hold(place("h1"));
    const notified: string[] = [];
    engine.onCommit(() => notified.push("listener"));
    const release = store.block("commit");
    const winner = run(answer("h1")).then(() => notified.push("winner"));
    const loser = run(answer("h1", "reject")).then(() => notified.push("loser"));
    for (let i = 0; i < 5; i += 1) await turn();
    expect(store.commits).toHaveLength(2);
    expect(notified).toEqual([]);
    release();
    await Promise.all([winner, loser]);
    expect(notified.toSorted()).toEqual(["listener", "loser", "winner"]);
  });

  test("a refusal is not returned if the commit it was decided on fails", async () => {
    const { run, hold, store } = engineKit();
    await hold(place("h1"));
    store.failOnce("commit", new Error("disk full"));
    const both = await Promise.allSettled([run(answer("h1")), run(answer("h1", "reject"))]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await run(answer("h1", "reject"))).toMatchObject({ ok: true });
  });

  test("a batch without facts commits nothing and releases the store", async () => {
    const { run, store, engine, faults } = engineKit();
    const heard: Commit[] = [];
    engine.onCommit((commit) => heard.push(commit));
    expect(await run(answer("h1"))).toMatchObject({ ok: false, failure: { code: "not_found" } });
    expect(store.commits).toEqual([]);
    await turn();
    expect(heard).toEqual([]);
    expect(faults).toEqual([]);
    expect(await run(place("h1"))).toMatchObject({ ok: true });
  });
});

describe("E3: a command that throws fails alone", () => {
  const brokenJudge: Judge = {
    pattern: testJudge.pattern,
    schema: () => {
      throw new Error("the judge is broken");
    },
  };
  const judged = {
    kind: "place_hold",
    hold: holdIn({ id: "bad", ask: { type: "input", prompt: "?", responseSchema: { type: "object" } } }),
  } as const;

  async function withNeighbours(kit: EngineKit, broken: Promise<unknown>) {
    const before = kit.run(place("b1"));
    const [fault, ...neighbours] = await Promise.all([
      broken.catch((caught: unknown) => caught as Error),
      before,
      kit.run(place("b2")),
    ]);
    expect(neighbours.every((result) => typeof result === "object" && "ok" in result && result.ok)).toBe(
      true,
    );
    expect(kit.store.commits).toHaveLength(1);
    return fault as Error;
  }

  test("a command whose decision throws fails alone, and the other commands of its batch succeed", async () => {
    const kit = engineKit({ judge: brokenJudge });
    const fault = await withNeighbours(kit, kit.run(judged));
    expect(fault.message).toBe("the judge is broken");
    expect(kit.faults).toMatchObject([{ fault, command: { kind: "place_hold" } }]);
    expect(await kit.stored("bad")).toBeUndefined();
  });

  test("a command whose needs throw fails alone, and the other commands of its batch succeed", async () => {
    const kit = engineKit();
    const fault = await withNeighbours(kit, kit.run({ kind: "place_hold", hold: undefined as never }));
    expect(fault).toBeInstanceOf(TypeError);
  });

  test("a command with a fact that cannot be serialized writes nothing, and the other commands succeed", async () => {
    const kit = engineKit();
    const holds = [holdIn({ id: "m1" }), holdIn({ id: "m2", metadata: { count: 1n as never } })];
    await withNeighbours(kit, kit.run({ kind: "place_group", groupId: "g1", holds }, AGENT));
    expect(await kit.stored("m1")).toBeUndefined();
    expect(kit.store.commits[0]?.events.map(({ stream }) => stream)).toEqual(["hold:b1", "hold:b2"]);
  });
});

describe("E4: a store failure fails the whole batch and writes nothing", () => {
  test.each(["begin", "load", "commit", "release"] as const)(
    "a store that fails at %s fails every command of the batch and writes nothing",
    async (call) => {
      const kit = engineKit();
      const { run, store, faults } = kit;
      const fault = new Error(`no ${call}`);
      store.failOnce(call, fault);
      const commands =
        call === "release"
          ? [run(answer("h1")), run(answer("h2"))]
          : [run(place("h1", "k")), run(place("h2"))];
      const settled = await Promise.allSettled(commands);
      expect(settled).toEqual([
        { status: "rejected", reason: fault },
        { status: "rejected", reason: fault },
      ]);
      expect(faults).toEqual([{ fault, command: null }]);
      expect(await kit.stored("h1")).toBeUndefined();
      expect(await run(place("h3", "k")), "the key is free").toMatchObject({
        ok: true,
        fresh: true,
        entity: { id: "h3" },
      });
    },
  );

  test("a version conflict fails the batch, and the next batch reads the new state", async () => {
    const { run, hold, store } = engineKit();
    await hold(place("h1"));
    const key = { workspace: "default", kind: "hold", id: "h1" } as const;
    store.failOnce("commit", new VersionConflict(key));
    await expect(run(answer("h1"))).rejects.toThrow(VersionConflict);
    expect(await run(answer("h1"))).toMatchObject({ ok: true });
  });
});

describe("E5: a command sees everything that it needs", () => {
  test("a command that needs more because of an earlier one in its batch is postponed to the next batch", async () => {
    const { run, store } = engineKit();
    await run(place("h1"));
    const both = await Promise.all([run(progress("h1")), run(answer("h1")), run(place("h2"))]);
    expect(both.map((result) => result.ok)).toEqual([true, true, true]);
    expect(store.commits.slice(1).map(({ events }) => events.map(({ type }) => type))).toEqual([
      ["hold.opened", "hold.progressed", "hold.placed"],
      ["hold.decided"],
    ]);
  });

  test("postponed commands run before commands that arrived later", async () => {
    const { run, store } = engineKit();
    await run(place("h1"));
    const release = store.block("commit");
    const early = [run(progress("h1")), run(answer("h1", "approve"))];
    await turn();
    await turn();
    const late = run(answer("h1", "reject"));
    release();
    expect((await Promise.all(early)).map(({ ok }) => ok)).toEqual([true, true]);
    expect(await late).toMatchObject({ ok: false, hold: { body: { outcome: { action: "approve" } } } });
  });

  test("a postponed timer command runs in the next batch, and runDue returns its result", async () => {
    const command = (id: string) => (id === "a" ? progress("h1") : answer("h1"));
    const table = tableWithTicks(({ id }) => ({ ...command(id), workspace: WORKSPACE, by: OPERATOR }));
    const { run, store, engine } = engineKit({ table });
    await Promise.all([run(place("h1")), run(place("a")), run(place("b"))]);
    const timers = ["a", "b"].map((id) => ({ key: { ...HOLD_KEY, id }, dueAt: 1 }));
    const batch = await store.begin();
    await batch.commit({ puts: [], events: [], timers, outbox: [] });
    const fired = await engine.runDue({ limit: 5, restMs: 10 });
    expect(fired.map(({ key, result }) => [key.id, "ok" in result && result.ok])).toEqual([
      ["a", true],
      ["b", true],
    ]);
    expect(store.commits.slice(-2).map(({ events }) => events.map(({ type }) => type))).toEqual([
      ["hold.opened", "hold.progressed"],
      ["hold.decided"],
    ]);
    expect(store.commits.every(({ rests }) => rests === undefined)).toBe(true);
  });

  test("a timer that another command of the batch has cleared does not rest", async () => {
    const table = tableWithTicks(({ id }) => ({
      ...(id === "c" ? { kind: "tick_hold", holdId: "c" } : cancel("b")),
      workspace: WORKSPACE,
      by: AGENT,
    }));
    const { run, store, engine, clock } = engineKit({ table });
    await Promise.all([run(place("a")), run(place("b")), run(place("c"))]);
    const timers = ["a", "b", "c"].map((id) => ({ key: { ...HOLD_KEY, id }, dueAt: 1 }));
    const batch = await store.begin();
    await batch.commit({ puts: [], events: [], timers, outbox: [] });
    await engine.runDue({ limit: 5, restMs: 10 });
    expect(store.commits.at(-1)).toMatchObject({
      timers: [{ key: { id: "b" }, dueAt: null }],
      rests: [{ key: { id: "c" }, until: clock.now() + 10 }],
    });
    expect(await store.nextTimerAt()).toBe(1);
  });

  test("postponed commands fail together with their batch", async () => {
    const { run, store } = engineKit();
    await run(place("h1"));
    store.failOnce("commit", new Error("disk full"));
    const both = await Promise.allSettled([run(progress("h1")), run(answer("h1"))]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});

describe("E6: listeners are called for each commit", () => {
  test("listeners are called in commit order, after the callers of that commit", async () => {
    const { run, engine } = engineKit({ batchMax: 1 });
    const heard: string[] = [];
    engine.onCommit(({ entities }) => heard.push(`listener ${entities[0]?.id}`));
    await Promise.all(numbers(3).map((i) => run(place(`h${i}`)).then(() => heard.push(`caller h${i}`))));
    await turn();
    expect(heard).toEqual([
      "caller h0",
      "listener h0",
      "caller h1",
      "listener h1",
      "caller h2",
      "listener h2",
    ]);
  });

  test("listeners get the events, their positions, the entities and the next timer of the commit", async () => {
    const { run, engine, clock } = engineKit();
    const heard: Commit[] = [];
    engine.onCommit((commit) => heard.push(commit));
    const expiring = holdIn({ id: "h1", expires: { afterMs: 50 } });
    const later = holdIn({ id: "h2", expires: { afterMs: 90 } });
    await Promise.all([
      run({ kind: "place_hold", hold: later }),
      run({ kind: "place_hold", hold: expiring }),
      run(answer("h9")),
    ]);
    await turn();
    expect(heard).toMatchObject([
      { commands: 3, messages: 0, now: clock.now(), nextTimerAt: clock.now() + 50 },
    ]);
    expect(heard[0]?.events.map(({ position, stream, seq }) => [position, stream, seq])).toEqual([
      [1, "hold:h2", 1],
      [2, "hold:h1", 1],
    ]);
    expect(heard[0]?.entities.map(({ id }) => id)).toEqual(["h2", "h1"]);
    await run(cancel("h1"));
    await turn();
    expect(heard[1]).toMatchObject({ nextTimerAt: null });
  });

  test("a listener that throws does not stop the others, and one that left is no longer called", async () => {
    const { run, engine, faults } = engineKit();
    const heard: string[] = [];
    const fault = new Error("deaf");
    engine.onCommit(() => {
      throw fault;
    });
    const leave = engine.onCommit(() => heard.push("heard"));
    await run(place("h1"));
    await turn();
    leave();
    await run(place("h2"));
    await turn();
    expect(heard).toEqual(["heard"]);
    expect(faults).toEqual([
      { fault, command: null },
      { fault, command: null },
    ]);
  });
});

describe("results of commands", () => {
  test("a command that deletes an entity returns it with version 0 and an empty body", async () => {
    const { run } = engineKit();
    const webhook = { id: "w1", url: "https://a.test", events: [], secrets: [] };
    await run({ kind: "put_webhook", webhook }, ADMIN);
    const removed = await run({ kind: "remove_webhook", webhookId: "w1" }, ADMIN);
    expect(removed).toMatchObject({ ok: true, fresh: true, entity: { id: "w1", version: 0, body: {} } });
  });

  test("a refusal includes the hold only if the caller may see it", async () => {
    const { run, hold } = engineKit();
    await hold(place("h1", "k"));
    expect(await run(answer("h1"), OTHER_AGENT)).toEqual({
      ok: false,
      failure: { code: "not_found", message: "there is no hold with this id, or this caller may not see it" },
      hold: undefined,
    });
    const reused = { kind: "place_hold", hold: holdIn({ id: "h2", key: "k", threadId: "t" }) } as const;
    expect(await run(reused)).toMatchObject({ failure: { code: "key_reused" }, hold: { id: "h1" } });
    expect(await run({ kind: "place_hold", hold: holdIn() }, SYSTEM)).toMatchObject({
      ok: false,
      hold: undefined,
    });
  });
});

test("a stopping engine finishes its queued commands and rejects new ones", async () => {
  const { run, engine, store } = engineKit();
  const release = store.block("commit");
  const last = Promise.all([run(place("h1")), run(answer("h1"))]);
  const stopping = engine.stop();
  await expect(run(place("h2"))).rejects.toThrow(EngineStopped);
  release();
  await stopping;
  expect((await last).every(({ ok }) => ok)).toBe(true);
  await engine.stop();
});

test("the engine starts a batch only when defer calls back", async () => {
  const started = Promise.withResolvers<() => void>();
  const { run, store } = engineKit({ defer: started.resolve });
  const placed = run(place("h1"));
  await turn();
  expect(store.loads).toEqual([]);
  (await started.promise)();
  expect(await placed).toMatchObject({ ok: true });
});
