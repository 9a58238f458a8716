/**
 * One command on the pure rules, driven as the engine drives it: needs until nobody needs more, then decide. A decision that
 * reads what no need named throws: the engine would not have loaded or locked it.
 */

import { type Bodies, type Command, type Kind, TABLE } from "../domains.ts";
import { contentDigest } from "../engine/seal.ts";
import { AGAIN, type Reply } from "../kernel/draft.ts";
import { NO_PLATFORM, type Platform } from "../kernel/platform.ts";
import type { AnyDraft, AnyRecord, AnyWorld } from "../kernel/table.ts";
import type { Need, World } from "../kernel/world.ts";
import { createJudge } from "../system/judge.ts";
import type { Recorded } from "./tables.ts";

export interface Row {
  readonly body: object;
  readonly version: number;
}

/** What is so, by `rowName`. */
export type Rows = ReadonlyMap<string, Row>;

/** As the engine tells it. */
type Decided =
  | { readonly ok: true; readonly id: string; readonly fresh: boolean }
  | Extract<Reply, { readonly ok: false }>;

export interface Decision {
  readonly facts: readonly Recorded[];
  readonly reply: Decided;
}

export interface Step {
  readonly before: Rows;
  readonly after: Rows;
  readonly decision: Decision;
}

export const testJudge = createJudge();

/** As on a local server, where agents may be given links. */
export const TEST_PLATFORM: Platform = { ...NO_PLATFORM, agentLinks: "always" };

export function rowName(kind: string, id: string): string {
  return `${kind} ${id}`;
}

export function bodyOf<K extends Kind>(rows: Rows, kind: K, id: string): Bodies[K] | undefined {
  return rows.get(rowName(kind, id))?.body as Bodies[K] | undefined;
}

export interface StepOptions {
  readonly judge?: typeof testJudge | undefined;
  readonly platform?: Platform | undefined;
  /** How many rows are loaded of those that are only needed if there is room. Absent: all. */
  readonly room?: number | undefined;
}

export function runStep(before: Rows, command: Command, now: number, options: StepOptions = {}): Step {
  const { judge = testJudge, platform = TEST_PLATFORM, room = Number.POSITIVE_INFINITY } = options;
  const { named, leftOut } = nameAll(command, before, room);
  const draft = new StepDraft(before, named, leftOut);
  const context = { now, platform, judge, digest: contentDigest };
  const reply = TABLE.decide(command, draft, context);
  if (reply === AGAIN || !reply.ok) draft.rollBack();
  const { rows: after } = draft;
  const facts = draft.facts as readonly Recorded[];
  if (reply === AGAIN) {
    const { decision, ...step } = runStep(after, command, now, options);
    return { ...step, before, decision: { ...decision, facts: [...facts, ...decision.facts] } };
  }
  const fresh = facts.length > 0;
  const decided = reply.ok ? { ...reply, fresh: fresh && reply.fresh !== false } : reply;
  return { before, after, decision: { facts, reply: decided } };
}

/** A command makes one new version of an entity, however many of its facts are about it. */
class StepDraft implements AnyDraft {
  readonly attachments = TABLE.attachments;
  readonly #before: Rows;
  readonly #named: Set<string> | undefined;
  /** Rows for which there was no room. The engine gives nothing for them. */
  readonly #leftOut: ReadonlySet<string>;
  #facts: readonly AnyRecord[] = [];
  #rows: Rows;
  #kept: { readonly facts: readonly AnyRecord[]; readonly rows: Rows };

  constructor(before: Rows, named?: ReadonlySet<string>, leftOut: ReadonlySet<string> = new Set()) {
    this.#before = before;
    this.#leftOut = leftOut;
    this.#named = named === undefined ? undefined : new Set(named);
    this.#rows = before;
    this.#kept = { facts: [], rows: before };
  }

  get facts() {
    return this.#facts;
  }

  get rows(): Rows {
    return this.#rows;
  }

  get(kind: string, id: string) {
    return this.#find(kind, id)?.body;
  }

  version(kind: string, id: string) {
    return this.#find(kind, id)?.version ?? 0;
  }

  hasLoaded(needs: readonly Need[]) {
    return needs.every(
      ({ kind, id, ifRoom }) => ifRoom === true || (this.#named?.has(rowName(kind, id)) ?? true),
    );
  }

  state(record: AnyRecord) {
    // Messages are made with the workspace's settings in sight.
    if (record.kind === "hold") this.get("workspace", "settings");
    const rows = new Map(this.#rows);
    for (const { kind, id, body } of TABLE.evolve(this, record)) {
      const name = rowName(kind, id);
      if (body === null) rows.delete(name);
      else rows.set(name, { body, version: (this.#before.get(name)?.version ?? 0) + 1 });
      this.#named?.add(name);
    }
    this.#rows = rows;
    this.#facts = [...this.#facts, record];
  }

  keepSoFar() {
    this.#kept = { facts: this.#facts, rows: this.#rows };
  }

  rollBack() {
    this.#facts = this.#kept.facts;
    this.#rows = this.#kept.rows;
  }

  #find(kind: string, id: string): Row | undefined {
    const name = rowName(kind, id);
    if (this.#named !== undefined && !this.#named.has(name)) {
      if (this.#leftOut.has(name)) return undefined;
      throw new Error(`${name} was read, but no need named it`);
    }
    return this.#rows.get(name);
  }
}

/** A draft over these rows, in which everything is in sight. */
export function draftOver(rows: Rows): StepDraft {
  return new StepDraft(rows);
}

export function applyFacts(before: Rows, facts: readonly AnyRecord[], named?: ReadonlySet<string>): Rows {
  const draft = new StepDraft(before, named);
  for (const record of facts) draft.state(record);
  return draft.rows;
}

function nameAll(command: Command, rows: Rows, room: number) {
  const named = new Set<string>();
  const leftOut = new Set<string>();
  let roomLeft = room;
  for (;;) {
    const size = named.size;
    const needs = TABLE.needs(command, worldOf(rows, new Set(named)));
    const [ifRoom, atAll] = [needs.filter((need) => need.ifRoom), needs.filter((need) => !need.ifRoom)];
    for (const { kind, id } of atAll) named.add(rowName(kind, id));
    for (const name of ifRoom.map(({ kind, id }) => rowName(kind, id)).filter((each) => !named.has(each))) {
      if (roomLeft === 0) leftOut.add(name);
      else named.add(name);
      roomLeft = Math.max(roomLeft - 1, 0);
    }
    if (named.size === size) return { named, leftOut };
  }
}

/** What was not named is not there yet, as while the engine is still loading. Without names all is in sight. */
export function worldOf(rows: Rows, named?: ReadonlySet<string>): AnyWorld & World<Bodies> {
  const find = (kind: string, id: string): Row | undefined => {
    const name = rowName(kind, id);
    return named === undefined || named.has(name) ? rows.get(name) : undefined;
  };
  return {
    attachments: TABLE.attachments,
    get: (kind: string, id: string) => find(kind, id)?.body as never,
    version: (kind: string, id: string) => find(kind, id)?.version ?? 0,
  };
}
