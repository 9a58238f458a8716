/**
 * The server's judge: runs patterns and JSON Schemas that clients wrote, and cannot be made to hang or to grow without
 * bound by them. What is compiled is kept by content, as the same ask is judged when placed and when answered.
 */

import type { Judge } from "@holdpoint/protocol/rules";
import { createCache } from "./judge/cache.ts";
import { compilePattern, type Pattern } from "./judge/pattern.ts";
import { createSchemaCompiler } from "./judge/schema.ts";

/** Instructions of all kept patterns; one takes some hundred bytes, its caches up to ten times that. */
const PATTERNS_WEIGHT_MAX = 200_000;
/** A pattern weighs at least this much, so that very many small ones are bounded too. */
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
