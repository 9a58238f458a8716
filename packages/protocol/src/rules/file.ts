/**
 * Files in answers. A person uploads one for a hold and the answer names it: `{file_id, name, sha256}`. Asked for by a form
 * field of type `x-file-upload`, or by a schema that says `"x-file-upload": true` of an object. Whether the file exists and
 * is the hold's own is the server's to know; here is where files may stand and what naming one looks like.
 */

import type { Ask } from "./ask.ts";
import { FILE_UPLOAD, isFileRef, NO_FILE } from "./file-ref.ts";
import { fieldsOf } from "./form.ts";
import { isObject, type Json, type JsonObject, member, pointer } from "./json.ts";
import type { Problem } from "./judge.ts";
import { asksForValue, type Hints, hintsOf } from "./schema-hints.ts";

/** A value at a place that asks for a file; `key` as problems name it. */
export interface PlacedFile {
  readonly key: string;
  readonly value: Json;
}

type Asked = Pick<Ask, "type" | "form" | "responseSchema">;

/** Every value of the answer that stands where a file was asked for. */
export function filesIn(ask: Asked, data: JsonObject): readonly PlacedFile[] {
  if (ask.form !== undefined) {
    return fieldsOf(ask.form).flatMap(({ key, type }) => {
      const value = type === FILE_UPLOAD ? member(data, key) : undefined;
      return value === undefined ? [] : [{ key, value }];
    });
  }
  if (ask.responseSchema === undefined) return [];
  const hints = hintsOf(ask.responseSchema);
  const { at, value } = partOf(ask, ask.responseSchema, data);
  return value === undefined ? [] : filesUnder(value, at, [ask.responseSchema], hints);
}

/** A schema speaks about one part of `data`, depending on the type; see `Ask.responseSchema`. */
function partOf(ask: Asked, schema: JsonObject, data: JsonObject) {
  const name = ask.type === "approval" ? "edited_args" : asksForValue(schema) ? "value" : undefined;
  return name === undefined ? { at: "", value: data } : { at: pointer(name), value: member(data, name) };
}

function filesUnder(value: Json, at: string, schemas: readonly Json[], hints: Hints): readonly PlacedFile[] {
  const applying = hints.applying(schemas);
  if (applying.some((schema) => member(schema, FILE_UPLOAD) === true)) return [{ key: at, value }];
  if (applying.length === 0) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      filesUnder(item, at + pointer(index), hints.ofItem(applying, index), hints),
    );
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    filesUnder(part, at + pointer(name), hints.ofMember(applying, name), hints),
  );
}

/** What stands where a file was asked for and names none. */
export function fileProblems(ask: Asked, data: JsonObject): readonly Problem[] {
  return filesIn(ask, data)
    .filter(({ value }) => !isFileRef(value))
    .map(({ key }) => ({ key, rule: "file", message: NO_FILE }));
}

/** Deeper than this a page without script asks for JSON. */
const DEPTH_MAX = 4;

export interface FilePlace {
  /** JSON pointer into what the schema describes. */
  readonly at: string;
  readonly label: string;
}

/** Where a page can put an input for a file: members of objects, by name. */
export function filePlaces(schema: Json, at = "", label = "File", depth = 0): readonly FilePlace[] {
  if (!isObject(schema)) return [];
  const title = member(schema, "title");
  const words = typeof title === "string" ? title : label;
  if (member(schema, FILE_UPLOAD) === true) return [{ at, label: words }];
  const properties = member(schema, "properties");
  if (!isObject(properties) || depth >= DEPTH_MAX) return [];
  return Object.entries(properties).flatMap(([name, inner]) =>
    filePlaces(inner, at + pointer(name), name.replaceAll("_", " "), depth + 1),
  );
}
