/**
 * Recomputes the whole log, offline, from a copy: the hash and number of every event, the root and signature of every
 * checkpoint, that no stream ends early, and that the rows' content matches the log's digests. Erased content is told
 * apart from tampering.
 */

import type { EntityOf } from "../domains.ts";
import type { Checkpoint, SigningKey } from "../kernel/log/checkpoint.ts";
import type { StoredEvent } from "../kernel/record.ts";
import type { Table } from "../kernel/table.ts";
import type { ReadStore } from "../store/port.ts";
import { sha256 } from "../system/digest.ts";
import { isSignedBy } from "../system/signing.ts";
import { LOG_WORKSPACE, RunningRoot, statementOf } from "./checkpointer.ts";
import { Audiences } from "./verify-audience.ts";
import { checkRows, HoldHistories, workspacesOf } from "./verify-rows.ts";
import { VouchedRows } from "./verify-vouched.ts";
import { walk } from "./verify-walk.ts";

export interface Break {
  readonly position: number;
  readonly stream: string;
  readonly seq: number;
  readonly what: string;
}

/** A break and its workspace. A break of a checkpoint concerns all workspaces. */
export interface Found extends Break {
  readonly workspace: string;
}

export interface Verification {
  readonly events: number;
  readonly streams: number;
  readonly checkpoints: number;
  /** Events after the newest checkpoint: in the hash chain, but not yet signed. */
  readonly unsigned: number;
  /**
   * The newest checkpoint's hash. Store it elsewhere: with it you can tell later that nothing before it was removed.
   */
  readonly anchor: string | null;
  /** Holds whose content was erased on purpose. */
  readonly erased: number;
  /** In order of position; empty: no tampering was found. */
  readonly breaks: readonly Break[];
}

export interface Head {
  seq: number;
  hash: string;
  position: number;
}

const BREAKS_MAX = 100;

export interface VerifyOptions {
  readonly onProgress?: (share: number) => void;
  /** The whole log is verified, but only what concerns this workspace is reported. */
  readonly only?: string;
  /**
   * Anchors stored from earlier verifications. Anybody who can write to the database can remove its newest events
   * together with their checkpoints, or replace the keys; only something stored outside of it reveals that.
   */
  readonly anchors?: readonly string[];
}

/** The expected hash of an event; `null`: its content was erased, so only its place in the chain can be checked. */
export type HashOf = (event: StoredEvent) => string | null;

/** What a domain verifies of its own events and rows. */
export interface DomainWalk {
  /** Returns a function that gives the expected hash of each of these events. */
  hashes(page: readonly StoredEvent[]): Promise<HashOf>;
  end(heads: ReadonlyMap<string, Head>, histories: HoldHistories): Promise<void>;
}

export type Verify = (store: ReadStore, options?: VerifyOptions) => Promise<Verification>;

export type WalkOf = (store: ReadStore, breaks: Found[]) => DomainWalk;

export async function verifyWith(
  table: Pick<Table, "vouchedKinds" | "vouchedOf" | "attachments">,
  walkOf: WalkOf,
  store: ReadStore,
  { onProgress = () => {}, only, anchors = [] }: VerifyOptions = {},
): Promise<Verification> {
  const breaks: Found[] = [];
  const heads = new Map<string, Head>();
  const histories = new HoldHistories();
  const vouched = new VouchedRows(table);
  const audiences = new Audiences(breaks);
  const last = await store.lastPosition();
  const checkpoints = new CheckpointWalk(await allOf(store, "checkpoint"), await signingKeys(store), breaks);
  const domain = walkOf(store, breaks);
  const counted = new Count(checkpoints, only);
  for await (const page of store.scan({ after: 0 })) {
    const hashOf = await domain.hashes(page);
    for (const event of page) {
      checkEvent(event, heads, breaks, hashOf);
      histories.add(event);
      vouched.add(event);
      audiences.pass(event);
      checkpoints.pass(event);
      counted.pass(event);
    }
    onProgress(last === 0 ? 1 : ((page.at(-1)?.position ?? 0) / last) * 0.8);
  }
  checkpoints.end(last);
  checkpoints.expect(anchors, last);
  await domain.end(heads, histories);
  await vouched.check(store, workspacesOf(heads), heads, breaks);
  const erased = await checkRows(store, heads, histories, breaks, table.attachments, onProgress);
  const isReported = (workspace: string) =>
    only === undefined || workspace === only || workspace === LOG_WORKSPACE;
  // The sort is stable: at one position, breaks of events come first, then of checkpoints, then of rows.
  const ordered = breaks
    .filter(({ workspace }) => isReported(workspace))
    .toSorted((a, b) => a.position - b.position)
    .map(({ workspace: _, ...each }): Break => each);
  return {
    events: counted.events,
    streams: [...heads.keys()].filter((name) => only === undefined || name.startsWith(`${only}\u0000`))
      .length,
    checkpoints: checkpoints.passed,
    unsigned: counted.unsigned,
    anchor: checkpoints.newest,
    erased: only === undefined ? sum(erased.values()) : (erased.get(only) ?? 0),
    breaks: ordered.slice(0, BREAKS_MAX),
  };
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((all, each) => all + each, 0);
}

/** Counts the reported events: all, and those since the newest checkpoint. */
class Count {
  readonly #checkpoints: CheckpointWalk;
  readonly #only: string | undefined;
  #passed = 0;
  #recent = 0;
  events = 0;

