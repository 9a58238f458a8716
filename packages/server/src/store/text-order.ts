import type { EntityKey } from "../kernel/entity.ts";

/**
 * The order of ids: by code point, which is the order of UTF-8 bytes in a database. JavaScript's `<` compares UTF-16
 * units and would put an emoji before "ﬀ".
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** The order in which rows are locked. All servers use the same order, so they cannot deadlock. */
export function compareKeys(a: EntityKey, b: EntityKey): number {
  return compareText(a.kind, b.kind) || compareText(a.id, b.id) || compareText(a.workspace, b.workspace);
}

/** Surrogates encode code points above all other units, so they come last. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Sorts after every id: the start of a descending list. */
export const BEYOND_EVERY_ID = "\u{10FFFF}";
