/**
 * What a request means for a thread, decided before anything is touched: a pure function of the resume, the holds that the
 * thread waits for, those it waited for before, and the time. Refusals are thrown with their codes (AG-030 … AG-041).
 */

import type { GroupEntry, Hold } from "../../client/index.ts";
import { isObject, type Json, type JsonObject, maskSensitive } from "../../rules/index.ts";
import {
  agrees,
  answerOf,
  hitlPayloads,
  interruptAnswerOf,
  interruptOf,
  isExpired,
  offersEdits,
  type Resume,
  type ResumeEntry,
  repeats,
} from "../index.ts";
import { answererName, isNameable } from "./answerer.ts";
import { RunRefusal } from "./codes.ts";

/** Why a payload does not fit a schema; null: it does. */
export type SchemaCheck = (schema: object, payload: Json | undefined) => string | null;

export interface Situation {
  readonly threadId: string;
  readonly resume: Resume | undefined;
  /** Members of the group that unfinished work waits for; absent: there is none. */
  readonly current: readonly Hold[] | undefined;
  /** Members of the group answered last. */
  readonly previous: readonly Hold[] | undefined;
  readonly now: number;
  readonly check: SchemaCheck;
  /** The client answers what it can and leaves the rest to others, instead of being refused (AG-032). */
  readonly mayBePartial: boolean;
}

/** What the client sent and was not counted, because another answer was recorded before: that one, as it is told. */
type Recorded = readonly JsonObject[];

export type Plan =
  /** New work on new input. */
  | { readonly kind: "begin" }
  /** Everything is answered: the work goes on. */
  | { readonly kind: "go_on"; readonly warnings: readonly string[]; readonly recorded: Recorded }
  /**
   * Open members are answered. `answer`: all of them, in one commit. `answer_some`: one at a time in the draft, or where the
   * client says that others answer the rest.
   */
  | {
      readonly kind: "answer" | "answer_some";
      readonly entries: readonly GroupEntry[];
      readonly warnings: readonly string[];
      readonly recorded: Recorded;
    }
  /** It was all said before: the recorded end is told again. */
  | { readonly kind: "tell_again"; readonly recorded: Recorded };

export function planRun(situation: Situation): Plan {
  const { resume, current } = situation;
  const open = (current ?? []).filter(({ status }) => status === "open");
  if (resume === undefined || (resume.kind === "list" && resume.entries.length === 0)) {
    if (open.length > 0) throw new RunRefusal("PENDING_INTERRUPTS");
    return current === undefined ? { kind: "begin" } : { kind: "go_on", warnings: [], recorded: [] };
  }
  const decided = resume.kind === "single" ? hitlEntries(resume, current ?? []) : null;
  if (decided !== null) return planList(decided, open, situation);
  if (resume.kind === "single") return planSingle(resume, open, situation);
  return planList(resume.entries, open, situation);
}

/** An app that knows LangChain's middleware sends all decisions as one value: each is the answer to the interrupt of its call. */
function hitlEntries(
  resume: Extract<Resume, { kind: "single" }>,
  current: readonly Hold[],
): readonly ResumeEntry[] | null {
  const isForAll =
    resume.spelling === "legacy" && resume.interruptId === undefined && resume.status === "resolved";
  if (!isForAll || !current.every((hold) => interruptOf(hold)?.reason === "tool_call")) return null;
  const payloads = hitlPayloads(
    resume.payload,
    current.map(({ context }) => String(context?.["tool"])),
  );
  if (payloads === null) return null;
  return current.map(({ id }, at) => ({ interruptId: id, status: "resolved", payload: payloads[at] ?? {} }));
}

