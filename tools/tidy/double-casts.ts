/** Casts through `unknown`: the compiler checks nothing there, so they are few, and each says why it holds. */

import type { Finding } from "./check.ts";
import { fitsAny } from "./pattern.ts";
import { LIMITS } from "./rules.ts";
import { DOUBLE_CAST, type Reading, type SourceFile } from "./source.ts";

/** A reason stands at most this many lines above its cast. */
const REASON_LINES = 4;

export function doubleCasts(
  files: readonly (SourceFile & { readonly reading: Reading })[],
): readonly Finding[] {
  const { max, at, except } = LIMITS.doubleCasts;
  const product = files.filter(({ path }) => fitsAny(path, at) && !fitsAny(path, except));
  const casts = product.flatMap(({ path, reading: { facts } }) => {
    const comments = facts.filter(({ kind }) => kind === "comment").map(({ line }) => line);
    return facts
      .filter(({ kind, text }) => kind === "syntax" && text === DOUBLE_CAST)
      .map(({ line }) => ({
        path,
        line,
        hasReason: comments.some((comment) => comment <= line && comment >= line - REASON_LINES),
      }));
  });
  const found = (one: (typeof casts)[number], use: string): Finding => ({
    path: one.path,
    line: one.line,
    found: DOUBLE_CAST,
    use,
  });
  return [
    ...casts
      .filter(({ hasReason }) => !hasReason)
      .map((one) => found(one, "a comment above it that says why the type holds, or no cast")),
    ...casts.slice(max).map((one) => found(one, `types that fit: at most ${max} such casts in the product`)),
  ];
}
