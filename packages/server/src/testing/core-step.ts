/**
 * One command on the pure core, driven as the engine drives it: needs until nobody needs more, then decide, then evolve.
 * Whoever reads what no need named is stopped: the engine would not have loaded or locked it.
 */

import { type Command, decide, needs } from "../core/decide.ts";
import type { Decision } from "../core/decision.ts";
import type { Kind } from "../core/entity.ts";
import { evolve } from "../core/evolve.ts";
import type { Stated } from "../core/fact.ts";
import { NO_PLATFORM, type Platform } from "../core/platform.ts";
import type { Bodies, Change, World } from "../core/world.ts";
import { contentDigest } from "../engine/seal.ts";
import { createJudge } from "../system/judge.ts";

export interface Row {
  readonly body: Bodies[keyof Bodies];
  readonly version: number;
}

/** What is so, by `rowName`. */
export type Rows = ReadonlyMap<string, Row>;

export interface Step {
  readonly before: Rows;
  readonly after: Rows;
  readonly decision: Decision;
}

export const testJudge = createJudge();

/** As on a local server, where agents may be given links. */
export const TEST_PLATFORM: Platform = { ...NO_PLATFORM, agentLinks: "always" };

export function rowName(kind: Kind, id: string): string {
  return `${kind} ${id}`;
}

export function bodyOf<K extends keyof Bodies>(rows: Rows, kind: K, id: string): Bodies[K] | undefined {
  return rows.get(rowName(kind, id))?.body as Bodies[K] | undefined;
}

export function runStep(
  before: Rows,
  command: Command,
  now: number,
  judge = testJudge,
  platform = TEST_PLATFORM,
): Step {
  const named = nameAll(command, before);
  const context = { now, platform, judge, digest: contentDigest };
  const decision = decide(command, worldOf(before, named, "refuse"), context);
  return { before, after: applyFacts(before, decision.facts, named), decision };
}

/** A command makes one new version of an entity, however many of its facts are about it. */
export function applyFacts(before: Rows, facts: readonly Stated[], named?: ReadonlySet<string>): Rows {
  const after = new Map(before);
  const known = new Set(named);
  for (const stated of facts) {
    const world = worldOf(after, named === undefined ? undefined : known, "refuse");
    if (stated.kind === "hold") world.get("workspace", "settings");
    for (const change of evolve(world, stated)) {
      put(after, change, (before.get(rowName(change.kind, change.id))?.version ?? 0) + 1);
      known.add(rowName(change.kind, change.id));
    }
  }
  return after;
}

function put(rows: Map<string, Row>, { kind, id, body }: Change, version: number): void {
  if (body === null) rows.delete(rowName(kind, id));
  else rows.set(rowName(kind, id), { body, version });
}

function nameAll(command: Command, rows: Rows): ReadonlySet<string> {
  const named = new Set<string>();
  for (;;) {
    const size = named.size;
    for (const { kind, id } of needs(command, worldOf(rows, new Set(named), "hide")))
      named.add(rowName(kind, id));
    if (named.size === size) return named;
  }
}

/** `hide`: what was not named is not there yet, as while the engine is still loading. Without names all is in sight. */
export function worldOf(
  rows: Rows,
  named: ReadonlySet<string> | undefined,
  unnamed: "hide" | "refuse",
): World {
  const find = (kind: Kind, id: string): Row | undefined => {
    const name = rowName(kind, id);
    if (named === undefined || named.has(name)) return rows.get(name);
    if (unnamed === "refuse") throw new Error(`${name} was read, but no need named it`);
    return undefined;
  };
  return {
    get: <K extends keyof Bodies>(kind: K, id: string) => find(kind, id)?.body as Bodies[K] | undefined,
    version: (kind, id) => find(kind, id)?.version ?? 0,
  };
}
