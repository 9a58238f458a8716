/**
 * A domain is a table of entity kinds, commands and facts. Everything that the engine, the stores and the timers need
 * to know about a domain is derived from that table (`table.ts`). Leaving out a command or a fact is a compile error.
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

/** What every command carries. Ids, tokens and salts arrive inside the command; the time comes with the batch. */
export interface AnyCommand {
  readonly kind: string;
  readonly workspace: string;
  readonly by: Principal;
}

export interface AnyFact {
  readonly type: string;
}

export interface KindSpec<B> {
  /** Equality indexes by name. An entity whose body gives no value is not in that index. */
  readonly indexes: Readonly<Record<string, (body: B) => string | undefined>>;
  /** When the timers must wake the entity next, and the command that they then run. */
  readonly timer?: {
    dueAt(body: B): number | null;
    command(id: string): { readonly kind: string } & Readonly<Record<string, string>>;
  };
  /** Rows of this kind never change, so the engine keeps the ones it read last in memory. */
  readonly isImmutable?: true;
  /** The salt for the digests of private content in the entity's log. */
  readonly salt?: (body: B) => string | null;
  /**
   * What the log covers: every event of the entity has a digest of these fields, salted with the entity's id, so that
   * verification finds a row that was changed or added beside the log. No personal data: the digest cannot be erased.
   */
  readonly vouched?: (body: B) => JsonObject;
}

export function kind<B>(spec: Partial<KindSpec<B>> = {}): KindSpec<B> {
  return { indexes: {}, ...spec };
}

/** Maps each kind of a table to the type of its body. */
export type BodiesOf<Kinds> = {
  readonly [K in keyof Kinds]: Kinds[K] extends KindSpec<infer B> ? B : never;
};

export interface CommandSpec<
  C,
  B = KernelBodies,
  F = KernelFact,
  A extends keyof B & string = keyof B & string,
> {
  /** The kind of entity whose id the reply returns. */
  readonly about: A;
  /** An auditor may run it too; every other command of an auditor is refused. */
  readonly forReaders?: true;
  /** The engine calls this again with what it loaded until it names nothing new. */
  needs(command: C, world: World<B>): readonly Need[];
  decide(command: C, draft: Draft<B, F>, context: Context): Reply | typeof AGAIN;
}

type OfKind<C, K> = C extends { readonly kind: infer Own } ? (K extends Own ? C : never) : never;

/** Exactly one entry for each command. */
export type CommandTable<C extends AnyCommand, B = KernelBodies, F = KernelFact> = {
  readonly [K in C["kind"]]: CommandSpec<OfKind<C, K>, B, F>;
};

export interface FactSpec<F, B = KernelBodies> {
  /** Returns every entity that the fact changes, with its new body. It applies no rules: the decision already did. */
  evolve(world: World<B>, id: string, fact: F, at: number): readonly Change<B>[];
  /** What the log stores in clear; `null`: the fact is not written to the log. */
  log(fact: F): JsonObject | null;
  /** Private content. It is stored in the entity's row; the log gets a salted digest of it. */
  content?(fact: F): JsonObject | undefined;
  /** The event's type in the log, where it differs from the fact's type. */
  eventType?(fact: F): string;
  /**
   * Messages that the event causes. Their ids derive from the event, so a retried decision produces the same
   * messages. `written`: how many messages earlier facts of the same command have caused.
   */
  messages?(
    record: FactRecord<F>,
    event: SealedEvent,
    world: World<B>,
    platform: Platform,
    written: number,
  ): readonly OutboxRow[];
  /** Committing this fact removes the recipients from the outbox messages about the hold. */
  readonly forgetsRecipients?: true;
}

type OfType<F, T> = F extends { readonly type: infer Own } ? (T extends Own ? F : never) : never;

/** Exactly one entry for each fact. */
export type FactTable<F extends AnyFact, B = KernelBodies> = {
  readonly [T in F["type"]]: FactSpec<OfType<F, T>, B>;
};

export interface Domain {
  readonly kinds: Readonly<Record<string, KindSpec<never>>>;
  readonly commands: Readonly<Record<string, { readonly about: string }>>;
  readonly facts: Readonly<Record<string, object>>;
  /** For a domain that holds can be attached to. */
  readonly attachment?: AttachmentRules;
  readonly groups?: GroupRules;
}
