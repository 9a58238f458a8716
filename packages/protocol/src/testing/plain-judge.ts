/** A judge for tests of the rules: native patterns, and as much JSON Schema as those tests speak. */

import { isObject, type Json, type JsonObject, type Judge, member, type Problem } from "../rules/index.ts";

export const plainJudge: Judge = {
  pattern(source) {
    try {
      // Compiled alone first: a stray parenthesis must not end the group around it.
      void new RegExp(source, "u");
      const whole = new RegExp(`^(?:${source})$`, "u");
      return (value) => whole.test(value);
    } catch {
      return "is no pattern";
    }
  },
  schema(schema) {
    if (member(schema, "type") === "nonsense") return "is no schema";
    return (value) => problemsOf(schema, value, "");
  },
};

function problemsOf(schema: JsonObject, value: Json, key: string): readonly Problem[] {
  const type = member(schema, "type");
  if (typeof type === "string" && typeOf(value) !== type) {
    return [{ key, rule: "type", message: `must be ${type}` }];
  }
  const properties = member(schema, "properties");
  if (!isObject(value) || !isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, part]) => {
    const given = member(value, name);
    return given === undefined || !isObject(part) ? [] : problemsOf(part, given, `${key}/${name}`);
  });
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
