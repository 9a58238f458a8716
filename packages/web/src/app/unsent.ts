/**
 * Answers that have not reached the server: the page was closed before they counted, or there was no connection. They
 * are kept in this browser, and never sent without being shown again.
 */

import type { Hold } from "@holdpoint/protocol/client";
import { shownActions } from "@holdpoint/protocol/rules";
import type { AnswerSent } from "@holdpoint/react";
import { askOf } from "@holdpoint/react/headless";
import { useMemo, useSyncExternalStore } from "react";
import { keep, kept, onKept } from "./prefs.ts";

const NAME = "holdpoint.unsent";
const UNSENT_MAX = 50;

export interface Unsent {
  /** Whose answer it is: nobody else who signs in here sees it or could send it. */
  readonly by: string;
  /** The tab it was given in. Other tabs show it only when that tab has had its time to send it. */
  readonly tab: string;
  readonly heldUntil: number;
  readonly holdId: string;
  readonly prompt: string;
  readonly action: string;
  /** What the button said. */
  readonly label: string;
  /** Absent where the answer may hold something private: it has to be given again. */
  readonly data?: AnswerSent["data"];
  /** What the person saw. */
  readonly digest: string;
  readonly version: number;
  readonly comments: number;
  readonly at: number;
}

/** How long a tab may take to send an answer after it counts. */
const SENDING_MS = 10_000;
let thisTab = tabName();
if (typeof document !== "undefined" && "locks" in navigator) void holdName();

/** A tab that was opened or duplicated from another begins with a copy of its name: it takes another one. */
async function holdName(): Promise<void> {
  await navigator.locks.request(`holdpoint.tab.${thisTab}`, { ifAvailable: true }, (lock) => {
    // As long as the page is open.
    if (lock !== null) return new Promise<void>(() => undefined);
    thisTab = tabName(true);
    void holdName();
    return undefined;
  });
}

/** The same after a reload. `isCopied`: another tab has the name that was found. */
function tabName(isCopied = false): string {
  const fresh = String(Math.random());
  try {
    const known = (isCopied ? null : sessionStorage.getItem("holdpoint.tab")) ?? fresh;
    sessionStorage.setItem("holdpoint.tab", known);
    return known;
  } catch {
    return fresh;
  }
}

interface Given {
  readonly by: string;
  readonly at: number;
  /** How long it can still be taken back. */
  readonly undoMs: number;
}

export function labelOf(hold: Hold, action: string): string {
  return shownActions(askOf(hold)).find(({ id }) => id === action)?.label ?? action;
}

export function unsentOf(hold: Hold, { action, data, grant }: AnswerSent, { by, at, undoMs }: Given): Unsent {
  const isPlain = hold.form === undefined && hold.responseSchema === undefined && grant === undefined;
  return {
    ...{ by, tab: thisTab, heldUntil: at + undoMs + SENDING_MS, label: labelOf(hold, action) },
    holdId: hold.id,
    prompt: hold.prompt,
    action,
    ...(isPlain ? { data } : {}),
    digest: hold.digest,
    version: hold.version,
    comments: hold.comments?.length ?? 0,
    at,
  };
}

/** What is different now from what the person answered, in sentences; empty: nothing. */
export function changesSince(unsent: Unsent, hold: Hold): readonly string[] {
  const changes: string[] = [];
  if (hold.status !== "open") changes.push(`It has ended meanwhile: ${hold.status}.`);
  if (hold.digest !== unsent.digest) changes.push("What is asked is not what you saw.");
  const more = (hold.comments?.length ?? 0) - unsent.comments;
  if (more > 0) changes.push(more === 1 ? "There is a new comment." : `There are ${more} new comments.`);
  if (changes.length === 0 && hold.version !== unsent.version)
    changes.push("Somebody has worked on it since; the question is the same.");
  return changes;
}

function read(text: string | null): readonly Unsent[] {
  try {
    const found: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(found) ? (found as Unsent[]) : [];
  } catch {
    return [];
  }
}

function isSame(one: Unsent, by: string, holdId: string): boolean {
  return one.by === by && one.holdId === holdId;
}

export function addUnsent(unsent: Unsent): void {
  const others = read(kept(NAME)).filter((each) => !isSame(each, unsent.by, unsent.holdId));
  keep(NAME, JSON.stringify([...others, unsent].slice(-UNSENT_MAX)));
}

/** Absent `holdId`: all of the person, who signs out and leaves nothing to read. */
export function dropUnsent(by: string, holdId?: string): void {
  const rest = read(kept(NAME)).filter((each) => each.by !== by || (holdId ?? each.holdId) !== each.holdId);
  keep(NAME, rest.length === 0 ? null : JSON.stringify(rest));
}

/** Those of a person that no other tab is about to send. */
export function useUnsent(by: string, now: number): readonly Unsent[] {
  const text = useSyncExternalStore(onKept, () => kept(NAME));
  return useMemo(
    () => read(text).filter((each) => each.by === by && (each.tab === thisTab || each.heldUntil <= now)),
    [text, by, now],
  );
}
