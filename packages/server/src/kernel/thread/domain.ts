/**
 * The table of kinds, commands and facts for threads. Threads are not written to the log: they explain no outcome and
 * may be forgotten at any time.
 */

import { type CommandTable, type Domain, type FactTable, kind } from "../domain.ts";
import {
  forgetNeeds,
  forgetThreadNow,
  keepThread,
  type ThreadCommand,
  threadNeeds,
  tickThread,
} from "./decide.ts";
import type { Thread, ThreadFact } from "./thread.ts";

export const THREAD_KINDS = {
  /** (creator, thread) → what the creator stores about a conversation between runs. */
  thread: kind<Thread>({
    timer: { dueAt: ({ forgetAt }) => forgetAt ?? null, command: (id) => ({ kind: "tick_thread", id }) },
  }),
};

const commands = {
  keep_thread: { about: "thread", needs: threadNeeds, decide: keepThread },
  forget_thread: { about: "thread", needs: threadNeeds, decide: forgetThreadNow },
  tick_thread: { about: "thread", needs: ({ id }, world) => forgetNeeds(id, world), decide: tickThread },
} satisfies CommandTable<ThreadCommand>;

const facts: FactTable<ThreadFact> = {
  "thread.kept": {
    evolve: (_world, id, { thread }) => [{ kind: "thread", id, body: thread }],
    log: () => null,
  },
  "thread.forgotten": {
    evolve: (_world, id) => [{ kind: "thread", id, body: null }],
    log: () => null,
  },
};

export const THREADS = { kinds: THREAD_KINDS, commands, facts } satisfies Domain;
