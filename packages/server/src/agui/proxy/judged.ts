/** Agents' schemas, judged as every other client's are: none of them can make the server hang. */

import type { Interrupt } from "@holdpoint/protocol/agui";
import { isObject, type Json, type JsonObject, type Judge } from "@holdpoint/protocol/rules";

/** Why a payload does not fit; null: it does. */
export function judged(judge: Judge): (schema: object, payload: Json | undefined) => string | null {
  return (schema, payload) => {
    if (payload === undefined) return "a payload must be given";
    const test = judge.schema(schema as JsonObject);
    if (typeof test === "string") return `the agent's schema cannot be used: ${test}`;
    const [problem] = test(payload);
    return problem === undefined ? null : `${problem.key === "" ? "/" : problem.key} ${problem.message}`;
  };
}

/** A question whose schema nobody could answer by is asked without it: the agent has stopped, and must be able to go on. */
export function answerable(interrupt: Interrupt, judge: Judge): Interrupt {
  const { responseSchema, ...rest } = interrupt;
  const schema = responseSchema as Json | undefined;
  if (!isObject(schema) || typeof judge.schema(schema) === "string") return rest;
  return interrupt;
}
