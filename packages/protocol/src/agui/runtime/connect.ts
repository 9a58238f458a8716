/** A client that comes back: history as snapshots, and how the thread stands. Nothing is run and nothing is changed (G6). */

import { isTerminalError } from "../../client/index.ts";
import {
  type AgUiEvent,
  chooseForm,
  PROTOCOL_VERSION,
  type RunEnd,
  type RunInput,
  writeRunEnd,
} from "../index.ts";
import { Book } from "./book.ts";
import { RunRefusal } from "./codes.ts";
import type { Handling } from "./handling.ts";
import { openThread } from "./open-thread.ts";
import type { ThreadRecord } from "./record.ts";

export interface Connection {
  readonly input: RunInput;
  readonly explicitForm: string | undefined;
  readonly isKnown: boolean;
}

export async function* connectEvents(
  handling: Handling,
  { input, explicitForm, isKnown }: Connection,
): AsyncGenerator<AgUiEvent, void, void> {
  const { threadId, runId, protocolVersion } = input;
  yield { type: "RUN_STARTED", threadId, runId, protocolVersion: PROTOCOL_VERSION };
  try {
    if (!isKnown) throw new RunRefusal("NOT_ALLOWED", "Nobody is signed in.");
    const { record } = (await openThread(handling.options.holdpoint, threadId)).book;
    const end = await endOf(handling, record);
    yield* new Book(record.messages, record.state).snapshots();
    const form = chooseForm({ explicit: explicitForm, input, remembered: record.form });
    yield writeRunEnd(end, form, input, protocolVersion !== undefined);
  } catch (error) {
    if (!(error instanceof RunRefusal)) handling.options.onError?.(error);
    const told =
      error instanceof RunRefusal
        ? error
        : new RunRefusal(isTerminalError(error) ? "HOLDPOINT_ERROR" : "AGENT_ERROR");
    yield { type: "RUN_ERROR", code: told.code, message: told.message };
  }
}

/** What is open, before what was told last; work that is answered and not done has no end yet. */
async function endOf(handling: Handling, record: ThreadRecord): Promise<RunEnd> {
  const { options, machine } = handling;
  const groupId = record.work?.groups.at(-1);
  if (groupId !== undefined) {
    const { holds } = await options.holdpoint.getGroup(groupId);
    const open = holds.filter(({ status }) => status === "open");
    if (open.length > 0) return { kind: "interrupt", interrupts: await handling.interruptsOf(open) };
    const isRunning = record.lease !== undefined && record.lease.until > machine.now();
    throw new RunRefusal(isRunning ? "THREAD_BUSY" : "WORK_UNFINISHED");
  }
  const end = record.last?.end;
  return end === undefined || end.kind === "interrupt" ? { kind: "success" } : end;
}
