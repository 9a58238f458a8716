/**
 * What a thread is remembered by between runs. It is written before anything it says is told (G2), under the version that was
 * read, so that of two processes with one thread only one goes on.
 */

import { isRefusal, type ThreadClient } from "../../client/index.ts";
import type { Json, JsonObject } from "../../rules/index.ts";
import type { AgUiMessage, AgUiTool, InterruptForm, RunInput } from "../index.ts";
import { RunRefusal } from "./codes.ts";
import { checkRoom, type PackedRecord, packed, unpacked } from "./size.ts";

/** What a run of the agent began with; a fresh process begins with the same. */
export interface WorkInput {
  readonly messages: readonly AgUiMessage[];
  readonly state: Json;
  readonly tools: readonly AgUiTool[];
  readonly context: readonly JsonObject[];
  readonly forwardedProps?: Json;
}

/** One call of the agent, from its first event to its return, over as many runs as it takes. */
export type Work = {
  readonly id: string;
  readonly input: WorkInput;
  /** Groups of holds, one for each time it stopped, oldest first. The last one is what it waits for. None: its process died while it asked. */
  readonly groups: readonly string[];
  /** Results of steps by their number. */
  readonly journal: Readonly<Record<string, Json>>;
};

export type RecordedEnd =
  | { readonly kind: "success"; readonly result?: Json; readonly pendingToolCallIds?: readonly string[] }
  | { readonly kind: "interrupt"; readonly groupId: string }
  | { readonly kind: "cancelled" };

export type ThreadRecord = {
  readonly form?: InterruptForm;
  readonly messages: readonly AgUiMessage[];
  readonly state: Json;
  readonly lease?: { readonly holder: string; readonly until: number };
  readonly work?: Work;
  /** How the run that answered this group ended; sent again when the same resume is repeated (AG-035). */
  readonly last?: { readonly groupId: string; readonly end: RecordedEnd };
  /** What came with resumes besides the answers, and that they came again: for the audit, never for a tool (AG-023, AG-099). */
  readonly notes?: readonly JsonObject[];
};

const EMPTY: ThreadRecord = { messages: [], state: {} };
const NOTES_MAX = 100;

export class ThreadBook {
  readonly #client: ThreadClient;
  readonly #threadId: string;
  #version: number;
  #record: ThreadRecord;
  /** Writes follow one another: the lease is renewed while the run goes on. */
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(client: ThreadClient, threadId: string, version: number, record: ThreadRecord) {
    this.#client = client;
    this.#threadId = threadId;
    this.#version = version;
    this.#record = record;
  }

  /** `amend` changes what was read; the change is written with the next one. */
  static async open(
    client: ThreadClient,
    threadId: string,
    amend: (record: ThreadRecord) => Promise<ThreadRecord> = async (record) => record,
  ): Promise<ThreadBook> {
    const kept = await client.getThread(threadId);
    const record = await amend(kept === null ? EMPTY : unpacked(kept.data as PackedRecord));
    return new ThreadBook(client, threadId, kept?.version ?? 0, record);
  }

  get record(): ThreadRecord {
    return this.#record;
  }

  /** Changes the record and writes it. If another process has taken the thread over, it throws and writes nothing. */
  keep(change: (record: ThreadRecord) => ThreadRecord): Promise<void> {
    const write = this.#writing.then(async () => {
      const next = change(this.#record);
      await checkRoom(next);
      const waitsFor = next.work?.groups.at(-1);
      try {
        const kept = await this.#client.keepThread(this.#threadId, {
          data: packed(next) as JsonObject,
          ifVersion: this.#version,
          ...(waitsFor === undefined ? {} : { waitsFor }),
        });
        this.#version = kept.version;
        this.#record = next;
      } catch (error) {
        if (isRefusal(error, "precondition_failed")) throw new RunRefusal("THREAD_BUSY");
        if (isRefusal(error, "too_large")) throw new RunRefusal("CONVERSATION_TOO_LARGE");
        throw error;
      }
    });
    this.#writing = write.catch(() => undefined);
    return write;
  }

  /** Resolves when nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#writing;
  }
}

export function withNotes(record: ThreadRecord, notes: readonly JsonObject[]): ThreadRecord {
  if (notes.length === 0) return record;
  return { ...record, notes: [...(record.notes ?? []), ...notes].slice(-NOTES_MAX) };
}

const TRIES_MAX = 5;

/** That the same was said again is on record, whatever else happens to the thread meanwhile (AG-099). */
export async function noteReplay(client: ThreadClient, { threadId, runId, resume }: RunInput): Promise<void> {
  const said = resume?.kind === "list" ? resume.entries : resume === undefined ? [] : [resume];
  const notes = said.map(
    ({ interruptId = "" }): JsonObject => ({
      interrupt_id: interruptId,
      run_id: runId,
      replay: true,
    }),
  );
  for (let tries = 1; ; tries += 1) {
    const thread = await ThreadBook.open(client, threadId);
    try {
      return await thread.keep((record) => withNotes(record, notes));
    } catch (error) {
      if (!(error instanceof RunRefusal && error.code === "THREAD_BUSY") || tries === TRIES_MAX) throw error;
    }
  }
}

/** How often the answer to an interrupt came again and was told what had come of it. */
export function replaysOf({ notes = [] }: ThreadRecord, interruptId: string): number {
  return notes.filter((note) => note["replay"] === true && note["interrupt_id"] === interruptId).length;
}

export function without<Name extends "lease" | "work">(
  record: ThreadRecord,
  ...names: readonly Name[]
): ThreadRecord {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => !names.includes(name as Name)),
  ) as ThreadRecord;
}
