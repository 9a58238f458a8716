/**
 * Re-computes the whole log, offline, from a copy: every event's hash and place, every checkpoint's root and signature, that
 * no stream ends early, and that the content in the rows is still what the log's digests say. Erased is not broken.
 */

import type { EntityOf } from "../domains.ts";
import type { Checkpoint, SigningKey } from "../kernel/log/checkpoint.ts";
import type { StoredEvent } from "../kernel/record.ts";
import type { ReadStore } from "../store/port.ts";
import { sha256 } from "../system/digest.ts";
import { isSignedBy } from "../system/signing.ts";
import { LOG_WORKSPACE, RunningRoot, statementOf } from "./checkpointer.ts";
import { checkRows, HoldStories, walk } from "./verify-rows.ts";

export interface Break {
  readonly position: number;
  readonly stream: string;
  readonly seq: number;
  readonly what: string;
}

/** A break and whose it is; a checkpoint's is everybody's. */
export interface Found extends Break {
  readonly workspace: string;
}

export interface Verification {
  readonly events: number;
  readonly streams: number;
  readonly checkpoints: number;
  /** Events after the newest checkpoint: chained, not yet signed. */
  readonly unsigned: number;
  /** The newest checkpoint's hash, to be kept elsewhere: who has it can tell later that nothing before it was taken away. */
  readonly anchor: string | null;
  /** Holds whose content was erased on purpose. */
  readonly erased: number;
  /** In order of position; empty means whole. */
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
  /** The whole log is verified, but told is what concerns this workspace. */
  readonly only?: string;
  /**
   * Anchors kept from earlier verifications. Whoever can write the database can take away its newest events together with their
   * checkpoints, or put other keys in; only something kept outside of it can tell.
   */
  readonly anchors?: readonly string[];
}

/** `null`: what the event said was erased, so only its place in the chain can be checked. */
export type HashOf = (event: StoredEvent) => string | null;

/** What a domain checks of its own events and rows. */
export interface DomainWalk {
  /** What the hash of each of these events should be. */
  hashes(page: readonly StoredEvent[]): Promise<HashOf>;
  end(heads: ReadonlyMap<string, Head>, stories: HoldStories): Promise<void>;
}

export type Verify = (store: ReadStore, options?: VerifyOptions) => Promise<Verification>;

export type WalkOf = (store: ReadStore, breaks: Found[]) => DomainWalk;

export async function verifyWith(
  walkOf: WalkOf,
  store: ReadStore,
  { onProgress = () => {}, only, anchors = [] }: VerifyOptions = {},
): Promise<Verification> {
  const breaks: Found[] = [];
  const heads = new Map<string, Head>();
  const story = new HoldStories();
  const last = await store.lastPosition();
  const checkpoints = new CheckpointWalk(await allOf(store, "checkpoint"), await signingKeys(store), breaks);
  const domain = walkOf(store, breaks);
  const counted = new Count(checkpoints, only);
  for await (const page of store.scan({ after: 0 })) {
    const hashOf = await domain.hashes(page);
    for (const event of page) {
      checkEvent(event, heads, breaks, hashOf);
      story.note(event);
      checkpoints.pass(event);
      counted.pass(event);
    }
    onProgress(last === 0 ? 1 : ((page.at(-1)?.position ?? 0) / last) * 0.8);
  }
  checkpoints.end(last);
  checkpoints.expect(anchors, last);
  await domain.end(heads, story);
  const erased = await checkRows(store, heads, story, breaks, onProgress);
  const isTold = (workspace: string) =>
    only === undefined || workspace === only || workspace === LOG_WORKSPACE;
  // A checkpoint's break comes after its events', and a row's after both: as they were found.
  const ordered = breaks
    .filter(({ workspace }) => isTold(workspace))
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

/** Events that are told of, all and since the newest checkpoint. */
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

  /** After the checkpoints have passed it. */
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
  const say = (what: string) => breaks.push({ workspace, position, stream, seq, what });
  if (seq !== head.seq + 1) say(`expected number ${head.seq + 1} of its stream, found ${seq}`);
  else if (event.previous !== head.hash) say("does not follow the event before it");
  if ((hashOf(event) ?? event.hash) !== event.hash) say("was changed: its hash does not fit its words");
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
    if (next !== undefined) this.#say(next, `covers events up to ${next.upTo}, but the log ends at ${last}`);
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
        what: "this checkpoint, kept elsewhere, is not in the log: its end was taken away or written anew",
      });
    }
  }

  /** Checkpoints that end before this position are complete now. */
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
      this.#say(checkpoint, "a checkpoint is missing before this one");
    else if (sha256(text) !== checkpoint.hash) this.#say(checkpoint, "this checkpoint was changed");
    else if (key === undefined) this.#say(checkpoint, "signed by a key nobody knows");
    else if (!isSigned(key, text, checkpoint.signature))
      this.#say(checkpoint, "the signature is not the server's");
    else if (checkpoint.count !== this.#running.count) {
      this.#say(
        checkpoint,
        `vouches for ${checkpoint.count} events, found ${this.#running.count}: some are missing`,
      );
    } else if (checkpoint.root !== this.#running.root())
      this.#say(checkpoint, "the events before it are not the ones it vouches for");
  }

  #say(checkpoint: Checkpoint, what: string): void {
    const stream = `checkpoint:${checkpoint.id}`;
    this.#breaks.push({ workspace: LOG_WORKSPACE, position: checkpoint.upTo, stream, seq: 0, what });
  }
}

/** A key row that was tampered with may be no key at all. */
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