  constructor(checkpoints: CheckpointWalk, only: string | undefined) {
    this.#checkpoints = checkpoints;
    this.#only = only;
  }

  get unsigned(): number {
    return this.#checkpoints.passed === this.#passed ? this.#recent : 0;
  }

  /** Called after the checkpoints have processed the event. */
  pass({ workspace }: StoredEvent): void {
    if (this.#checkpoints.passed !== this.#passed) {
      this.#passed = this.#checkpoints.passed;
      this.#recent = 0;
    }
    if (this.#only !== undefined && workspace !== this.#only) return;
    this.events += 1;
    this.#recent += 1;
  }
}

function checkEvent(event: StoredEvent, heads: Map<string, Head>, breaks: Found[], hashOf: HashOf): void {
  const { position, stream, seq, workspace } = event;
  const name = `${workspace}\u0000${stream}`;
  const head = heads.get(name) ?? { seq: 0, hash: "", position: 0 };
  const report = (what: string) => breaks.push({ workspace, position, stream, seq, what });
  if (seq !== head.seq + 1) report(`expected event ${head.seq + 1} of its stream, found ${seq}`);
  else if (event.previous !== head.hash) report("does not follow the event before it");
  if ((hashOf(event) ?? event.hash) !== event.hash)
    report("was changed: its hash does not match its content");
  heads.set(name, { seq, hash: event.hash, position });
}

class CheckpointWalk {
  readonly #checkpoints: readonly Checkpoint[];
  readonly #keys: ReadonlyMap<string, SigningKey>;
  readonly #breaks: Found[];
  #running = new RunningRoot();
  #previous = "";
  #at = 0;
  passed = 0;

  constructor(checkpoints: readonly Checkpoint[], keys: ReadonlyMap<string, SigningKey>, breaks: Found[]) {
    this.#checkpoints = checkpoints;
    this.#keys = keys;
    this.#breaks = breaks;
  }

  pass(event: StoredEvent): void {
    this.#closeBefore(event.position);
    this.#running.add(event.hash);
  }

  end(last: number): void {
    this.#closeBefore(last + 1);
    const next = this.#checkpoints[this.passed];
    if (next !== undefined)
      // Not where the log ends: the text is the same at a second look, when it has grown.
      this.#report(next, `covers events up to ${next.upTo}, but the log ends before`);
  }

  get newest(): string | null {
    return this.#previous === "" ? null : this.#previous;
  }

  expect(anchors: readonly string[], last: number): void {
    const known = new Set(this.#checkpoints.slice(0, this.passed).map(({ hash }) => hash));
    for (const anchor of anchors.filter((each) => !known.has(each))) {
      this.#breaks.push({
        workspace: LOG_WORKSPACE,
        position: last,
        stream: `checkpoint:${anchor}`,
        seq: 0,
        what: "this checkpoint, which was stored elsewhere, is not in the log: the end of the log was removed or rewritten",
      });
    }
  }

  /** Checks the checkpoints that end before this position: all their events have been read. */
  #closeBefore(position: number): void {
    for (;;) {
      const next = this.#checkpoints[this.passed];
      if (next === undefined || next.upTo >= position) return;
      this.#check(next);
      this.#previous = next.hash;
      this.#at = next.upTo;
      this.#running = new RunningRoot();
      this.passed += 1;
    }
  }

  #check(checkpoint: Checkpoint): void {
    const text = statementOf(checkpoint);
    const key = this.#keys.get(checkpoint.keyId);
    if (checkpoint.from !== this.#at || checkpoint.previous !== this.#previous)
      this.#report(checkpoint, "a checkpoint is missing before this one");
    else if (sha256(text) !== checkpoint.hash) this.#report(checkpoint, "this checkpoint was changed");
    else if (key === undefined)
      this.#report(checkpoint, "signed with a key that is not among the server's signing keys");
    else if (!isSigned(key, text, checkpoint.signature))
      this.#report(checkpoint, "the signature was not made with the server's key");
    else if (checkpoint.count !== this.#running.count) {
      this.#report(
        checkpoint,
        `signed ${checkpoint.count} events, but ${this.#running.count} were found: some are missing`,
      );
    } else if (checkpoint.root !== this.#running.root())
      this.#report(checkpoint, "the events before this checkpoint are not the ones it signed");
  }

  #report(checkpoint: Checkpoint, what: string): void {
    const stream = `checkpoint:${checkpoint.id}`;
    this.#breaks.push({ workspace: LOG_WORKSPACE, position: checkpoint.upTo, stream, seq: 0, what });
  }
}

/** A row that was tampered with may contain no valid key. */
function isSigned(key: SigningKey, text: string, signature: string): boolean {
  try {
    return isSignedBy(key.publicJwk, text, signature);
  } catch {
    return false;
  }
}

async function allOf<K extends "checkpoint" | "signing_key">(store: ReadStore, kind: K) {
  const found: EntityOf<K>["body"][] = [];
  for await (const entity of walk(store, LOG_WORKSPACE, kind)) found.push(entity.body);
  return found;
}

async function signingKeys(store: ReadStore): Promise<ReadonlyMap<string, SigningKey>> {
  const keys = await allOf(store, "signing_key");
  return new Map(keys.map((key) => [key.id, key]));
}
