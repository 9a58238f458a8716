/** Reads fields inside a hold's body: search and census need more than its declared indexes. */

import type { Body } from "../kernel/entity.ts";

/** The fields that are read. They are `unknown`, because a database may contain anything. */
interface Looked {
  readonly createdAt?: unknown;
  readonly key?: unknown;
  readonly ask?: { readonly prompt?: unknown; readonly context?: unknown } | null;
}

export function createdAtOf({ createdAt }: Body & Looked): number | null {
  return typeof createdAt === "number" ? createdAt : null;
}

export interface HoldText {
  readonly id: string;
  readonly prompt: string | null;
  readonly key: string | null;
  /** As JSON text. */
  readonly context: string | null;
}

export function holdTextOf(id: string, { ask, key }: Body & Looked): HoldText {
  const context = ask?.context === undefined ? null : JSON.stringify(ask.context);
  return { id, prompt: textOrNull(ask?.prompt), key: textOrNull(key), context };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/**
 * Databases fold the case of ASCII letters only, so all implementations compare here. Upper case is used because a
 * final ς and a σ have the same one.
 */
export function textMatcher(text: string): (hold: HoldText) => boolean {
  const wanted = text.toUpperCase();
  const has = (value: string | null) => value?.toUpperCase().includes(wanted) === true;
  const isWithin = (context: unknown): boolean =>
    typeof context === "object" && context !== null
      ? Object.entries(context).some(([name, value]) => has(name) || isWithin(value))
      : has(String(context));
  return (hold) =>
    has(hold.prompt) ||
    has(hold.key) ||
    has(hold.id) ||
    (hold.context !== null && isWithin(JSON.parse(hold.context)));
}