function planList(entries: readonly ResumeEntry[], open: readonly Hold[], situation: Situation): Plan {
  const { current = [] } = situation;
  const ids = new Set(entries.map(({ interruptId }) => interruptId));
  if (ids.size < entries.length) throw new RunRefusal("DUPLICATE_INTERRUPT_ID");
  const known = entries.filter((entry) => current.some(({ id }) => id === entry.interruptId));
  if (known.length === 0) return planPast(entries, situation);
  const unknown = entries.filter((entry) => !known.includes(entry)).map(({ interruptId }) => interruptId);
  const missing = open.filter(({ id }) => !ids.has(id));
  if (missing.length > 0) {
    if (unknown.length > 0) throw new RunRefusal("UNKNOWN_INTERRUPT_ID", `(${unknown.join(", ")})`);
    if (!situation.mayBePartial)
      throw new RunRefusal("PARTIAL_RESUME", `Missing: ${missing.map(({ id }) => id).join(", ")}`);
  }
  const warnings = unknown.map((id) => `the resume names ${id}, which the thread does not wait for`);
  return given(known, warnings, missing.length > 0 ? "answer_some" : "answer", situation);
}

function given(
  known: readonly ResumeEntry[],
  warnings: readonly string[],
  kind: "answer" | "answer_some",
  situation: Situation,
): Plan {
  const { current = [] } = situation;
  const pairs = known.map((entry) => ({ entry, hold: holdOf(current, entry.interruptId) }));
  const entries = pairs.flatMap(({ entry, hold }) => groupEntry(entry, hold, situation));
  const recorded = recordedFor(pairs);
  return entries.length === 0 ? { kind: "go_on", warnings, recorded } : { kind, entries, warnings, recorded };
}

interface Pair {
  readonly entry: ResumeEntry;
  readonly hold: Hold;
}

/** Answers that count instead of those that were sent. */
function recordedFor(pairs: readonly Pair[]): Recorded {
  return pairs.flatMap(({ entry, hold }) =>
    hold.status === "open" || repeats(entry, hold) ? [] : [recordedAnswer(hold)],
  );
}

function planSingle(
  resume: Extract<Resume, { kind: "single" }>,
  open: readonly Hold[],
  situation: Situation,
): Plan {
  const { threadId, current = [] } = situation;
  if (resume.threadId !== undefined && resume.threadId !== threadId) throw new RunRefusal("THREAD_MISMATCH");
  // Every interrupt we show has an id; only the legacy spelling never had a place for it.
  const [only] = open;
  const implied = resume.spelling === "legacy" && open.length === 1 ? only?.id : undefined;
  const interruptId = resume.interruptId ?? implied;
  if (interruptId === undefined) {
    throw new RunRefusal(
      resume.spelling === "legacy" && open.length === 0 ? "UNKNOWN_INTERRUPT_ID" : "MISSING_INTERRUPT_ID",
    );
  }
  const { status } = resume;
  const hold = current.find(({ id }) => id === interruptId);
  const asked = hold ?? situation.previous?.find(({ id }) => id === interruptId);
  const payload = asked === undefined ? resume.payload : meantPayload(resume, asked, situation);
  const entry: ResumeEntry = { interruptId, status, ...(payload === undefined ? {} : { payload }) };
  if (hold === undefined) return planPast([entry], situation);
  return given([entry], [], "answer_some", situation);
}

/** A legacy text arrives as it was sent where a text may answer; otherwise as the JSON inside it. */
function meantPayload(
  { text, payload }: Extract<Resume, { kind: "single" }>,
  hold: Hold,
  { check }: Situation,
): Json | undefined {
  if (text === undefined) return payload;
  const schema = interruptOf(hold)?.responseSchema;
  const isFitting = schema === undefined || check(schema, text) === null;
  return isFitting && answerOf(hold, text).ok ? text : payload;
}

/** Nothing of it is waited for now: said again, contradicted, or never asked. */
function planPast(entries: readonly ResumeEntry[], { previous = [] }: Situation): Plan {
  const pairs = entries.flatMap((entry) => {
    const hold = previous.find(({ id }) => id === entry.interruptId);
    return hold === undefined ? [] : [{ entry, hold }];
  });
  if (pairs.length === 0) throw new RunRefusal("UNKNOWN_INTERRUPT_ID");
  const changed = pairs.filter(({ entry, hold }) => !agrees(entry, hold));
  const expired = changed.find(({ hold }) => hold.status === "expired");
  if (expired !== undefined) throw expiredRefusal(expired.hold);
  if (changed.length > 0) throw alreadyResolved(changed.map(({ hold }) => hold));
  return { kind: "tell_again", recorded: recordedFor(pairs) };
}

