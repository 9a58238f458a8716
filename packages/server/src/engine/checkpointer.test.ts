import { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { TABLE } from "../domains.ts";
import type { Checkpoint } from "../kernel/log/checkpoint.ts";
import { openHarness } from "../store/sqlite/harness.ts";
import type { Anchor, AnchorStore } from "../system/anchor-file.ts";
import { sha256 } from "../system/digest.ts";
import { isSignedBy, newSigner } from "../system/signing.ts";
import { holdIn } from "../testing/core-samples.ts";
import { type EngineKit, engineKit } from "../testing/engine-kit.ts";
import {
  Checkpointer,
  type CheckpointerOptions,
  checkpointId,
  LOG_WORKSPACE,
  lastCheckpoint,
  statementOf,
} from "./checkpointer.ts";

const place = (id: string) => ({ kind: "place_hold", hold: holdIn({ id }) }) as const;
const signer = newSigner();

function withCheckpointer(options: Partial<CheckpointerOptions> = {}, kit = engineKit()) {
  const troubles: unknown[] = [];
  const onFault = (fault: unknown) => troubles.push(fault);
  const checkpointer = new Checkpointer({ engine: kit.engine, signer, onFault, ...options });
  return { ...kit, checkpointer, troubles };
}

async function kept({ store }: Pick<EngineKit, "store">): Promise<readonly Checkpoint[]> {
  const found = await store.query({ workspace: LOG_WORKSPACE, kind: "checkpoint", limit: 100 });
  return found.map(({ body }) => body as unknown as Checkpoint);
}

/** Waits until everything that a commit triggered has run. */
async function quiet(): Promise<void> {
  for (let i = 0; i < 10; i += 1) await turn();
}

describe("K1: checkpoints are contiguous", () => {
  test("each checkpoint begins where the one before ended, and names its hash", async () => {
    const kit = withCheckpointer();
    await kit.run(place("h1"));
    await kit.run(place("h2"));
    const first = await kit.checkpointer.make();
    await kit.run(place("h3"));
    const second = await kit.checkpointer.make();
    expect(first).toMatchObject({ from: 0, upTo: 2, count: 2, previous: "", keyId: signer.keyId });
    expect(second).toMatchObject({ from: 2, upTo: 3, count: 1, previous: first?.hash });
    expect(await kept(kit)).toEqual([first, second]);
    expect(await lastCheckpoint(kit.store)).toEqual(second);
  });

  test("no checkpoint is made when there are no new events", async () => {
    const kit = withCheckpointer();
    expect(await kit.checkpointer.make()).toBeUndefined();
    await kit.run(place("h1"));
    await kit.checkpointer.make();
    expect(await kit.checkpointer.make()).toBeUndefined();
    expect(await kept(kit)).toHaveLength(1);
  });

  test("checkpoints requested at the same time are made one after another, without a gap between them", async () => {
    const before = engineKit();
    await before.run(place("h1"));
    const kit = withCheckpointer({}, before);
    const release = kit.store.block("events");
    const first = kit.checkpointer.make();
    await quiet();
    await kit.run(place("h2"));
    const second = kit.checkpointer.make();
    await quiet();
    release();
    const made = (await first) as Checkpoint;
    expect(made).toMatchObject({ from: 0, upTo: 1 });
    expect(await second).toMatchObject({ from: 1, upTo: 2, previous: made.hash });
  });

  test("a checkpoint signs all its fields, and its root covers the hashes of its events in order", async () => {
    const kit = withCheckpointer();
    await kit.run(place("h1"));
    await kit.run(place("h2"));
    const made = (await kit.checkpointer.make()) as Checkpoint;
    const events = await kit.store.events({ after: 0, limit: 10 });
    expect(made.root).toBe(sha256(events.map(({ hash }) => `${hash}\n`).join("")));
    const text = statementOf(made);
    expect(made.hash).toBe(sha256(text));
    expect(Object.keys(JSON.parse(text)).toSorted()).toEqual([
      "at",
      "count",
      "from",
      "keyId",
      "previous",
      "root",
      "upTo",
    ]);
    expect(isSignedBy(signer.publicJwk, text, made.signature)).toBe(true);
    expect(isSignedBy(newSigner().publicJwk, text, made.signature)).toBe(false);
  });

  test("a checkpoint reads from the log only events that were committed before the checkpointer started", async () => {
    const before = engineKit();
    await before.run(place("h1"));
    const kit = withCheckpointer({}, before);
    await kit.run(place("h2"));
    const first = (await kit.checkpointer.make()) as Checkpoint;
    await kit.run(place("h3"));
    await kit.run(place("h4"));
    kit.store.failOnce("events", new Error("the log was read"));
    const second = (await kit.checkpointer.make()) as Checkpoint;
    await expect(kit.store.events({ after: 0, limit: 10 })).rejects.toThrow("the log was read");
    const hashes = (await kit.store.events({ after: 0, limit: 10 })).map(({ hash }) => `${hash}\n`);
    expect(first).toMatchObject({ from: 0, upTo: 2, root: sha256(hashes.slice(0, 2).join("")) });
    expect(second).toMatchObject({ from: 2, upTo: 4, root: sha256(hashes.slice(2, 4).join("")) });
  });

  test("checkpoint ids sort in order of position", () => {
    expect([checkpointId(100), checkpointId(9), checkpointId(1_000_000)].toSorted()).toEqual([
      checkpointId(9),
      checkpointId(100),
      checkpointId(1_000_000),
    ]);
  });
});

describe("K2: when a checkpoint is made", () => {
  test("a checkpoint is made a short delay after enough new events, and covers all events until then", async () => {
    const kit = withCheckpointer({ everyEvents: 3, delayMs: 100 });
    for (const id of ["a", "b"]) await kit.run(place(id));
    await kit.clock.advance(100);
    expect(await kept(kit)).toEqual([]);
    await kit.run(place("c"));
    await kit.clock.advance(99);
    await kit.run(place("d"));
    expect(await kept(kit)).toEqual([]);
    await kit.clock.advance(1);
    expect(await kept(kit)).toMatchObject([{ upTo: 4 }]);
    expect(kit.clock.pending).toBe(0);
  });

  test("a checkpoint is made a fixed time after the first new event", async () => {
    const kit = withCheckpointer({ everyMs: 1_000 });
    await kit.run(place("a"));
    await kit.clock.advance(600);
    await kit.run(place("b"));
    await kit.clock.advance(399);
    expect(await kept(kit)).toEqual([]);
    await kit.clock.advance(1);
    expect(await kept(kit)).toMatchObject([{ upTo: 2 }]);
    await kit.clock.advance(5_000);
    expect(kit.clock.pending, "a checkpoint does not trigger another one").toBe(0);
    await kit.run(place("c"));
    await kit.clock.advance(1_000);
    expect(await kept(kit)).toMatchObject([{ upTo: 2 }, { upTo: 3 }]);
  });

  test("by default a checkpoint is made a minute after the first event or a second after a thousand events", async () => {
    const kit = withCheckpointer();
    await Promise.all(Array.from({ length: 999 }, (_, i) => kit.run(place(`h${i}`))));
    await kit.clock.advance(50_000);
    await kit.run(place("last"));
    await kit.clock.advance(999);
    expect(await kept(kit)).toEqual([]);
    await kit.clock.advance(1);
    expect(await kept(kit)).toMatchObject([{ upTo: 1_000 }]);
    await kit.run(place("later"));
    await kit.clock.advance(60_000);
    expect(await kept(kit)).toMatchObject([{ upTo: 1_000 }, { upTo: 1_001 }]);
  });

  test("a checkpoint that failed is made again later", async () => {
    const kit = withCheckpointer({ everyMs: 1_000 });
    await kit.run(place("a"));
    await turn();
    const fault = new Error("busy");
    kit.store.failOnce("query", fault);
    await kit.clock.advance(1_000);
    expect(kit.troubles).toEqual([fault]);
    expect(await kept(kit)).toEqual([]);
    await kit.clock.advance(1_000);
    expect(await kept(kit)).toMatchObject([{ upTo: 1 }]);
  });

  test("stopping makes a checkpoint at once if enough new events are waiting for one", async () => {
    const kit = withCheckpointer({ everyEvents: 2 });
    for (const id of ["a", "b", "c"]) await kit.run(place(id));
    await turn();
    await kit.checkpointer.stop();
    expect(await kept(kit)).toMatchObject([{ upTo: 3 }]);
  });

  test("a stopped checkpointer makes no further checkpoint", async () => {
    const kit = withCheckpointer({ everyMs: 1_000 });
    await kit.run(place("a"));
    await turn();
    await kit.checkpointer.stop();
    expect(kit.clock.pending).toBe(0);
    await kit.run(place("b"));
    await kit.clock.advance(5_000);
    expect(await kept(kit)).toEqual([]);
  });

  test("stopping waits for the checkpoint in progress and starts no other", async () => {
    const kit = withCheckpointer({ everyMs: 1_000 });
    await kit.run(place("a"));
    await turn();
    const release = kit.store.block("query");
    void kit.checkpointer.make();
    let isStopped = false;
    const stopping = kit.checkpointer.stop().then(() => {
      isStopped = true;
    });
    await quiet();
    expect(isStopped).toBe(false);
    release();
    await stopping;
    expect(await kept(kit)).toMatchObject([{ upTo: 1 }]);
    await kit.run(place("b"));
    kit.store.failOnce("query", new Error("busy"));
    expect(await kit.checkpointer.make()).toBeUndefined();
    expect(kit.clock.pending).toBe(0);
  });
});

describe("K3: a rewritten log is not signed", () => {
  function anchored() {
    let signed: Anchor | undefined;
    const anchor: AnchorStore = {
      place: "last-checkpoint.json",
      read: () => signed,
      write: async ({ id, hash }) => {
        signed = { id, hash };
      },
    };
    return { anchor, forge: (next: Anchor) => anchor.write(next), signed: () => signed };
  }

  test("the last checkpoint is kept outside of the database, and signing goes on while the database has it", async () => {
    const { anchor, signed } = anchored();
    const kit = withCheckpointer({ anchor });
    await kit.run(place("h1"));
    const first = await kit.checkpointer.make();
    expect(signed()).toEqual({ id: first?.id, hash: first?.hash });
    await kit.run(place("h2"));
    const second = await kit.checkpointer.make();
    expect(signed()).toEqual({ id: second?.id, hash: second?.hash });
    expect(kit.troubles).toEqual([]);
  });

  test.each([
    ["is missing from the database", { id: "cp_000000000000009", hash: "sha256:x" }],
    ["was changed in the database", { id: checkpointId(1), hash: "sha256:x" }],
  ])(
    "nothing is signed when the checkpoint %s, and the operator is told what to do",
    async (what, forged) => {
      const { anchor, forge } = anchored();
      const kit = withCheckpointer({ anchor });
      await kit.run(place("h1"));
      await kit.checkpointer.make();
      await forge(forged);
      await kit.run(place("h2"));
      expect(await kit.checkpointer.make()).toBeUndefined();
      expect(await kept(kit)).toHaveLength(1);
      expect(String(kit.troubles[0])).toContain(what);
      expect(String(kit.troubles[0])).toContain("move last-checkpoint.json away");
    },
  );

  test("attack 5: a checkpoint that was deleted from the file of a running server is missed, although the server has just written it", async () => {
    await using harness = await openHarness(TABLE);
    const { anchor } = anchored();
    const kit = withCheckpointer({ anchor }, engineKit({ store: harness.store }));
    await kit.run(place("h1"));
    const first = await kit.checkpointer.make();
    using other = new DatabaseSync(harness.path);
    other.exec("DELETE FROM entity WHERE kind = 'checkpoint'");
    await kit.run(place("h2"));
    expect(first).toBeDefined();
    expect(await kit.checkpointer.make()).toBeUndefined();
    expect(String(kit.troubles[0])).toContain("is missing from the database");
  });

  test("attack 5: nothing is signed over a gap in the log, and the operator is told", async () => {
    const before = engineKit();
    for (const id of ["h1", "h2", "h3"]) await before.run(place(id));
    const scan = before.store.scan.bind(before.store);
    before.store.scan = async function* (query) {
      for await (const page of scan(query)) yield page.filter(({ position }) => position !== 2);
    };
    const kit = withCheckpointer({}, before);
    expect(await kit.checkpointer.make()).toBeUndefined();
    expect(await kept(kit)).toEqual([]);
    expect(String(kit.troubles[0])).toContain(
      "The log has a gap: between position 0 and 3 there are 2 events",
    );
  });
});
