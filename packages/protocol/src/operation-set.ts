/**
 * All operations of one face, with its words for what goes wrong. Sets of several faces make one document; each keeps its
 * own error body.
 */

import type * as z from "zod";
import type { ErrorEntry } from "./error-codes.ts";
import type { Operation } from "./operation.ts";
import type { JsonObject } from "./rules/json.ts";

export interface ErrorWords {
  readonly table: Readonly<Record<string, Pick<ErrorEntry, "status" | "title"> & Partial<ErrorEntry>>>;
  /** Best one of the set's `components`. */
  readonly body: z.ZodType;
  readonly media: string;
  /** What any operation may answer; not repeated in each declaration. */
  readonly always?: readonly string[];
  /** A whole body for one code, shown as its example. */
  readonly example?: (code: string) => JsonObject;
  /** Where a body says its code; absent for protocols whose errors have none. */
  readonly codeOf?: (body: JsonObject) => string | undefined;
}

export interface OperationSet {
  /** The face's name, as in its folder. */
  readonly name: string;
  readonly title: string;
  readonly operations: readonly Operation[];
  /** Schemas that have a name in the reference. */
  readonly components: Readonly<Record<string, z.ZodType>>;
  readonly errors: ErrorWords;
}
