/** Checks payloads against agents' schemas with the same limits as for every other client, so that no schema can hang the server. */

import type { Interrupt } from "@holdpoint/protocol/agui";
import { isObject, type Json, type JsonObject, type Judge } from "@holdpoint/protocol/rules";

/** Returns a check that says why a payload does not match a schema, or null if it matches. */
export function checkerOf(judge: Judge): (schema: object, payload: Json | undefined) => string | null {
  return (schema, payload) => {
    if (payload === undefined) return "a payload must be given";
    const test = judge.schema(schema as JsonObject);
    if (typeof test === "string") return `the agent's schema cannot be used: ${test}`;
    const [problem] = test(payload);
    return problem === undefined ? null : `${problem.key === "" ? "/" : problem.key} ${problem.message}`;
  };
}

/** Drops a schema that cannot be used, because the agent has stopped and needs an answer to continue. */
export function answerable(interrupt: Interrupt, judge: Judge): Interrupt {
  const { responseSchema, ...rest } = interrupt;
  const schema = responseSchema as Json | undefined;
  if (!isObject(schema) || typeof judge.schema(schema) === "string") return rest;
  return interrupt;
}
