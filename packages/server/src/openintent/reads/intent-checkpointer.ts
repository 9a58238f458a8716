/**
 * Signs each intent's log as it grows, so that an inclusion proof for one event needs only the checkpoint.
 *
 * J1  An intent's checkpoints are contiguous and never empty: each begins with the event after the end of the one before.
 * J2  A checkpoint is made after `everyEvents` new events of an intent, or `everyMs` after the first new event, whichever is first.
 * J3  Events that were unsigned when a server stopped are found when a server starts.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Commit, Engine } from "../../engine/engine.ts";
import { pagesOf } from "../../engine/log-pages.ts";
import { merkleRoot } from "../../engine/merkle.ts";
import { SYSTEM } from "../../kernel/principal.ts";
import { canonicalJson } from "../../system/canonical-json.ts";
import type { IntentCheckpoint } from "../rules/intent/records.ts";
import { intentIdOf, isIntentStream, streamOf } from "../rules/intent/served.ts";
import { wireTime } from "../rules/intent/wire-time.ts";
import type { Intents } from "./intents.ts";

export interface IntentSigner {
  /** The signer's name, from which clients find the public key. */
  readonly name: string;
  sign(text: string): string;
}

export interface IntentCheckpointerOptions {
  readonly engine: Engine;
  readonly intents: Intents;
  readonly signer: IntentSigner;
  readonly nextId: (now: number) => string;
  readonly everyEvents?: number;
  readonly everyMs?: number;
  readonly onFault?: (fault: unknown) => void;
}

/** The most leaves in one Merkle tree. Further events go into the next checkpoint. */
const EVENTS_MAX = 1_000;
const TRIES_MAX = 5;
/** How many events a starting server scans backwards for unsigned ones. */
const LOOK_BACK = 20_000;

interface Waiting {
  readonly workspace: string;
  readonly intentId: string;
  fresh: number;
}

export class IntentCheckpointer {
  readonly #options: IntentCheckpointerOptions;
  readonly #detach: () => void;
  readonly #waiting = new Map<string, Waiting>();
  #disarm: (() => void) | null = null;
  readonly #signing = new Set<Promise<unknown>>();
  #running: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(options: IntentCheckpointerOptions) {
    this.#options = options;
    this.#detach = options.engine.onCommit((commit) => this.#count(commit.events));
  }

  /** Scans the log for events that were left unsigned (J3). */
  async start(): Promise<void> {
    const { store } = this.#options.engine;
    const last = await store.lastPosition();
    for await (const page of store.scan({ after: Math.max(0, last - LOOK_BACK), upTo: last }))
      this.#count(page);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#detach();
    this.#disarm?.();
    await Promise.all(this.#signing);
    await this.#running;
  }

  #count(events: Commit["events"]): void {
    if (this.#stopped) return;
    for (const { workspace, stream } of events) {
      if (!isIntentStream(stream)) continue;
      const name = `${workspace}\u0000${stream}`;
      const waiting = this.#waiting.get(name) ?? { workspace, intentId: intentIdOf(stream), fresh: 0 };
      waiting.fresh += 1;
      this.#waiting.set(name, waiting);
      if (waiting.fresh === (this.#options.everyEvents ?? 100)) this.#signSoon([[name, waiting]]);
    }
    if (this.#waiting.size > 0) this.#arm();
  }

  #arm(): void {
    const { engine, everyMs = 300_000 } = this.#options;
    this.#disarm ??= engine.clock.at(engine.clock.now() + everyMs, async () => {
      this.#disarm = null;
      this.#signSoon([...this.#waiting]);
      await Promise.all(this.#signing);
    });
  }

  #signSoon(waiting: readonly (readonly [string, Waiting])[]): void {
    for (const [name, { workspace, intentId }] of waiting) {
      this.#waiting.delete(name);
      const signing = this.#signAll(workspace, intentId)
        .catch((fault) => this.#options.onFault?.(fault))
        .finally(() => this.#signing.delete(signing));
      this.#signing.add(signing);
    }
  }

  /** Events that do not fit into one tree go into the next. */
  async #signAll(workspace: string, intentId: string): Promise<void> {
    for (;;) {
      const made = await this.make(workspace, intentId);
      if (made === undefined || made.lastSeq - made.firstSeq + 1 < EVENTS_MAX) return;
    }
  }

  /** Runs one at a time, so that no two checkpoints cover the same events; `undefined` if there is nothing new to sign. */
  make(workspace: string, intentId: string): Promise<IntentCheckpoint | undefined> {
    const making = this.#running.then(() => this.#make(workspace, intentId));
    this.#running = making.catch(() => undefined);
    return making;
  }

  /** If another server signed first, it tries again with the events after that checkpoint. */
  async #make(workspace: string, intentId: string): Promise<IntentCheckpoint | undefined> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const checkpoint = await this.#draft(workspace, intentId);
      if (checkpoint === undefined) return undefined;
      const keep = { kind: "keep_intent_checkpoint", workspace, by: SYSTEM, intentId, checkpoint } as const;
      const result = await this.#options.engine.run(keep);
      if (result.ok) return checkpoint;
    }
    return undefined;
  }

  async #draft(workspace: string, intentId: string): Promise<IntentCheckpoint | undefined> {
    const { engine, intents, signer, nextId } = this.#options;
    const seen = await intents.get(workspace, intentId);
    const stream = streamOf(intentId);
    const afterSeq = seen?.intent.body.checkpointed ?? 0;
    const hashes: string[] = [];
    const unsigned = { workspace, stream, after: 0, afterSeq, limit: EVENTS_MAX };
    for await (const page of pagesOf(engine.store, unsigned)) hashes.push(...page.map(({ hash }) => hash));
    if (seen === undefined || hashes.length === 0) return undefined;
    const at = engine.clock.now();
    const statement = {
      id: `chk_${nextId(at)}`,
      intentId,
      firstSeq: afterSeq + 1,
      lastSeq: afterSeq + hashes.length,
      merkleRoot: merkleRoot(hashes),
      at,
      signedBy: signer.name,
    };
    return { ...statement, signature: signer.sign(canonicalJson(checkpointStatement(statement))) };
  }
}

/** The signed text: the checkpoint as it is served, without its signature. */
export function checkpointStatement(checkpoint: Omit<IntentCheckpoint, "signature">): JsonObject {
  const { id, intentId, firstSeq, lastSeq, at, signedBy } = checkpoint;
  return {
    checkpoint_id: id,
    intent_id: intentId,
    scope: "intent",
    merkle_root: checkpoint.merkleRoot,
    event_count: lastSeq - firstSeq + 1,
    first_sequence: firstSeq,
    last_sequence: lastSeq,
    created_at: wireTime(at),
    signed_by: signedBy,
    anchor: null,
  };
}
