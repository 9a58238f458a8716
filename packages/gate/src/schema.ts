/** Tool parameters: any Standard Schema (Zod, Valibot, ArkType …) or a JSON Schema; both say what they accept. */

import type { StandardSchema, ValidationIssue } from "@holdpoint/protocol/client";
import { isStandardSchema, issuePointer } from "@holdpoint/protocol/client";
import { z } from "zod";
import { ToolCallArgumentsError } from "./errors.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a tool's `execute` is given: the schema's output, or whatever fits a JSON Schema. */
export type InputOf<Schema> = Schema extends StandardSchema<infer Output> ? Output : unknown;

/** What a tool accepts, ready for use. */
export interface ToolParameters {
  /** What the model is shown. */
  readonly jsonSchema: JsonSchema;
  /** @throws {ToolCallArgumentsError} when the arguments do not fit. */
  readonly validate: (toolName: string, parsedArguments: unknown) => Promise<unknown>;
}

const NO_PARAMETERS: JsonSchema = { type: "object", properties: {} };

/** Fails at definition, not at the first call, when a schema cannot be checked. */
export function toolParameters(schema: StandardSchema | JsonSchema = NO_PARAMETERS): ToolParameters {
  const checked: StandardSchema = isStandardSchema(schema) ? schema : z.fromJSONSchema(schema);
  return {
    jsonSchema: isStandardSchema(schema) ? jsonSchemaOf(schema) : schema,
    validate: async (toolName, parsedArguments) => {
      const validation = await checked["~standard"].validate(parsedArguments);
      if (validation.issues === undefined) return validation.value;
      const problems = validation.issues.map(problemText).join("; ");
      throw new ToolCallArgumentsError(`Arguments for tool ${toolName} do not fit: ${problems}`);
    },
  };
}

function jsonSchemaOf(schema: StandardSchema): JsonSchema {
  const converter = schema["~standard"].jsonSchema;
  // Schema libraries that cannot describe themselves leave the model without hints; validation still holds.
  return converter === undefined ? { type: "object" } : converter.input({ target: "draft-2020-12" });
}

function problemText(issue: ValidationIssue): string {
  const pointer = issuePointer(issue);
  return pointer === "" ? issue.message : `${pointer}: ${issue.message}`;
}
