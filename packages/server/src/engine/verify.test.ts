import { beforeAll, describe, expect, test } from "vitest";
import type { EntityOf } from "../domains.ts";
import type { Entity } from "../kernel/entity.ts";
import type { Claim, Hold } from "../kernel/hold/hold.ts";
import type { Checkpoint, SigningKey } from "../kernel/log/checkpoint.ts";
import { SYSTEM } from "../kernel/principal.ts";
import type { StoredEvent } from "../kernel/record.ts";
import type { Query, ReadStore } from "../store/port.ts";
import { typed } from "../store/typed.ts";
import { sha256 } from "../system/digest.ts";
import { newSigner, type Signer } from "../system/signing.ts";
import { ADMIN, AGENT, holdIn, OPERATOR } from "../testing/core-samples.ts";
import { engineKit } from "../testing/engine-kit.ts";
import { verifyLog } from "../verify-log.ts";
import { Checkpointer, LOG_WORKSPACE, statementOf } from "./checkpointer.ts";
import { eventHash } from "./seal.ts";

/** A copy of the store that a test can tamper with, like somebody with access to the database file. */
class Copy implements ReadStore {
  events_: StoredEvent[];
  entities: Entity[];

  constructor(events: readonly StoredEvent[], entities: readonly Entity[]) {
    this.events_ = structuredClone([...events]);
    this.entities = structuredClone([...entities]);
  }

  async *scan(): AsyncGenerator<readonly StoredEvent[]> {
    for (let i = 0; i < this.events_.length; i += 3) yield this.events_.slice(i, i + 3);
  }
  async query<K extends string>({
    workspace,
    kind,
    after = "",
    limit,
  }: Query<K>): Promise<readonly EntityOf<K>[]> {
    const found = this.entities.filter(
      (entity) => entity.workspace === workspace && entity.kind === kind && entity.id > after,
    );
    return typed(found.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit));
  }
  async lastPosition(): Promise<number> {
    return this.events_.at(-1)?.position ?? 0;
  }
  async load(): Promise<never> {
    throw new Error("not needed");
  }
  find = this.load as never;
  events = this.load as never;
  close = async () => undefined;

  event(stream: string, seq: number): StoredEvent {
    return must(this.events_.find((event) => event.stream === stream && event.seq === seq));
  }
  change(stream: string, seq: number, part: Partial<StoredEvent>): void {
    this.events_ = this.events_.map((event) =>
      event === this.event(stream, seq) ? { ...event, ...part } : event,
    );
  }
  drop(gone: (event: StoredEvent) => boolean): void {
    this.events_ = this.events_.filter((event) => !gone(event));
  }
  row<B>(kind: string, id: string): Entity<B> {
    return must(
      this.entities.find((entity) => entity.kind === kind && entity.id === id),
    ) as unknown as Entity<B>;
  }
  put<B>(kind: string, id: string, part: Partial<B>): void {
    const row = this.row<B>(kind, id);
    this.entities = this.entities.map((entity) =>
      entity === (row as unknown) ? { ...entity, body: { ...entity.body, ...part } } : entity,
    );
  }
  remove(kind: string, id: string): void {
    this.entities = this.entities.filter((entity) => !(entity.kind === kind && entity.id === id));
  }
}

function must<T>(value: T | undefined): T {
  if (value === undefined)
    throw new Error("Invariant: the test log lacks the event or row that the test names");
  return value;
}

const ANSWER = { kind: "answer_hold", action: "approve", data: { note: "fine" }, door: "rest" } as const;
const place = (id: string) =>
  ({ kind: "place_hold", hold: holdIn({ id, salt: `salt-${id}`, key: `key-${id}` }) }) as const;

/** h1 answered, h2 answered and erased, h3 cancelled, h4 open; three checkpoints, and one event after them. */
async function makeLog(signer: Signer): Promise<Copy> {
  const { run, engine, store } = engineKit();
  const checkpointer = new Checkpointer({ engine, signer });
  const key: SigningKey = { id: signer.keyId, algorithm: "Ed25519", publicJwk: signer.publicJwk, madeAt: 1 };
  await engine.run({ kind: "put_signing_key", workspace: LOG_WORKSPACE, by: SYSTEM, key });
  for (const id of ["h1", "h2", "h3"]) await run(place(id));
  await run({ kind: "open_hold", holdId: "h1" });
  await checkpointer.make();
  await run({ ...ANSWER, holdId: "h1" });
  await run({ ...ANSWER, holdId: "h2" });
  await run({ kind: "erase_hold", holdId: "h2" }, ADMIN);
  await checkpointer.make();
  await run({ kind: "cancel_hold", holdId: "h3", reason: "no" });
  await run(place("h4"));
  await checkpointer.make();
  await run({ kind: "open_hold", holdId: "h4" });
  await checkpointer.stop();
  const events = await store.events({ after: 0, limit: 1_000 });
  const entities: Entity[] = [];
  for (const [workspace, kind] of [
    ["default", "hold"],
    [LOG_WORKSPACE, "checkpoint"],
    [LOG_WORKSPACE, "signing_key"],
  ] as const) {
    entities.push(...(await store.query({ workspace, kind, limit: 100 })));
  }
  return new Copy(events, entities);
}

