/**
 * Answers that have not reached the server: the page was closed before they counted, or there was no connection. They
 * are kept in this browser, and never sent without being shown again.
 */

import type { Hold } from "@holdpoint/protocol/client";
import type { AnswerSent } from "@holdpoint/react";
import { useMemo, useSyncExternalStore } from "react";
import { keep, kept, onKept } from "./prefs.ts";

const NAME = "holdpoint.unsent";
const UNSENT_MAX = 50;

export interface Unsent {
  readonly holdId: string;
  readonly prompt: string;
  readonly action: string;
  /** Absent where the answer may hold something private: it has to be given again. */
  readonly data?: AnswerSent["data"];
  /** What the person saw. */
  readonly digest: string;
  readonly version: number;
  readonly comments: number;
  readonly at: number;
}

export function unsentOf(hold: Hold, { action, data, grant }: AnswerSent, at: number): Unsent {
  const isPlain = hold.form === undefined && hold.responseSchema === undefined && grant === undefined;
  return {
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

export function addUnsent(unsent: Unsent): void {
  const others = read(kept(NAME)).filter(({ holdId }) => holdId !== unsent.holdId);
  keep(NAME, JSON.stringify([...others, unsent].slice(-UNSENT_MAX)));
}

export function dropUnsent(holdId: string): void {
  const rest = read(kept(NAME)).filter((each) => each.holdId !== holdId);
  keep(NAME, rest.length === 0 ? null : JSON.stringify(rest));
}

export function useUnsent(): readonly Unsent[] {
  const text = useSyncExternalStore(onKept, () => kept(NAME));
  return useMemo(() => read(text), [text]);
}
