/** Whether a payload fits the schema it was asked with, without compiling code: it runs wherever the agent runs. */

import { Validator } from "@cfworker/json-schema";
import type { SchemaCheck } from "./plan.ts";

export const checkSchema: SchemaCheck = (schema, payload) => {
  if (payload === undefined) return "a payload must be given";
  const { valid, errors } = new Validator(schema, "2020-12", false).validate(payload);
  if (valid) return null;
  // The last one stands for the innermost place that does not fit.
  const problem = errors.at(-1);
  const path = (problem?.instanceLocation ?? "#").replace(/^#/, "");
  return `${path === "" ? "/" : path} ${problem?.error ?? "does not fit"}`;
};
