/**
 * The server's judge: runs patterns and JSON Schemas that clients wrote, with bounded time and memory. Compiled ones are
 * cached by content, because an ask is checked both when it is placed and when it is answered.
 */

import type { Judge } from "@holdpoint/protocol/rules";
import { createCache } from "./judge/cache.ts";
import { compilePattern, type Pattern } from "./judge/pattern.ts";
import { createSchemaCompiler } from "./judge/schema.ts";

/** The limit for the instructions of all cached patterns. One takes some hundred bytes, its caches up to ten times that. */
const PATTERNS_WEIGHT_MAX = 200_000;
/** The least weight of a pattern, so that the number of small ones is bounded too. */
const PATTERN_WEIGHT_MIN = 500;

export function createJudge(): Judge {
  const patterns = createCache<Pattern | string>(PATTERNS_WEIGHT_MAX, (source, pattern) =>
    Math.max(PATTERN_WEIGHT_MIN, source.length, typeof pattern === "string" ? 0 : pattern.size),
  );
  const patternOf = (source: string): Pattern | string => patterns.get(source, () => compilePattern(source));
  return {
    pattern(source) {
      const pattern = patternOf(source);
      return typeof pattern === "string" ? pattern : pattern.whole;
    },
    schema: createSchemaCompiler(patternOf),
  };
}