const signer = newSigner();
let whole: Copy;
beforeAll(async () => {
  whole = await makeLog(signer);
});

async function spoiled(spoil: (copy: Copy) => void) {
  const copy = new Copy(whole.events_, whole.entities);
  spoil(copy);
  return (await verifyLog(copy)).breaks;
}

/** Recomputes the hashes of a stream, as an attacker would who knows how: only the checkpoints can reveal it. */
function reseal(copy: Copy, stream: string): void {
  let previous = "";
  for (const event of copy.events_.filter((one) => one.stream === stream)) {
    const next = { ...event, previous };
    const hash = eventHash(next);
    copy.change(stream, event.seq, { previous, hash });
    previous = hash;
  }
  const row = copy.row<Hold>("hold", stream.slice("hold:".length));
  copy.entities = copy.entities.map((entity) =>
    entity === (row as unknown) ? { ...entity, head: previous } : entity,
  );
}

function sign(checkpoint: Checkpoint, by: Signer): Checkpoint {
  const text = statementOf({ ...checkpoint, keyId: by.keyId });
  return { ...checkpoint, keyId: by.keyId, hash: sha256(text), signature: by.sign(text) };
}

test("verification of an untouched log finds no break, and erased content is told apart from tampering", async () => {
  const shares: number[] = [];
  const verified = await verifyLog(whole, { onProgress: (share) => shares.push(share) });
  const anchor = whole.row<Checkpoint>("checkpoint", "cp_000000000000010").body.hash;
  expect(verified).toEqual({
    events: 11,
    streams: 5,
    checkpoints: 3,
    unsigned: 1,
    anchor,
    erased: 1,
    breaks: [],
  });
  expect(shares.map((share) => Math.round(share * 100))).toEqual([22, 44, 65, 80, 100]);
});

test("verification of an empty log finds no break", async () => {
  const empty = { events: 0, streams: 0, checkpoints: 0, unsigned: 0, anchor: null, erased: 0, breaks: [] };
  expect(await verifyLog(new Copy([], []))).toEqual(empty);
});

describe("verification names the first event that is broken", () => {
  test("verification finds an event whose fields were changed", async () => {
    const { position } = whole.event("hold:h1", 2);
    const breaks = await spoiled((copy) => copy.change("hold:h1", 2, { actor: "key:eve" }));
    expect(breaks[0]).toEqual({
      position,
      stream: "hold:h1",
      seq: 2,
      what: expect.stringContaining("was changed"),
    });
  });

  test.each(["{}", "not json", "null", '{"content":"sha256:forged"}'])(
    "verification finds an event whose data became %s",
    async (data) => {
      const { position } = whole.event("hold:h1", 3);
      const breaks = await spoiled((copy) => copy.change("hold:h1", 3, { data }));
      expect(breaks[0]).toMatchObject({ position, seq: 3, what: expect.stringContaining("was changed") });
    },
  );

  test("verification finds an event whose hash was changed", async () => {
    const { position } = whole.event("hold:h1", 2);
    const breaks = await spoiled((copy) => copy.change("hold:h1", 2, { hash: "sha256:forged" }));
    expect(breaks[0]).toMatchObject({ position, seq: 2, what: expect.stringContaining("was changed") });
    expect(breaks.map(({ what }) => what)).toContain("does not follow the event before it");
  });

  test("verification finds an event that was changed and resealed with all later ones, by its checkpoint", async () => {
    const breaks = await spoiled((copy) => {
      copy.change("hold:h1", 2, { actor: "key:eve" });
      reseal(copy, "hold:h1");
    });
    expect(breaks[0]).toMatchObject({
      position: 5,
      what: "the events before this checkpoint are not the ones it signed",
    });
  });

  test("verification finds a missing event in the middle of a stream", async () => {
    const { position } = whole.event("hold:h1", 3);
    const breaks = await spoiled((copy) => copy.drop(({ stream, seq }) => stream === "hold:h1" && seq === 2));
    expect(breaks.map(({ what }) => what)).toContain("signed 5 events, but 4 were found: some are missing");
    expect(breaks).toContainEqual({
      position,
      stream: "hold:h1",
      seq: 3,
      what: "expected event 2 of its stream, found 3",
    });
  });

  test("verification finds two events that were swapped", async () => {
    const [one, other] = [whole.event("hold:h1", 2), whole.event("hold:h1", 3)];
    const breaks = await spoiled((copy) => {
      copy.change("hold:h1", 2, { position: 0 });
      copy.change("hold:h1", 3, { position: one.position });
      copy.events_ = copy.events_
        .map((event) => (event.position === 0 ? { ...event, position: other.position } : event))
        .toSorted((a, b) => a.position - b.position);
    });
    expect(breaks[0]).toMatchObject({
      position: one.position,
      seq: 3,
      what: "expected event 2 of its stream, found 3",
    });
  });
});