/** One entry for an open hold; none for a settled one that the client agrees with. */
function groupEntry(entry: ResumeEntry, hold: Hold, { now, check }: Situation): readonly GroupEntry[] {
  if (hold.status !== "open") {
    if (agrees(entry, hold)) return [];
    throw hold.status === "expired" ? expiredRefusal(hold) : alreadyResolved([hold]);
  }
  if (entry.status === "cancelled")
    return [{ kind: "cancel", holdId: hold.id, reason: "abandoned in the app" }];
  if (isExpired(hold, now)) throw expiredRefusal(hold);
  const schema = interruptOf(hold)?.responseSchema;
  const misfit = schema === undefined ? null : check(schema, entry.payload);
  if (misfit !== null) throw new RunRefusal("INVALID_PAYLOAD", `${hold.id}: ${misfit}`);
  if (changesWhatIsFixed(hold, entry.payload))
    throw new RunRefusal("INVALID_PAYLOAD", `${hold.id}: /editedArgs these arguments cannot be changed`);
  const read = answerOf(hold, entry.payload);
  if (!read.ok) throw new RunRefusal("INVALID_PAYLOAD", `${hold.id}: ${read.path} ${read.message}`);
  const shown = entry.metadata?.["shown"];
  const { action, data } = read.answer;
  return [{ kind: "answer", holdId: hold.id, action, data, ...(typeof shown === "string" ? { shown } : {}) }];
}

/** Arguments may be changed where the schema offers it, and nowhere else (AG-054). */
function changesWhatIsFixed(hold: Hold, payload: Json | undefined): boolean {
  const interrupt = interruptOf(hold);
  if (interrupt?.reason !== "tool_call" || hold.type !== "approval" || offersEdits(interrupt)) return false;
  return isObject(payload) && EDITS.some((name) => Object.hasOwn(payload, name));
}

const EDITS = ["editedArgs", "edited_args"];

function holdOf(holds: readonly Hold[], id: string): Hold {
  const found = holds.find((hold) => hold.id === id);
  if (found === undefined) throw new Error("the entry was matched with a hold before");
  return found;
}

/** A second answerer gets the answer that counts, without its sensitive values (G1, G9). */
function alreadyResolved(holds: readonly Hold[]): RunRefusal {
  const words = holds.map(({ id, outcome }) => `${id}: ${wordsFor(outcome)}`).join(", ");
  return new RunRefusal(
    "INTERRUPT_ALREADY_RESOLVED",
    `(${words}) Yours was not counted. The next run goes on with the answer that counts.`,
    { recorded: holds.map(recordedAnswer) },
  );
}

/** For people whose client shows them nothing but the message of an error. */
function wordsFor(outcome: Hold["outcome"]): string {
  if (outcome?.kind !== "decided") return "taken back before anybody answered";
  const { action, by, door } = outcome;
  return `${action} by ${answererName(by)}, through ${door}`;
}

function recordedAnswer(hold: Hold): JsonObject & { readonly interruptId: string; readonly status: string } {
  const { id: interruptId, outcome } = hold;
  if (outcome?.kind !== "decided") return { interruptId, status: "cancelled", ...at(outcome) };
  const shown: Hold = { ...hold, outcome: { ...outcome, data: maskSensitive(hold, outcome.data) } };
  const answer = interruptAnswerOf(shown);
  const payload = answer?.status === "resolved" ? { payload: answer.payload } : {};
  const claimed = isNameable(outcome.by) ? outcome.by.claimed : undefined;
  const by = claimed ?? { name: answererName(outcome.by) };
  return { interruptId, status: "resolved", ...payload, by: { ...by }, door: outcome.door, at: outcome.at };
}

function at(outcome: Hold["outcome"]): JsonObject {
  return outcome === undefined ? {} : { at: outcome.at };
}

/** What is done instead of an answer is told with it, if anything was said of that. */
function expiredRefusal({ id, onTimeout, expiresAt }: Hold): RunRefusal {
  const told: JsonObject = {
    interruptId: id,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(onTimeout === undefined ? {} : { default: { ...onTimeout } as JsonObject }),
  };
  return new RunRefusal("INTERRUPT_EXPIRED", `(${id})`, told);
}
