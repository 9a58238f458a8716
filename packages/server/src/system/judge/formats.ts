/**
 * The formats of JSON Schema in a form that cannot hang: as RE2 where RE2 can run them. The others are backtracking patterns
 * of a library; they see only short texts, and their cost counts as the square of the length.
 */

import type { Format } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { RE2JS } from "re2js";
import type { Meter } from "./meter.ts";

const NATIVE_LENGTH_MAX = 2_048;
const STEPS_PER_CHARACTER = 2;

type TextCheck = (text: string) => boolean;

/** Values of this format can be long, so it has a pattern that RE2 runs. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const SCHEME = /^[a-z][a-z0-9+\-.]*:/i;

export function createFormats(meter: Meter): Readonly<Record<string, Format>> {
  const linear = (check: TextCheck): TextCheck => {
    return (text) => {
      meter.spend(text.length * STEPS_PER_CHARACTER);
      return check(text);
    };
  };
  const native = (check: TextCheck): TextCheck => {
    return (text) => {
      if (text.length > NATIVE_LENGTH_MAX) return false;
      meter.spend(text.length * text.length);
      return check(text);
    };
  };

  function bounded(format: Format): Format {
    if (format instanceof RegExp) {
      const re2 = re2Check(format);
      return re2 === null ? native((text) => format.test(text)) : linear(re2);
    }
    if (typeof format === "function") return native(format as TextCheck);
    if (typeof format !== "object" || format.type === "number") return format;
    return bounded(format.validate as Format);
  }

  const formats = Object.fromEntries(
    Object.entries(fullFormats).map(([name, format]) => [name, bounded(format)]),
  );
  const reference = formats["uri-reference"] as TextCheck;
  return {
    ...formats,
    byte: linear(re2Check(BASE64) as TextCheck),
    // A URI is a reference with a scheme, so it needs no pattern of its own.
    uri: (text: string) => SCHEME.test(text) && reference(text),
  };
}

/** RE2 takes ten milliseconds to compile them all, and they never change: every judge of the process shares them. */
const compiled = new Map<RegExp, TextCheck | null>();

function re2Check(pattern: RegExp): TextCheck | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const check = compileRe2(pattern);
  compiled.set(pattern, check);
  return check;
}

function compileRe2(pattern: RegExp): TextCheck | null {
  try {
    const flags = pattern.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
    const engine = RE2JS.compile(RE2JS.translateRegExp(pattern.source), flags);
    return (text) => engine.test(text);
  } catch {
    return null;
  }
}