describe("verification finds what is missing", () => {
  test("verification finds that a whole stream and its row are missing", async () => {
    const breaks = await spoiled((copy) => {
      copy.drop(({ stream }) => stream === "hold:h3");
      copy.remove("hold", "h3");
    });
    expect(breaks.map(({ what }) => what)).toEqual([
      "signed 5 events, but 4 were found: some are missing",
      "signed 2 events, but 1 were found: some are missing",
    ]);
  });

  test("verification finds that a stream is missing whose row still exists", async () => {
    const breaks = await spoiled((copy) => copy.drop(({ stream }) => stream === "hold:h3"));
    expect(breaks[0]).toMatchObject({ stream: "hold:h3", what: "the hold's log is missing" });
  });

  test("verification finds that a row is missing whose stream still exists", async () => {
    const { position } = whole.event("hold:h1", 3);
    const breaks = await spoiled((copy) => copy.remove("hold", "h1"));
    expect(breaks).toEqual([{ position, stream: "hold:h1", seq: 3, what: "the hold's row is missing" }]);
  });

  test("verification finds that an unsigned last event is missing, by its row", async () => {
    const { position } = whole.event("hold:h4", 1);
    const breaks = await spoiled((copy) => copy.drop(({ stream, seq }) => stream === "hold:h4" && seq === 2));
    expect(breaks).toEqual([
      {
        position,
        stream: "hold:h4",
        seq: 2,
        what: "the hold's log does not end at the event that its row names",
      },
    ]);
  });

  test("verification finds that the end of a signed log is missing", async () => {
    const last = whole.event("hold:h3", 2).position;
    const breaks = await spoiled((copy) => copy.drop(({ position }) => position >= last));
    expect(breaks.at(-1)?.what).toBe(`covers events up to ${last + 1}, but the log ends before`);
  });

  test("verification finds that the last event of a checkpoint is missing", async () => {
    const breaks = await spoiled((copy) => copy.drop(({ position }) => position >= 10));
    expect(breaks.map(({ what }) => what)).toContain("covers events up to 10, but the log ends before");
  });

  test("verification finds that a checkpoint is missing", async () => {
    const breaks = await spoiled((copy) => copy.remove("checkpoint", "cp_000000000000008"));
    expect(breaks).toMatchObject([
      {
        position: 10,
        stream: "checkpoint:cp_000000000000010",
        what: "a checkpoint is missing before this one",
      },
    ]);
  });

  test("verification of a log without checkpoints counts all events as unsigned", async () => {
    const copy = new Copy(
      whole.events_,
      whole.entities.filter(({ kind }) => kind !== "checkpoint"),
    );
    expect(await verifyLog(copy)).toMatchObject({ checkpoints: 0, unsigned: 11, breaks: [] });
  });
});

test("an anchor stored elsewhere reveals that the end of the log and its checkpoints were removed", async () => {
  const { anchor } = await verifyLog(whole);
  const cut = new Copy(
    whole.events_,
    whole.entities.filter(({ id }) => id !== "cp_000000000000010"),
  );
  expect((await verifyLog(cut)).breaks).toEqual([]);
  const { breaks } = await verifyLog(cut, { anchors: [String(anchor)] });
  expect(breaks).toMatchObject([{ what: expect.stringMatching(/stored elsewhere, is not in the log/) }]);
  expect((await verifyLog(whole, { anchors: [String(anchor)] })).breaks).toEqual([]);
});

