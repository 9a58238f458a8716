/** What the domains' tables say of single facts, for tests of one fact at a time. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { type Bodies, type Fact, TABLE } from "../domains.ts";
import type { FactRecord } from "../kernel/draft.ts";
import type { HoldFact } from "../kernel/hold/facts.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import type { AnyChange, AnyWorld } from "../kernel/table.ts";
import type { World } from "../kernel/world.ts";

/** A fact of any domain, in its frame. */
export type Recorded = FactRecord<Fact>;

/** A world in which only these entities are. */
export function worldWith(...rows: readonly AnyChange[]): AnyWorld & World<Bodies> {
  const find = (kind: string, id: string) => rows.find((row) => row.kind === kind && row.id === id)?.body;
  return {
    attachments: TABLE.attachments,
    get: (kind: string, id: string) => (find(kind, id) ?? undefined) as never,
    version: () => 0,
  };
}

/** The fact as the log keeps it. */
export function asLogged(record: Recorded, workspace = "default") {
  return TABLE.logEvent(workspace, record);
}

/** The part of a fact that the log keeps in clear. */
export function logData(fact: Fact): JsonObject | null {
  return asLogged({ kind: "hold", id: "h1", fact, at: 1, actor: "system" })?.data ?? null;
}

export function timerOf(change: AnyChange): number | null | undefined {
  return TABLE.timerOf(change);
}

/** What a hold is after a fact. */
export function evolveHold(hold: Hold | undefined, fact: HoldFact, at: number): Hold {
  const world = hold === undefined ? worldWith() : worldWith({ kind: "hold", id: hold.id, body: hold });
  const id = hold?.id ?? "h1";
  const changes = TABLE.evolve(world, { kind: "hold", id, fact, at, actor: "system" });
  return (changes.find(({ kind }) => kind === "hold")?.body ?? hold) as Hold;
}
