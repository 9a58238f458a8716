/** A tool's schema as JSON Schema, so that people can approve with changed arguments. */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { asJson } from "./json.ts";

interface SchemaLike {
  readonly _zod?: unknown;
  readonly _def?: unknown;
  readonly toJSONSchema?: () => unknown;
  readonly "~standard"?: {
    readonly jsonSchema?: { readonly input?: (options: { readonly target: string }) => unknown };
  };
}

/** From JSON Schema itself, or from a schema library that can say it; undefined when it cannot. */
export function jsonSchemaOf(schema: unknown): JsonObject | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const given = schema as SchemaLike;
  try {
    const standard = given["~standard"]?.jsonSchema?.input?.({ target: "draft-2020-12" });
    if (isObject(standard)) return asJson(standard) as JsonObject;
    if (typeof given.toJSONSchema === "function") return asJson(given.toJSONSchema()) as JsonObject;
  } catch {
    // What the library cannot say as JSON Schema people approve without changes.
    return undefined;
  }
  const isLibrary = "~standard" in given || "_zod" in given || "_def" in given;
  return isLibrary ? undefined : (asJson(schema) as JsonObject);
}