describe("verification finds a forged checkpoint", () => {
  const id = "cp_000000000000008";

  test.each<[string, (made: Checkpoint) => Partial<Checkpoint>, string]>([
    ["changed", () => ({ at: 1 }), "this checkpoint was changed"],
    [
      "changed, with a hash that matches",
      (made) => ({ at: 1, hash: sha256(statementOf({ ...made, at: 1 })) }),
      "the signature was not made with the server's key",
    ],
    [
      "signed by somebody else",
      (made) => sign(made, newSigner()),
      "signed with a key that is not among the server's signing keys",
    ],
    [
      "signed with another key under the id of the server's key",
      (made) => ({ signature: sign(made, newSigner()).signature }),
      "the signature was not made with the server's key",
    ],
    [
      "begun elsewhere",
      (made) => sign({ ...made, from: 4 }, signer),
      "a checkpoint is missing before this one",
    ],
  ])("verification finds a checkpoint that was forged: %s", async (_name, forge, what) => {
    const breaks = await spoiled((copy) =>
      copy.put<Checkpoint>("checkpoint", id, forge(copy.row<Checkpoint>("checkpoint", id).body)),
    );
    expect(breaks[0]).toMatchObject({ stream: `checkpoint:${id}`, what });
  });

  test("verification rejects a signing key that cannot be read", async () => {
    const breaks = await spoiled((copy) =>
      copy.put<SigningKey>("signing_key", signer.keyId, { publicJwk: { kty: "nonsense" } }),
    );
    expect(breaks.map(({ what }) => what)).toEqual([
      "its row was changed",
      ...Array(3).fill("the signature was not made with the server's key"),
    ]);
  });
});

const CONTENT = "the hold's question, its terms, its settings or the links made with it were changed";
const FRAME = "the hold's creator, expiry, digest or settings were changed";
const EXECUTED = "the hold's claim was changed";
const REVOKED = { what: "the hold's approval is revoked in the row or in the log, but not in both" };
const VOTED = { what: "the hold's votes were changed" };
const ATTACHED = { what: "the intent that the hold is attached to was changed" };
const CLAIM: Claim = { id: "c1", by: "key:refunder", at: 1, until: 2, state: "claimed" };

test("verification finds a claim that differs from the log, also after a release", async () => {
  const { run, store } = engineKit();
  await run(place("h1"));
  await run({ ...ANSWER, holdId: "h1" });
  const { digest } = must((await store.query({ workspace: "default", kind: "hold", limit: 1 }))[0])
    .body as unknown as Hold;
  const claim = { kind: "claim_hold", holdId: "h1", claimId: "c1", digest, leaseMs: 1000 } as const;
  const copy = async () =>
    new Copy(
      await store.events({ after: 0, limit: 100 }),
      await store.query({ workspace: "default", kind: "hold", limit: 10 }),
    );
  const breaks = async (spoil: Partial<Hold>) => {
    const forged = await copy();
    forged.put<Hold>("hold", "h1", spoil);
    return (await verifyLog(forged)).breaks.map(({ what }) => what);
  };
  await run(claim, AGENT);
  expect(await breaks({})).toEqual([]);
  expect(await breaks({ claim: undefined as never })).toEqual([EXECUTED]);
  await run({ kind: "finish_claim", holdId: "h1", claimId: "c1", ok: false }, AGENT);
  expect(await breaks({})).toEqual([]);
  expect(await breaks({ claim: { ...CLAIM, state: "done" } })).toEqual([EXECUTED]);
  await run({ kind: "release_claim", holdId: "h1" }, OPERATOR);
  expect(await breaks({})).toEqual([]);
  expect(await breaks({ claim: CLAIM })).toEqual([EXECUTED]);
});

