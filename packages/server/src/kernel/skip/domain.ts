/** The table of kinds, commands and facts for skips. */

import { type CommandTable, type Domain, type FactTable, kind } from "../domain.ts";
import { recordSkip, type SkipCommand, skipNeeds } from "./decide.ts";
import type { Skip, SkipFact } from "./skip.ts";

export const SKIP_KINDS = {
  /** Work that ran without asking a person because its request chose so. */
  skip: kind<Skip>(),
};

const commands = {
  record_skip: { about: "skip", needs: skipNeeds, decide: recordSkip },
} satisfies CommandTable<SkipCommand>;

const facts: FactTable<SkipFact> = {
  "skip.recorded": {
    evolve: (_world, id, { skip }) => [{ kind: "skip", id, body: skip }],
    log: ({ skip: { what, agent } }) => ({ what, ...(agent === undefined ? {} : { agent }) }),
  },
};

export const SKIPS = { kinds: SKIP_KINDS, commands, facts } satisfies Domain;
