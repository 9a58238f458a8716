/**
 * Combines the tables of all domains. The engine, the stores and the timers look up kinds, commands and facts here by
 * name.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { AttachmentRules, Attachments, GroupRules } from "./attachment.ts";
import type { Context } from "./context.ts";
import type { AnyCommand, AnyFact, CommandSpec, Domain, FactSpec, KindSpec } from "./domain.ts";
import { type AGAIN, type Draft, type FactRecord, type Reply, refuse } from "./draft.ts";
import type { Body, EntityKey, IndexValues } from "./entity.ts";
import { failure } from "./failure.ts";
import type { Hold } from "./hold/hold.ts";
import type { Platform } from "./platform.ts";
import { onlyReads, SYSTEM } from "./principal.ts";
import type { LogEvent, OutboxRow, SealedEvent } from "./record.ts";
import type { Need, World } from "./world.ts";

/** Bodies and facts of any domain, untyped: each domain checks the types of its own table where it declares it. */
export type AnyBodies = Readonly<Record<string, Body>>;
export type AnyWorld = World<AnyBodies>;
export type AnyDraft = Draft<AnyBodies, AnyFact>;
export type AnyRecord = FactRecord<AnyFact>;
export interface AnyChange {
  readonly kind: string;
  readonly id: string;
  readonly body: Body | null;
}

type AnyKind = KindSpec<Body>;
type AnyCommandSpec = CommandSpec<AnyCommand, AnyBodies, AnyFact>;
type AnyFactSpec = FactSpec<AnyFact, AnyBodies>;

const NO_VALUES: IndexValues = {};
const ONLY_READS = failure(
  "not_allowed",
  "an auditor's key only reads; use a key with another role to change something",
);

/** The part of the table that a store needs. */
export type IndexTable = Pick<Table, "indexNames" | "indexValues">;

export class Table {
  readonly attachments: Attachments;
  readonly #kinds: ReadonlyMap<string, AnyKind>;
  readonly #commands: ReadonlyMap<string, AnyCommandSpec>;
  readonly #facts: ReadonlyMap<string, AnyFactSpec>;
  readonly #indexNames: ReadonlyMap<string, readonly string[]>;

  /** `domains` by name. A hold's attachment refers to a domain by this name. */
  constructor(domains: Readonly<Record<string, Domain>>) {
    const all = Object.entries(domains);
    this.attachments = {
      domains: Object.fromEntries(
        all.flatMap(([name, { attachment }]): [string, AttachmentRules][] =>
          attachment === undefined ? [] : [[name, attachment]],
        ),
      ),
      groups: all.flatMap(([, { groups }]): GroupRules[] => (groups === undefined ? [] : [groups])),
    };
    // Entries are looked up by a name that comes from data, so no static type can follow them. Each entry was checked
    // against its own command, fact or body where its domain declares it.
    const entries = <S>(part: keyof Pick<Domain, "kinds" | "commands" | "facts">) =>
      new Map(all.flatMap(([, domain]) => Object.entries(domain[part]))) as unknown as ReadonlyMap<string, S>;
    this.#kinds = withAttachmentIndexes(entries<AnyKind>("kinds"), this.attachments);
    this.#commands = entries("commands");
    this.#facts = entries("facts");
    this.#indexNames = new Map([...this.#kinds].map(([name, { indexes }]) => [name, Object.keys(indexes)]));
  }

