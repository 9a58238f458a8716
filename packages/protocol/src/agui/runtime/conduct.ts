/**
 * One request, from the first event to the last.
 *
 * A1  What a run tells about its end is written first (G2): the thread, its holds, the lease given back.
 * A2  Only one run of a thread is under way; in this process by a lock, among processes by a lease on the thread.
 * A3  Whatever goes wrong ends the run with a coded RUN_ERROR and leaves open what was open.
 */

import { type ClaimedName, type GroupEntry, type Hold, isRefusal } from "../../client/index.ts";
import type { Json, JsonObject } from "../../rules/index.ts";
import {
  type AgUiEvent,
  chooseForm,
  type InterruptAsk,
  type InterruptForm,
  interruptOf,
  PROTOCOL_VERSION,
  placeOf,
  type RunEnd,
  type RunInput,
  writeRunEnd,
} from "../index.ts";
import { RunStopped } from "./agent.ts";
import { type Answered, answeredOrThrow } from "./answered.ts";
import { Book } from "./book.ts";
import { RECORDED_EVENT, REFUSAL_EVENT, RunRefusal, refusalOf } from "./codes.ts";
import type { Handling } from "./handling.ts";
import { keyOf, openThread } from "./open-thread.ts";
import { orAborted } from "./or-aborted.ts";
import { type Binding, type Item, Performance } from "./performance.ts";
import { type Plan, planRun } from "./plan.ts";
import {
  noteReplay,
  type RecordedEnd,
  type ThreadBook,
  type ThreadRecord,
  type Work,
  withNotes,
  without,
} from "./record.ts";
import { errorEvent } from "./run-errors.ts";
import { checkSchema } from "./schema-check.ts";
import { checkFrame, checkRoom, ROOM_TO_BEGIN, ROOM_TO_STOP } from "./size.ts";

export interface RunRequest {
  readonly input: RunInput;
  readonly explicitForm: string | undefined;
  /** Who is behind the request; null: nobody the app could name. */
  readonly person: ClaimedName | null;
  readonly gone: AbortSignal;
  readonly mayBePartial?: boolean;
  /** Only a client begins; without one a thread can go on at most. */
  readonly mayBegin: boolean;
}

/** All events of a run. */
export async function* runEvents(
  handling: Handling,
  request: RunRequest,
): AsyncGenerator<AgUiEvent, void, void> {
  const { threadId, runId } = request.input;
  yield { type: "RUN_STARTED", threadId, runId, protocolVersion: PROTOCOL_VERSION };
  const end = yield* toItsEnd(handling, request);
  if (end !== null) yield end;
}

/** The terminal event, when everything behind it is done; null: nobody is left to hear it. */
async function* toItsEnd(
  handling: Handling,
  request: RunRequest,
): AsyncGenerator<AgUiEvent, AgUiEvent | null, void> {
  const { threadId } = request.input;
  const signal = handling.enter(threadId, request.gone);
  if (signal === null) return errorEvent(new RunRefusal("THREAD_BUSY"), handling);
  const conduct = new Conduct(handling, request, signal);
  try {
    return yield* conduct.events();
  } catch (error) {
    if (request.gone.aborted) return null;
    if (error instanceof RunRefusal && error.told !== undefined)
      yield { type: "CUSTOM", name: REFUSAL_EVENT, value: { code: error.code, ...error.told } };
    if (error instanceof RunRefusal && error.code === "INTERRUPT_ALREADY_RESOLVED") yield* conduct.standing();
    return errorEvent(error, handling);
  } finally {
    await conduct.close();
    handling.leave(threadId);
  }
}

class Conduct {
  readonly #handling: Handling;
  readonly #request: RunRequest;
  readonly #signal: AbortSignal;
  #thread: ThreadBook | undefined;
  #form: InterruptForm = "released";
  #renewal: () => void = () => undefined;
  #isLeased = false;
  #idle: () => Promise<void> = async () => undefined;

