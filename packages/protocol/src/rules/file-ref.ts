/** How an answer names a file, and whether one is asked for: all that a page with a form needs to know of files. */

import type { Ask } from "./ask.ts";
import { fieldsOf } from "./form.ts";
import { isObject, type Json, type JsonObject, member } from "./json.ts";

/** The field's type, and the keyword of a schema. */
export const FILE_UPLOAD = "x-file-upload";
export const FILE_BYTES_MAX = 10 * 1024 * 1024;
export const FILE_NAME_LENGTH_MAX = 200;

export type FileRef = {
  readonly file_id: string;
  readonly name: string;
  /** Of the content, in hex. */
  readonly sha256: string;
};

export function isFileRef(value: Json | undefined): value is FileRef & JsonObject {
  if (!isObject(value)) return false;
  const { file_id: id, name, sha256 } = value;
  return typeof id === "string" && typeof name === "string" && /^[0-9a-f]{64}$/.test(String(sha256));
}

export const NO_FILE = "must be an uploaded file: file_id, name and sha256";

/** Whether the ask wants a file anywhere; nobody uploads to one that does not. */
export function wantsFile(ask: Pick<Ask, "type" | "form" | "responseSchema">): boolean {
  if (ask.form !== undefined) return fieldsOf(ask.form).some(({ type }) => type === FILE_UPLOAD);
  return ask.responseSchema !== undefined && mentionsFile(ask.responseSchema);
}

function mentionsFile(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(mentionsFile);
  if (!isObject(schema)) return false;
  return member(schema, FILE_UPLOAD) === true || Object.values(schema).some(mentionsFile);
}