  get kinds(): readonly string[] {
    return [...this.#kinds.keys()];
  }

  /** The names of the indexes that a kind declares. */
  indexNames(kind: string): readonly string[] {
    return known(this.#indexNames.get(kind), "kind of entity", kind);
  }

  indexValues(kind: string, body: Body): IndexValues {
    const names = this.indexNames(kind);
    if (names.length === 0) return NO_VALUES;
    const { indexes } = this.#kind(kind);
    const values: Record<string, string | undefined> = {};
    for (const name of names) values[name] = indexes[name]?.(body);
    return values;
  }

  needs(command: AnyCommand, world: AnyWorld): readonly Need[] {
    return this.#isForbidden(command) ? [] : this.#command(command.kind).needs(command, world);
  }

  decide(command: AnyCommand, draft: AnyDraft, context: Context): Reply | typeof AGAIN {
    if (this.#isForbidden(command)) return refuse(ONLY_READS);
    return this.#command(command.kind).decide(command, draft, context);
  }

  /** An auditor may run only the commands that are declared `forReaders`. */
  #isForbidden({ kind, by }: AnyCommand): boolean {
    return onlyReads(by) && this.#command(kind).forReaders !== true;
  }

  /** The kind of entity whose id the command's reply returns. */
  aboutOf(command: AnyCommand): string {
    return this.#command(command.kind).about;
  }

  evolve(world: AnyWorld, { id, fact, at }: AnyRecord): readonly AnyChange[] {
    return this.#fact(fact.type).evolve(world, id, fact, at);
  }

  /** The fact as it is written to the log; `null`: it is not written to the log. */
  logEvent(workspace: string, record: AnyRecord): LogEvent | null {
    const { kind, id, fact, at, actor, audience } = record;
    const spec = this.#fact(fact.type);
    const data = spec.log(fact);
    if (data === null) return null;
    const content = spec.content?.(fact);
    const type = spec.eventType?.(fact) ?? fact.type;
    const event: Writable<LogEvent> = { workspace, stream: `${kind}:${id}`, type, at, actor, data };
    if (audience !== undefined) event.audience = audience;
    if (content !== undefined) event.content = content;
    return event;
  }

  messages(
    record: AnyRecord,
    event: SealedEvent,
    world: AnyWorld,
    platform: Platform,
    written = 0,
  ): readonly OutboxRow[] {
    return this.#fact(record.fact.type).messages?.(record, event, world, platform, written) ?? [];
  }

  forgetsRecipients({ fact }: AnyRecord): boolean {
    return this.#fact(fact.type).forgetsRecipients === true;
  }

  /** The salt for the digests of private content in the log of this entity. */
  saltOf(kind: string, body: Body | undefined): string | null {
    return body === undefined ? null : (this.#kind(kind).salt?.(body) ?? null);
  }

  /** The fields of an entity that the log covers; `undefined`: none of this kind. */
  vouchedOf(kind: string, body: Body): JsonObject | undefined {
    return this.#kind(kind).vouched?.(body);
  }

  /** Kinds whose rows the log covers. */
  get vouchedKinds(): readonly string[] {
    return [...this.#kinds].flatMap(([name, { vouched }]) => (vouched === undefined ? [] : [name]));
  }

  /** Whether rows of this kind never change once they are written. */
  isImmutable(kind: string): boolean {
    return this.#kind(kind).isImmutable === true;
  }

  /** When the timers must wake the entity next; `null`: never; `undefined`: its kind has no timers. */
  timerOf({ kind, body }: AnyChange): number | null | undefined {
    const { timer } = this.#kind(kind);
    if (timer === undefined) return undefined;
    return body === null ? null : timer.dueAt(body);
  }

  /** The command that the timers run for a due entity; `undefined`: its kind has no timers. */
  tickOf({ workspace, kind, id }: EntityKey): AnyCommand | undefined {
    const command = this.#kinds.get(kind)?.timer?.command(id);
    return command === undefined ? undefined : { ...command, workspace, by: SYSTEM };
  }

  #kind(name: string): AnyKind {
    return known(this.#kinds.get(name), "kind of entity", name);
  }

  #command(name: string): AnyCommandSpec {
    return known(this.#commands.get(name), "command", name);
  }

  #fact(name: string): AnyFactSpec {
    return known(this.#facts.get(name), "fact", name);
  }
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

function known<T>(spec: T | undefined, what: string, name: string): T {
  if (spec === undefined) throw new Error(`Invariant: no domain declares the ${what} ${name}`);
  return spec;
}

/** Adds one index per domain to holds: the id of the entity that the hold is attached to. */
function withAttachmentIndexes(
  kinds: ReadonlyMap<string, AnyKind>,
  { domains }: Attachments,
): ReadonlyMap<string, AnyKind> {
  const hold = known(kinds.get("hold"), "kind of entity", "hold");
  const added = Object.fromEntries(
    Object.entries(domains)
      .filter(([, rules]) => rules.isNamed)
      .map(([name, rules]) => [name, (body: Body) => rules.idOf(body as Hold)]),
  );
  return new Map(kinds).set("hold", { ...hold, indexes: { ...hold.indexes, ...added } });
}
