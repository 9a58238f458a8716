/**
 * Replacements for Ajv keywords: Ajv's `uniqueItems`, `enum` and `const` compare each value with each other, or walk a large
 * value once per alternative. These serialise a value once and look it up. One more keyword counts the work.
 */

import { isObject, type Json } from "@holdpoint/protocol/rules";
import { _, type KeywordCxt, type KeywordDefinition } from "ajv/dist/2020.js";
import { canonicalJson } from "../canonical-json.ts";
import type { Meter } from "./meter.ts";
import { COST } from "./schema-copy.ts";

const STEPS_PER_NODE = 10;
const CHARACTERS_PER_NODE = 16;
const STEPS_PER_ITEM = 20;
const STEPS_PER_LETTER = 4;

type NamedKeyword = KeywordDefinition & { readonly keyword: string };

export function createKeywords(meter: Meter): readonly NamedKeyword[] {
  function textOf(value: Json): string {
    const text = canonicalJson(value);
    meter.spend(STEPS_PER_ITEM + text.length * STEPS_PER_LETTER);
    return text;
  }
  return [costKeyword(meter), uniqueItems(textOf), enumKeyword(textOf), constKeyword(textOf), MULTIPLE_OF];
}

function costKeyword(meter: Meter): NamedKeyword {
  const spend = (cost: number, value: Json): void => meter.spend(STEPS_PER_NODE * (cost + extentOf(value)));
  return {
    keyword: COST,
    schemaType: "number",
    before: "$ref",
    code({ gen, schema, data }: KeywordCxt) {
      const call = gen.scopeValue("func", { ref: spend });
      gen.code(_`${call}(${schema}, ${data})`);
    },
  };
}

/** The cost of looking at a value without its parts. */
function extentOf(value: Json): number {
  if (typeof value === "string") return value.length / CHARACTERS_PER_NODE;
  return isComposed(value) ? Object.keys(value).length : 0;
}

function isComposed(value: Json): value is Exclude<Json, string | number | boolean | null> {
  return Array.isArray(value) || isObject(value);
}

function uniqueItems(textOf: (value: Json) => string): NamedKeyword {
  return {
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    error: { message: "must not have duplicate items" },
    validate(wanted: boolean, items: readonly Json[]): boolean {
      if (!wanted) return true;
      const seen = new Set<string>();
      for (const item of items) {
        const size = seen.size;
        if (seen.add(textOf(item)).size === size) return false;
      }
      return true;
    },
  };
}

function enumKeyword(textOf: (value: Json) => string): NamedKeyword {
  return {
    keyword: "enum",
    schemaType: "array",
    error: { message: "must be equal to one of the allowed values" },
    compile: (allowed: readonly Json[]) => isOneOf(allowed, textOf),
  };
}

function constKeyword(textOf: (value: Json) => string): NamedKeyword {
  return {
    keyword: "const",
    error: { message: "must be equal to the constant" },
    compile: (only: Json) => isOneOf([only], textOf),
  };
}

/** Ajv divides in binary and refuses 19.99 as a multiple of 0.01. This compares the decimal numbers that people write. */
const MULTIPLE_OF: NamedKeyword = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  error: { message: ({ schema }) => `must be multiple of ${schema}` },
  validate(divisor: number, value: number): boolean {
    const [part, whole] = [decimalOf(divisor), decimalOf(value)];
    const shift = BigInt(Math.abs(whole.exponent - part.exponent));
    return whole.exponent >= part.exponent
      ? (whole.digits * 10n ** shift) % part.digits === 0n
      : whole.digits % (part.digits * 10n ** shift) === 0n;
  },
};

/** The number as digits and a power of ten: 19.99 is 1999 and -2. */
function decimalOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function isOneOf(allowed: readonly Json[], textOf: (value: Json) => string): (value: Json) => boolean {
  const plain = new Set(allowed.filter((value) => !isComposed(value)));
  const composed = new Set(allowed.filter(isComposed).map((value) => canonicalJson(value)));
  return (value) => (isComposed(value) ? composed.size > 0 && composed.has(textOf(value)) : plain.has(value));
}
