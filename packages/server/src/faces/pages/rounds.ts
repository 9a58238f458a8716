/** The earlier rounds, so that the reviewer of a second draft sees the feedback on the first. */

import type { EarlierRound } from "@holdpoint/protocol";
import { deciderWords } from "@holdpoint/protocol/client";
import { maskSensitive } from "@holdpoint/protocol/rules";
import type { Entity } from "../../kernel/entity.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import { time } from "../http/present.ts";
import type { PageDeps } from "./deps.ts";

/** The most rounds to read; in a longer chain the numbers start at the oldest round that was read. */
const ROUNDS_MAX = 50;

/** Oldest first. Only texts that are meant for the next reviewer: feedback, note and reason. */
export async function earlierRounds(hold: Entity<Hold>, deps: PageDeps): Promise<readonly EarlierRound[]> {
  const found: EarlierRound[] = [];
  const seen = new Set([hold.id]);
  let { previous } = hold.body;
  while (previous !== undefined && !seen.has(previous) && found.length < ROUNDS_MAX) {
    seen.add(previous);
    const earlier = await deps.holds.get(hold.workspace, previous);
    if (earlier === undefined) break;
    found.unshift(roundOf(earlier.body));
    previous = earlier.body.previous;
  }
  return found;
}

function roundOf({ ask, outcome, createdAt, status }: Hold): EarlierRound {
  const prompt = ask === null ? {} : { prompt: ask.prompt };
  const asked = { ...prompt, status, at: time(outcome?.at ?? createdAt) };
  if (outcome?.kind !== "decided") return asked;
  // Sensitive values are for nobody who reviews the next round (G9); without the ask nobody knows which they were.
  const data = ask === null ? {} : maskSensitive(ask, outcome.data);
  const said = [data["feedback"], data["note"], data["reason"]].filter(
    (text) => typeof text === "string" && text !== "",
  ) as string[];
  const { action, by } = outcome;
  return {
    ...asked,
    action,
    ...(by.name === undefined && by.givenTo === undefined ? {} : { by: deciderWords(by) }),
    ...(said.length === 0 ? {} : { feedback: said.join("\n") }),
  };
}
