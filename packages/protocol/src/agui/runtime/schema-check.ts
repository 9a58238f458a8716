/** Whether a payload fits the schema it was asked with, without compiling code: it runs wherever the agent runs. */

import { wholeSchemaTest } from "../../json-schema/index.ts";
import type { SchemaCheck } from "./plan.ts";

export const checkSchema: SchemaCheck = (schema, payload) => {
  if (payload === undefined) return "a payload must be given";
  const test = wholeSchemaTest(schema);
  if (typeof test === "string") throw new Error(`the schema of an interrupt cannot be used: ${test}`);
  // The last one stands for the innermost place that does not fit.
  const problem = test(payload).at(-1);
  return problem === undefined ? null : `${problem.key === "" ? "/" : problem.key} ${problem.message}`;
};