  constructor(handling: Handling, request: RunRequest, signal: AbortSignal) {
    this.#handling = handling;
    this.#request = request;
    this.#signal = signal;
  }

  get #input(): RunInput {
    return this.#request.input;
  }

  get #record(): ThreadRecord {
    return this.#open.record;
  }

  get #open(): ThreadBook {
    if (this.#thread === undefined) throw new Error("the thread is opened first");
    return this.#thread;
  }

  async *events(): AsyncGenerator<AgUiEvent, AgUiEvent, void> {
    const { holdpoint } = this.#handling.options;
    const { book, isUntold } = await openThread(holdpoint, this.#input.threadId);
    this.#thread = book;
    if (!this.#request.mayBegin && this.#record.work === undefined) throw new RunRefusal("NOTHING_TO_GO_ON");
    this.#form = chooseForm({
      explicit: this.#request.explicitForm,
      input: this.#input,
      remembered: this.#record.form,
    });
    if (isUntold && this.#input.resume === undefined) {
      const untold = await this.#openHolds();
      await this.#lease();
      if (untold.length > 0) return yield* this.#showAgain(untold);
    }
    const plan = await this.#settle();
    if ("recorded" in plan && plan.recorded.length > 0)
      yield { type: "CUSTOM", name: RECORDED_EVENT, value: { recorded: plan.recorded } };
    const open = await this.#openHolds();
    if (plan.kind === "begin") return yield* this.#perform(await this.#newWork());
    if (open.length > 0) return yield* this.#showAgain(open);
    const { work, last } = this.#record;
    if (work !== undefined) return yield* this.#perform(work);
    if (last === undefined) throw new Error("what is told again was told before");
    yield* this.#baseBook().snapshots();
    return this.#finish(last.end);
  }

  /** Reads the resume against the thread and gives its answers. If somebody answers elsewhere meanwhile, the thread is read again. */
  async #settle(): Promise<Plan> {
    for (let round = 0; ; round += 1) {
      const plan = planRun({
        threadId: this.#input.threadId,
        resume: this.#input.resume,
        current: await this.#members(this.#record.work?.groups.at(-1)),
        previous: await this.#members(this.#record.last?.groupId),
        now: this.#handling.machine.now(),
        check: this.#handling.options.checkPayload ?? checkSchema,
        mayBePartial: this.#request.mayBePartial === true,
      });
      if ("warnings" in plan)
        for (const warning of plan.warnings) this.#handling.options.onWarning?.(warning);
      if (plan.kind === "tell_again") {
        await noteReplay(this.#handling.options.holdpoint, this.#input);
        return plan;
      }
      await this.#lease();
      if (!("entries" in plan) || plan.entries.length === 0) return plan;
      if (await this.#answered(plan, round < ROUNDS_MAX)) return plan;
    }
  }

  /** False: something was settled in between. */
  async #answered(plan: Extract<Plan, { readonly entries: unknown }>, mayRepeat: boolean): Promise<boolean> {
    const { person } = this.#request;
    if (person === null) throw new RunRefusal("NOT_ALLOWED", "The app does not know who answers.");
    const { holdpoint } = this.#handling.options;
    const groupId = this.#record.work?.groups.at(-1) ?? "";
    const entries = plan.entries.map((entry) => ({ ...entry, claimed: person }));
    try {
      if (plan.kind === "answer") await holdpoint.answerGroup(groupId, entries, DOOR);
      else for (const entry of entries) await this.#answerOne(entry);
      return true;
    } catch (error) {
      if (mayRepeat && SETTLED_MEANWHILE.some((code) => isRefusal(error, code))) return false;
      throw refusalOf(error);
    }
  }

  async #answerOne(entry: GroupEntry): Promise<void> {
    const { holdpoint } = this.#handling.options;
    const { kind, holdId, ...given } = entry;
    if (kind === "cancel") await holdpoint.cancel(holdId, given);
    else await holdpoint.answer(holdId, given as Extract<GroupEntry, { kind: "answer" }>, DOOR);
  }

  async #members(groupId: string | undefined): Promise<readonly Hold[] | undefined> {
    return groupId === undefined
      ? undefined
      : (await this.#handling.options.holdpoint.getGroup(groupId)).holds;
  }

  async #openHolds(): Promise<readonly Hold[]> {
    const members = (await this.#members(this.#record.work?.groups.at(-1))) ?? [];
    return members.filter(({ status }) => status === "open");
  }

  /** Takes the thread for this run, and with it the form it is answered in. */
  async #lease(): Promise<void> {
    const { machine, holder, leaseMs } = this.#handling;
    const now = machine.now();
    const { lease } = this.#record;
    if (this.#isLeased) return;
    if (lease !== undefined && lease.holder !== holder && lease.until > now)
      throw new RunRefusal("THREAD_BUSY");
    if (lease !== undefined) await this.#withdrawLost();
    const notes = this.#notes();
    await this.#open.keep((record) => ({
      ...withNotes(record, notes),
      form: this.#form,
      lease: { holder, until: now + leaseMs },
    }));
    this.#isLeased = true;
    this.#renewLater();
  }

  #renewLater(): void {
    const { machine, holder, leaseMs } = this.#handling;
    this.#renewal = machine.after(leaseMs / 3, () => {
      const until = machine.now() + leaseMs;
      void this.#open
        .keep((record) => (this.#isLeased ? { ...record, lease: { holder, until } } : record))
        .then(() => this.#isLeased && this.#renewLater())
        .catch(() => undefined);
    });
  }

  #notes(): readonly JsonObject[] {
    const { resume } = this.#input;
    if (resume?.kind !== "list") return [];
    return resume.entries.flatMap(({ interruptId, metadata }) =>
      metadata === undefined ? [] : [{ interrupt_id: interruptId, run_id: this.#input.runId, metadata }],
    );
  }

  /** A run that died between asking and writing it down has told nobody: its questions are taken back. */
  async #withdrawLost(): Promise<void> {
    const { holdpoint } = this.#handling.options;
    const waited = (await this.#openHolds()).map(({ id }) => id);
    const { holds } = await holdpoint.list({ threadId: this.#input.threadId, status: "open" });
    const { work } = this.#record;
    // Work that goes on asks the same again under the same keys, and finds what it asked before.
    const again = work === undefined ? undefined : keyOf(work);
    for (const hold of holds) {
      if (waited.includes(hold.id) || interruptOf(hold) === null) continue;
      if (again !== undefined && hold.key?.startsWith(again) === true) continue;
      await holdpoint.cancel(hold.id, { reason: "its run was lost" }).catch(() => undefined);
    }
  }

  #baseBook(): Book {
    const { messages, state } = this.#input;
    const record = this.#record;
    return new Book(
      messages === undefined || messages.length === 0 ? record.messages : messages,
      state === undefined || state === null ? record.state : state,
    );
  }

  async #newWork(): Promise<Work> {
    const { tools, context, forwardedProps } = this.#input;
    const { messages, state } = this.#baseBook();
    const props = forwardedProps === undefined ? {} : { forwardedProps };
    const input = { messages, state, tools, context, ...props };
    const id = this.#handling.machine.newKey().replace(/\W+/g, "").slice(-24);
    const work: Work = { id, input, groups: [], journal: {} };
    await checkRoom({ ...this.#record, work, messages, state }, ROOM_TO_BEGIN);
    return work;
  }

  async *#perform(begun: Work, book = this.#baseBook()): AsyncGenerator<AgUiEvent, AgUiEvent, void> {
    await this.#lease();
    let work = begun;
    const { threadId, runId } = this.#input;
    const binding: Binding = { threadId, runId, signal: this.#signal, book };
    const performance = await this.#performance(begun, binding, async (step, result) => {
      work = { ...work, journal: { ...work.journal, [step]: result } };
      // A run that is lost before its first question starts again from the beginning.
      if (work.groups.length > 0) await this.#open.keep((record) => ({ ...record, work }));
    });
    this.#idle = () => performance.idle();
    for (;;) {
      const item = await orAborted(performance.next(), this.#signal);
      if (item === "aborted") {
        await this.#withoutHurry();
        return await this.#aborted(work, book);
      }
      switch (item.kind) {
        case "event":
          yield item.event;
          break;
        case "stopped":
          yield* book.closing();
          return yield* this.#stopAt(item.asks, work, book, performance);
        case "returned":
          yield* book.closing();
          yield* book.closingSubagents();
          return await this.#returned(item, work, book);
        case "failed":
          if (item.error instanceof RunStopped) return await this.#aborted(work, book);
          await this.#withoutHurry();
          await this.#failed(item.error, work, book);
          throw item.error;
      }
    }
  }

  async #performance(work: Work, binding: Binding, remember: (step: string, result: Json) => Promise<void>) {
    const { agent, holdpoint, reasons = "checked", onError } = this.#handling.options;
    const answers: (readonly Answered[])[] = [];
    for (const groupId of work.groups)
      answers.push(((await this.#members(groupId)) ?? []).map(answeredOrThrow));
    const waiting = this.#handling.takeSuspended(binding.threadId, work);
    const last = answers.at(-1);
    if (waiting === undefined || last === undefined)
      return new Performance({ agent, holdpoint, work, binding, answers, remember, reasons, onError });
    waiting.goOn(
      binding,
      last.map(({ answer }) => answer),
      remember,
    );
    return waiting;
  }

  async *#stopAt(
    asks: readonly InterruptAsk[],
    work: Work,
    book: Book,
    performance: Performance,
  ): AsyncGenerator<AgUiEvent, AgUiEvent, void> {
    const { threadId, runId } = this.#input;
    const { groups } = work;
    const holds = asks.map((ask, at) => placeOf(ask, { key: `${keyOf(work)}${at}`, threadId, runId }));
    const { messages, state } = book;
    // A question that nobody could go on from must not be asked.
    await checkRoom({ ...this.#record, work, messages, state }, ROOM_TO_STOP);
    // A process that dies from here on leaves a thread that knows what it asked.
    if (groups.length === 0) await this.#open.keep((record) => ({ ...record, work, messages, state }));
    const group = await this.#handling.options.holdpoint.placeGroup({ threadId, runId, holds });
    const before = groups.at(-1);
    const next: Work = { ...work, groups: [...groups, group.id] };
    const stopped = (record: ThreadRecord): ThreadRecord => {
      const { last: _last, ...rest } = record;
      const end = { kind: "interrupt", groupId: group.id } as const;
      return {
        ...rest,
        ...(before === undefined ? {} : { last: { groupId: before, end } }),
        work: next,
        messages,
        state,
      };
    };
    const open = group.holds.filter(({ status }) => status === "open");
    if (open.length === 0) {
      // A run that was lost had asked this, and it was answered since.
      await this.#open.keep(stopped);
      return yield* this.#perform(next, book);
    }
    await this.#free(stopped);
    this.#handling.suspend(threadId, next, performance);
    yield* book.closingSubagents(await this.#handling.interruptsOf(open));
    yield* book.snapshots();
    return yield* this.#interrupted(open);
  }

  async *#showAgain(open: readonly Hold[]): AsyncGenerator<AgUiEvent, AgUiEvent, void> {
    if (this.#isLeased) await this.#free((record) => record);
    yield* this.#baseBook().snapshots();
    return yield* this.#interrupted(open);
  }

  /**
   * An end that leaves the client with what is really open, before the error that says why it was refused: a stock client
   * keeps its questions after an error alone, and could neither answer them nor go on.
   */
  async *standing(): AsyncGenerator<AgUiEvent, void, void> {
    if (this.#form === "draft") return;
    const open = await this.#openHolds();
    if (open.length > 0) return yield yield* this.#showAgain(open);
    yield* this.#baseBook().snapshots();
    // To older clients `cancelled` is fatal.
    yield this.#finish({ kind: this.#input.protocolVersion === undefined ? "success" : "cancelled" });
  }

  async *#interrupted(holds: readonly Hold[]): AsyncGenerator<AgUiEvent, AgUiEvent, void> {
    const interrupts = await this.#handling.interruptsOf(holds);
    if (this.#handling.options.legacyEvents === true) {
      for (const interrupt of interrupts) {
        yield { type: "CUSTOM", name: "on_interrupt", value: JSON.stringify(interrupt) };
      }
    }
    return this.#write({ kind: "interrupt", interrupts });
  }

  async #returned(item: Extract<Item, { kind: "returned" }>, work: Work, book: Book): Promise<AgUiEvent> {
    const { result, pendingToolCallIds } = item;
    const end: RecordedEnd = {
      kind: "success",
      ...(result === undefined ? {} : { result }),
      ...(pendingToolCallIds.length === 0 ? {} : { pendingToolCallIds }),
    };
    await this.#ended(end, work, book);
    return { ...this.#finish(end), ...item.more };
  }

  /** Whatever hears nothing of an abort is waited for no longer than a process that died would be. */
  async #withoutHurry(): Promise<void> {
    const { machine, leaseMs } = this.#handling;
    let forget: () => void = () => undefined;
    const enough = new Promise<void>((resolve) => {
      forget = machine.after(leaseMs, resolve);
    });
    await Promise.race([this.#idle(), enough]);
    forget();
  }

  /** The same resume goes on with what failed. Work that asks something else now never can: new input makes an end of it. */
  async #failed(error: unknown, work: Work, book: Book): Promise<void> {
    const isOver = error instanceof RunRefusal && error.code === "ASK_CHANGED";
    if (isOver && this.#input.resume === undefined) await this.#ended({ kind: "cancelled" }, work, book);
    else await this.#release(work, book);
  }

  /** Work that nobody has answered yet is dropped; answered work stays, and the same resume goes on with it. */
  async #aborted(work: Work, book: Book): Promise<AgUiEvent> {
    if (this.#request.gone.aborted) await this.#release(work, book);
    else await this.#ended({ kind: "cancelled" }, work, book);
    return this.#finish({ kind: "cancelled" });
  }

  async #ended(end: RecordedEnd, work: Work, book: Book): Promise<void> {
    const groupId = work.groups.at(-1);
    const { messages, state } = book;
    await this.#free((record) => ({
      ...without(record, "work"),
      messages,
      state,
      ...(groupId === undefined ? {} : { last: { groupId, end } }),
    }));
  }

  async #release(work: Work, book: Book): Promise<void> {
    const { messages, state } = work.groups.length === 0 ? book : this.#record;
    await this.#free((record) => ({ ...record, messages, state }));
  }

  async #free(change: (record: ThreadRecord) => ThreadRecord): Promise<void> {
    this.#renewal();
    this.#isLeased = false;
    try {
      await this.#open.keep((record) => without(change(record), "lease"));
    } catch (error) {
      // What could not be written leaves the thread as it was, and this run has still to give it back.
      this.#isLeased = true;
      throw error;
    }
  }

  async close(): Promise<void> {
    // A client that left between two events may have left work behind that is still running.
    if (this.#request.gone.aborted) await this.#withoutHurry();
    this.#renewal();
    if (this.#isLeased) await this.#free((record) => record).catch(() => undefined);
    await this.#thread?.settled();
  }

  #finish(end: RecordedEnd): AgUiEvent {
    if (end.kind === "interrupt") throw new Error("what is still open is shown, not repeated");
    return this.#write(end);
  }

  #write(end: RunEnd): AgUiEvent {
    const event = writeRunEnd(end, this.#form, this.#input, this.#input.protocolVersion !== undefined);
    checkFrame(event);
    return event;
  }
}

const ROUNDS_MAX = 5;
const DOOR = { door: "agui" } as const;
const SETTLED_MEANWHILE = ["hold_expired", "already_settled", "group_incomplete"] as const;
