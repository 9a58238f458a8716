/** Presents many holds for one caller. */

import type { HoldOut } from "@holdpoint/protocol";
import { hasMoreValuesThan } from "@holdpoint/protocol/rules";
import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import type { Principal } from "../../kernel/principal.ts";
import { ownTurn } from "../../system/own-turn.ts";
import { presentHold } from "./present.ts";

/** To look through so many values for sensitive ones takes about a millisecond. */
const LARGE_ANSWER = 1_000;

/** Await this before a hold is presented among others: sensitive values of a large answer are looked for in a turn of its own (G13). */
export async function turnForAnswer({ outcome }: Pick<Hold, "outcome">): Promise<void> {
  if (outcome?.kind === "decided" && hasMoreValuesThan(outcome.data, LARGE_ANSWER)) await ownTurn();
}

/** `urls`: of the review links, by hold. */
export async function presentHolds(
  holds: readonly Entity<Hold>[],
  viewer: Principal,
  urls: readonly (string | undefined)[] = [],
): Promise<readonly HoldOut[]> {
  const shown: HoldOut[] = [];
  for (const [at, hold] of holds.entries()) {
    await turnForAnswer(hold.body);
    shown.push(presentHold(hold, viewer, urls[at]));
  }
  return shown;
}