describe("verification finds rows that differ from the log", () => {
  const placed = { stream: "hold:h1", seq: 1, what: CONTENT };
  const framed = { stream: "hold:h1", seq: 1, what: FRAME };
  const ended = { stream: "hold:h1", seq: 3, what: "the hold's outcome was changed" };
  const outcome = () =>
    whole.row<Hold>("hold", "h1").body.outcome as Extract<Hold["outcome"], { kind: "decided" }>;

  test.each<[string, () => Partial<Hold>, object]>([
    ["another question", () => ({ ask: { type: "approval", prompt: "Refund 4000 EUR?" } }), placed],
    ["another key", () => ({ key: "key-h9" }), placed],
    ["other people who may answer", () => ({ answerers: ["eve"] }), placed],
    ["another salt", () => ({ salt: "salt-h9" }), placed],
    ["another asker", () => ({ createdBy: "eve" }), framed],
    ["another deadline", () => ({ expiresAt: 5 }), framed],
    ["another digest", () => ({ digest: "sha256:forged" }), framed],
    ["links for nobody", () => ({ links: "server" }), framed],
    ["another thread", () => ({ threadId: "t9" }), framed],
    ["another group", () => ({ groupId: "g9" }), framed],
    ["a decision rule that nobody froze", () => ({ decision: { stages: [] } as never }), framed],
    ["another key that placed it", () => ({ creatorKey: "key_eve" }), placed],
    ["an app as asker", () => ({ askedByApp: true }), placed],
    ["an earlier erasure", () => ({ retainMs: 1 }), placed],
    ["an approval taken back", () => ({ revoked: { at: 1, by: { kind: "key", id: "k" } } }), REVOKED],
    ["a vote that nobody cast", () => ({ votes: [{ person: "eve" } as never] }), VOTED],
    ["an intent", () => ({ intentId: "intent_9" }) as never, ATTACHED],
    ["a claim that is not in the log", () => ({ claim: CLAIM }), { what: EXECUTED }],
    ["another action", () => ({ outcome: { ...outcome(), action: "reject" } }), ended],
    ["another person", () => ({ outcome: { ...outcome(), by: { kind: "key", id: "key_eve" } } }), ended],
    ["another kind of outcome", () => ({ status: "expired", outcome: { kind: "expired", at: 5 } }), ended],
    ["another status", () => ({ status: "cancelled" }), ended],
    ["no outcome at all", () => ({ status: "open", outcome: undefined as never }), ended],
  ])("verification finds a row with %s", async (_name, part, found) => {
    const breaks = await spoiled((copy) => copy.put<Hold>("hold", "h1", part()));
    expect(breaks).toContainEqual(expect.objectContaining(found));
  });

  test("verification finds a row with another head", async () => {
    const breaks = await spoiled((copy) => {
      const row = copy.row("hold", "h1") as unknown as Entity;
      copy.entities = copy.entities.map((entity) =>
        entity === row ? { ...entity, head: "sha256:other" } : entity,
      );
    });
    expect(breaks).toMatchObject([
      { stream: "hold:h1", seq: 3, what: "the hold's log does not end at the event that its row names" },
    ]);
  });

  test("verification finds an outcome that is not in the log", async () => {
    const breaks = await spoiled((copy) =>
      copy.put<Hold>("hold", "h4", { status: "decided", outcome: outcome() }),
    );
    expect(breaks).toMatchObject([{ stream: "hold:h4", what: "the hold's outcome was changed" }]);
  });

  test("verification finds content that is missing without having been erased", async () => {
    const breaks = await spoiled((copy) =>
      copy.put<Hold>("hold", "h4", { ask: null, salt: null, erasedAt: 5 }),
    );
    expect(breaks).toMatchObject([
      {
        stream: "hold:h4",
        what: "the hold's content is missing, and the log does not say that it was erased",
      },
    ]);
  });

  test("verification finds content that was restored after it was erased", async () => {
    const { ask, salt } = whole.row<Hold>("hold", "h1").body;
    const breaks = await spoiled((copy) => copy.put<Hold>("hold", "h2", { ask, salt }));
    expect(breaks.map(({ what }) => what)).toContain(
      "the log says that the hold was erased, but its row has content",
    );
  });

  test("verification finds a changed action on an erased hold", async () => {
    const breaks = await spoiled((copy) => {
      const bare = copy.row<Hold>("hold", "h2").body.outcome as Extract<Hold["outcome"], { kind: "decided" }>;
      copy.put<Hold>("hold", "h2", { outcome: { ...bare, action: "reject" } });
    });
    expect(breaks).toMatchObject([{ stream: "hold:h2", what: "the hold's outcome was changed" }]);
  });
});

test("verification reports at most a hundred breaks, the earliest first, and its progress", async () => {
  const { run, store } = engineKit();
  await Promise.all(Array.from({ length: 1_200 }, (_, i) => run(place(`h${i}`))));
  const events = await store.events({ after: 0, limit: 2_000 });
  const rows = await store.query({ workspace: "default", kind: "hold", limit: 2_000 });
  const spoilt = events.map((event) => ({ ...event, actor: "key:eve" }));
  const shares: number[] = [];
  const { breaks } = await verifyLog(new Copy(spoilt, rows), { onProgress: (share) => shares.push(share) });
  expect(breaks.map(({ position }) => position)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  expect(shares.slice(-3)).toEqual([0.8, 0.8 + 0.2 * (1_000 / 1_200), 1]);
});
