/**
 * JSON Schemas that clients wrote, compiled by Ajv and evaluated with a limit on steps. Parts that could take longer than
 * their size suggests are replaced (`keywords.ts`, `formats.ts`), counted (patterns, references that fan out) or refused
 * (`schema-copy.ts`).
 */

import {
  isDeeperThan,
  type Json,
  type JsonObject,
  type Judge,
  type Problem,
  pointer,
  type SchemaTest,
} from "@holdpoint/protocol/rules";
import { Ajv2020, type AnySchemaObject, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { createCache } from "./cache.ts";
import { createFormats } from "./formats.ts";
import { createKeywords } from "./keywords.ts";
import { createMeter, type Meter } from "./meter.ts";
import { type Pattern, unrolledSize } from "./pattern.ts";
import { copySchema } from "./schema-copy.ts";

const TEXT_LENGTH_MAX = 65_536;
const DEPTH_MAX = 64;
/** The limit for the characters of all cached schemas. Their compiled form is some fifty times as large. */
const KEPT_LENGTH_MAX = 2_000_000;
/** The limit for the unrolled size of all patterns of one schema together. */
const PATTERNS_SIZE_MAX = 20_000;
/** One step takes at most about 15 ns (G13). A body full of numbers or ten thousand e-mail addresses stay below the limit. */
const STEPS_MAX = 5_000_000;
const STEPS_PER_PATTERN = 20;
const PROBLEMS_MAX = 100;
const MESSAGE_LENGTH_MAX = 200;

/** Compiles schemas into tests, or returns the reason why one cannot be used. */
export function createSchemaCompiler(patternOf: (source: string) => Pattern | string): Judge["schema"] {
  const meter = createMeter(STEPS_MAX);
  const formats = createFormats(meter);
  const keywords = createKeywords(meter);
  let metaSchema: Ajv2020 | null = null;

  /** A new Ajv per schema: an Ajv instance never frees what it has compiled. */
  function newAjv(tracksEvaluated: boolean): Ajv2020 {
    const ajv = new Ajv2020({
      strict: false,
      allErrors: true,
      ownProperties: true,
      inlineRefs: false,
      meta: false,
      validateSchema: false,
      logger: false,
      formats,
      code: { optimize: false, regExp: regExpEngine(patternOf, meter) },
    });
    // The code that tracks what was evaluated fails on some schemas, so it is written only for those that need it.
    ajv.opts.unevaluated = tracksEvaluated;
    for (const definition of keywords) {
      ajv.removeKeyword(definition.keyword);
      ajv.addKeyword(definition);
    }
    return ajv;
  }

  function flawOf(schema: JsonObject): string | null {
    metaSchema ??= new Ajv2020({ strict: false, logger: false });
    if (metaSchema.validateSchema(schema as AnySchemaObject)) return null;
    const first = metaSchema.errors![0]!;
    return shortened(`${first.instancePath.slice(1)} ${first.message}`.trim());
  }

  function compile(source: JsonObject): SchemaTest | string {
    const copy = copySchema(source);
    if (typeof copy === "string") return copy;
    const flaw = flawOf(copy.schema) ?? patternsFlaw(copy.patterns);
    if (flaw !== null) return flaw;
    try {
      return testOf(newAjv(copy.tracksEvaluated).compile(copy.schema as AnySchemaObject), meter);
    } catch (error) {
      return error instanceof RangeError
        ? "is nested too deeply"
        : shortened(String((error as Error).message));
    }
  }

  const kept = createCache<SchemaTest | string>(KEPT_LENGTH_MAX, (text) => text.length);
  return (schema) => {
    // Checked before anything recurses into it, including JSON.stringify.
    if (isDeeperThan(schema, DEPTH_MAX)) return `must be at most ${DEPTH_MAX} levels deep`;
    const text = JSON.stringify(schema);
    if (text.length > TEXT_LENGTH_MAX) return `must have at most ${TEXT_LENGTH_MAX} characters`;
    return kept.get(text, () => compile(schema));
  };
}

function patternsFlaw(patterns: ReadonlySet<string>): string | null {
  let size = 0;
  for (const pattern of patterns) size += unrolledSize(pattern);
  return size > PATTERNS_SIZE_MAX ? "has patterns that are too large to be checked in reasonable time" : null;
}

function testOf(validate: ValidateFunction, meter: Meter): SchemaTest {
  return (value) => {
    const valid = meter.run(() => runs(validate, value));
    const errors = validate.errors ?? [];
    // Otherwise the compiled function would keep the value alive through its errors.
    validate.errors = null;
    if (valid === null) {
      return [{ key: "", rule: "too_complex", message: "takes too long to be checked against its schema" }];
    }
    if (valid === "failed")
      return [{ key: "", rule: "schema", message: "cannot be checked against its schema" }];
    return errors.slice(0, PROBLEMS_MAX).map(problemOf);
  };
}

/** `failed`: the compiled code has a fault of its own, which Ajv's tracking of evaluated members can have. */
function runs(validate: ValidateFunction, value: Json): boolean | "failed" {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof TypeError) return "failed";
    throw error;
  }
}

/** A missing or surplus member is reported at that member, where a page can show it. */
function problemOf(error: ErrorObject): Problem {
  const params = error.params as Readonly<Record<string, unknown>>;
  const name = params["missingProperty"] ?? params["additionalProperty"] ?? params["unevaluatedProperty"];
  return {
    key: typeof name === "string" ? error.instancePath + pointer(name) : error.instancePath,
    rule: error.keyword,
    message: shortened(String(error.message)),
  };
}

function regExpEngine(patternOf: (source: string) => Pattern | string, meter: Meter) {
  const engine = (source: string) => {
    const pattern = patternOf(source);
    if (typeof pattern === "string") throw new Error(`pattern ${pattern}`);
    return {
      test(text: string) {
        meter.spend(STEPS_PER_PATTERN + pattern.size * text.length);
        return pattern.somewhere(text);
      },
      // Ajv shares one engine among patterns with the same text.
      toString: () => source,
    };
  };
  return Object.assign(engine, { code: "re2" });
}

function shortened(text: string): string {
  return text.length <= MESSAGE_LENGTH_MAX ? text : `${text.slice(0, MESSAGE_LENGTH_MAX)}…`;
}
