/**
 * A domain is a table: kinds of entities, commands, and facts. Whatever the engine, the stores and the timers must know
 * about it is derived from that table (`table.ts`); a command or a fact that is left out does not compile.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { AttachmentRules, GroupRules } from "./attachment.ts";
import type { Context } from "./context.ts";
import type { AGAIN, Draft, FactRecord, Reply } from "./draft.ts";
import type { KernelBodies, KernelFact } from "./kernel.ts";
import type { Platform } from "./platform.ts";
import type { Principal } from "./principal.ts";
import type { OutboxRow, SealedEvent } from "./record.ts";
import type { Change, Need, World } from "./world.ts";

/** What every command carries. Ids, tokens and salts arrive inside; the clock comes with the batch. */
export interface AnyCommand {
  readonly kind: string;
  readonly workspace: string;
  readonly by: Principal;
}

export interface AnyFact {
  readonly type: string;
}

export interface KindSpec<B> {
  /** Equality indexes by name; a body without a value is not in the index. */
  readonly indexes: Readonly<Record<string, (body: B) => string | undefined>>;
  /** The next moment at which an entity wants to be looked at, and the command that looks. */
  readonly timer?: {
    dueAt(body: B): number | null;
    command(id: string): { readonly kind: string } & Readonly<Record<string, string>>;
  };
  /** Salts the digests of private content in the entity's log. */
  readonly salt?: (body: B) => string | null;
}

export function kind<B>(spec: Partial<KindSpec<B>> = {}): KindSpec<B> {
  return { indexes: {}, ...spec };
}

/** Which body each kind of a table has. */
export type BodiesOf<Kinds> = {
  readonly [K in keyof Kinds]: Kinds[K] extends KindSpec<infer B> ? B : never;
};

export interface CommandSpec<
  C,
  B = KernelBodies,
  F = KernelFact,
  A extends keyof B & string = keyof B & string,
> {
  /** The kind of entity that the reply names. */
  readonly about: A;
  /** Whoever only reads may run it too; every other command of theirs is refused. */
  readonly forReaders?: true;
  /** Asked again with what was loaded until it names nothing new. */
  needs(command: C, world: World<B>): readonly Need[];
  decide(command: C, draft: Draft<B, F>, context: Context): Reply | typeof AGAIN;
}

type OfKind<C, K> = C extends { readonly kind: infer Own } ? (K extends Own ? C : never) : never;

/** One entry for each command, no more and no less. */
export type CommandTable<C extends AnyCommand, B = KernelBodies, F = KernelFact> = {
  readonly [K in C["kind"]]: CommandSpec<OfKind<C, K>, B, F>;
};

export interface FactSpec<F, B = KernelBodies> {
  /** Every entity that the fact changes, and its body afterwards. Free of rules: they were applied before. */
  evolve(world: World<B>, id: string, fact: F, at: number): readonly Change<B>[];
  /** What the log keeps in clear; `null`: the fact is not for the log. */
  log(fact: F): JsonObject | null;
  /** Private content: it stays in the entity's row, and the log gets a salted digest. */
  content?(fact: F): JsonObject | undefined;
  /** The event's name in the log, where it is not the fact's. */
  eventType?(fact: F): string;
  /** Messages that the event causes. Their ids follow from the event, so deciding again makes the same ones. */
  messages?(
    record: FactRecord<F>,
    event: SealedEvent,
    world: World<B>,
    platform: Platform,
  ): readonly OutboxRow[];
  /** Messages about the hold forget whom they went to. */
  readonly forgetsRecipients?: true;
}

type OfType<F, T> = F extends { readonly type: infer Own } ? (T extends Own ? F : never) : never;

/** One entry for each fact, no more and no less. */
export type FactTable<F extends AnyFact, B = KernelBodies> = {
  readonly [T in F["type"]]: FactSpec<OfType<F, T>, B>;
};

export interface Domain {
  readonly kinds: Readonly<Record<string, KindSpec<never>>>;
  readonly commands: Readonly<Record<string, { readonly about: string }>>;
  readonly facts: Readonly<Record<string, object>>;
  /** For a domain that holds attach to. */
  readonly attachment?: AttachmentRules;
  readonly groups?: GroupRules;
}
