/**
 * The state of whatever shows a thread's interrupts, without any framework: what is pending, what has been filled in, one
 * submit for all of it, and what was answered before. A pure reducer; views bind it and own nothing.
 */

import { type Json, member } from "../rules/index.ts";
import { isExpired } from "./run-end.ts";
import type { Interrupt, ResumeEntry } from "./types.ts";

export type DraftAnswer =
  | { readonly status: "resolved"; readonly payload?: Json }
  /** Abandoned, which is not the same as denied (AG-098). */
  | { readonly status: "cancelled" };

export interface PastInterrupt {
  readonly interrupt: Interrupt;
  readonly status: "resolved" | "cancelled";
  readonly payload?: Json;
  readonly by?: string;
  readonly at?: string;
  readonly door?: string;
  /** What became of an approved call. */
  readonly result?: Json;
  /** How often the same answer came again after everything was done, and was only told the end. */
  readonly replays?: number;
}

export interface Desk {
  readonly threadId: string;
  readonly phase: "idle" | "waiting" | "submitting" | "failed";
  readonly pending: readonly Interrupt[];
  readonly drafts: Readonly<Record<string, DraftAnswer>>;
  /** What was sent last, kept so that a retry repeats the very same answer (AG-102). */
  readonly sent?: readonly ResumeEntry[];
  readonly history: readonly PastInterrupt[];
  readonly error?: { readonly code?: string; readonly message: string };
}

export type DeskAction =
  | { readonly kind: "interrupted"; readonly interrupts: readonly Interrupt[] }
  /** After a reload, from the server's list. */
  | {
      readonly kind: "restored";
      readonly interrupts: readonly Interrupt[];
      readonly history?: readonly PastInterrupt[];
    }
  | { readonly kind: "drafted"; readonly interruptId: string; readonly answer: DraftAnswer | null }
  | { readonly kind: "submitted"; readonly now: number }
  | { readonly kind: "finished"; readonly at?: string; readonly by?: string }
  /** A RUN_ERROR, an HTTP error, or a stream that broke off: shown, and never taken for success. */
  | { readonly kind: "failed"; readonly code?: string; readonly message: string };

export function newDesk(threadId: string): Desk {
  return { threadId, phase: "idle", pending: [], drafts: {}, history: [] };
}

export function reduceDesk(desk: Desk, action: DeskAction): Desk {
  switch (action.kind) {
    case "interrupted":
      return { ...settled(desk, {}), phase: "waiting", pending: action.interrupts };
    case "restored": {
      const { interrupts, history = desk.history } = action;
      const phase = interrupts.length === 0 ? "idle" : "waiting";
      return { ...bare(desk), phase, pending: interrupts, drafts: kept(desk.drafts, interrupts), history };
    }
    case "drafted":
      return desk.phase === "submitting" ? desk : drafted(desk, action.interruptId, action.answer);
    case "submitted": {
      const sent =
        desk.phase === "failed" && desk.sent !== undefined ? desk.sent : resumeOf(desk, action.now);
      return sent === null || desk.phase === "submitting"
        ? desk
        : { ...bare(desk), phase: "submitting", sent };
    }
    case "finished":
      return settled(desk, action);
    case "failed": {
      const { code, message } = action;
      return { ...desk, phase: "failed", error: { ...(code === undefined ? {} : { code }), message } };
    }
  }
}

/** The resume that covers everything pending, or null while something is missing or too late. */
export function resumeOf({ pending, drafts }: Desk, now: number): readonly ResumeEntry[] | null {
  const entries = pending.map((interrupt): ResumeEntry | null => {
    const draft = member(drafts, interrupt.id);
    if (draft === undefined || (draft.status === "resolved" && isExpired(interrupt, now))) return null;
    return { interruptId: interrupt.id, ...draft };
  });
  return entries.length === 0 || entries.includes(null) ? null : (entries as ResumeEntry[]);
}

export function canSubmit(desk: Desk, now: number): boolean {
  if (desk.phase === "failed" && desk.sent !== undefined) return true;
  return desk.phase !== "submitting" && resumeOf(desk, now) !== null;
}

/** New input would be refused while anything is open (AG-096). */
export function isComposerBlocked({ pending, phase }: Desk): boolean {
  return pending.length > 0 || phase === "submitting";
}

/** Milliseconds left to answer; null: no limit. At nought only abandoning remains (AG-097). */
export function timeLeftMs(interrupt: Interrupt, now: number): number | null {
  if (interrupt.expiresAt === undefined) return null;
  return Math.max(0, Date.parse(interrupt.expiresAt) - now);
}

function drafted(desk: Desk, interruptId: string, answer: DraftAnswer | null): Desk {
  if (!desk.pending.some(({ id }) => id === interruptId)) return desk;
  const { [interruptId]: _before, ...others } = desk.drafts;
  // A changed answer is a new one: what failed before is not what would be sent now.
  const { sent: _sent, error: _error, ...rest } = desk;
  return {
    ...rest,
    phase: "waiting",
    drafts: answer === null ? others : { ...others, [interruptId]: answer },
  };
}

function settled(desk: Desk, { at, by }: { readonly at?: string; readonly by?: string }): Desk {
  const past = (desk.sent ?? []).flatMap((entry) => {
    const interrupt = desk.pending.find(({ id }) => id === entry.interruptId);
    if (interrupt === undefined) return [];
    const { status, payload } = entry;
    return [{ interrupt, status, ...opt("payload", payload), ...opt("at", at), ...opt("by", by) }];
  });
  return { ...bare(desk), phase: "idle", pending: [], drafts: {}, history: [...desk.history, ...past] };
}

function bare({ threadId, phase, pending, drafts, history }: Desk): Desk {
  return { threadId, phase, pending, drafts, history };
}

function kept(drafts: Desk["drafts"], pending: readonly Interrupt[]): Desk["drafts"] {
  return Object.fromEntries(Object.entries(drafts).filter(([id]) => pending.some((one) => one.id === id)));
}

function opt<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value };
}
