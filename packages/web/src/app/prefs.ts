/** What a person set for this browser. */

import { useSyncExternalStore } from "react";

const NAMES = { keys: "holdpoint.keys", undo: "holdpoint.undo-seconds" } as const;
type Name = keyof typeof NAMES;

const heard = new Set<() => void>();

/** A browser may refuse to keep anything; then the defaults hold. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Nothing can be done, and nothing depends on it.
  }
  for (const each of heard) each();
}

export function onKept(listener: () => void): () => void {
  heard.add(listener);
  addEventListener("storage", listener);
  return () => {
    heard.delete(listener);
    removeEventListener("storage", listener);
  };
}

export function usePref(name: Name): readonly [string | null, (value: string) => void] {
  const value = useSyncExternalStore(onKept, () => kept(NAMES[name]));
  return [value, (next) => keep(NAMES[name], next)];
}

/** Single keys can be turned off: with speech input, words would press them (WCAG 2.1.4). */
export function areKeysOn(): boolean {
  return kept(NAMES.keys) !== "off";
}

const UNDO_SECONDS = 5;

/** How long an answer waits before it counts. */
export function undoMs(): number {
  const seconds = Number(kept(NAMES.undo) ?? UNDO_SECONDS);
  return Number.isFinite(seconds) && seconds >= 0 && seconds <= 30 ? seconds * 1_000 : UNDO_SECONDS * 1_000;
}
