/** Reads a page's posted form, with texts and files, as browsers send it without JavaScript. */

import { MIMEType } from "node:util";
import { FILE_BYTES_MAX, FILE_NAME_LENGTH_MAX } from "@holdpoint/protocol/rules";
import type { Context } from "hono";
import { bytesOf, HEARD_BYTES_MAX, readText, refuseAnnounced } from "../http/body.ts";
import { fail } from "../http/failure.ts";
import { countOf, readFormText, refuseManyFields, refuseUnstorable } from "../http/form-text.ts";

export interface PostedForm {
  readonly fields: URLSearchParams;
  readonly files: readonly (readonly [string, File])[];
  /** Whether the form was too large; then nothing of it is used. */
  readonly isTooLarge: boolean;
}

export const NO_FORM: PostedForm = { fields: new URLSearchParams(), files: [], isTooLarge: false };

const TEXT_BYTES_MAX = 1024 * 1024;
/** A logout token of a provider takes a few kilobytes. */
export const STRANGERS_BYTES_MAX = 64 * 1024;
const FORM_BYTES_MAX = FILE_BYTES_MAX + TEXT_BYTES_MAX;

export async function readForm(c: Context): Promise<PostedForm> {
  const type = c.req.header("content-type") ?? "";
  return type.startsWith("multipart/form-data") ? readParts(c, type) : readFields(c, type);
}

/** A form of somebody who is not signed in yet. It has a few short fields and no files (G13). */
export function readStrangersForm(c: Context): Promise<PostedForm> {
  return readFields(c, c.req.header("content-type") ?? "", STRANGERS_BYTES_MAX);
}

async function readFields(c: Context, type: string, bytesMax = TEXT_BYTES_MAX): Promise<PostedForm> {
  const text = await readText(c, bytesMax);
  const isForm = type.startsWith("application/x-www-form-urlencoded");
  return { ...NO_FORM, fields: readFormText(isForm ? text : "") };
}

/** The most parts of a form with files; a part takes much longer to read than a field of a form without files. */
const PARTS_MAX = 2_000;

async function readParts(c: Context, type: string): Promise<PostedForm> {
  const bytes = await readWhole(c);
  if (bytes === null) return { ...NO_FORM, isTooLarge: true };
  const boundary = boundaryIn(type);
  refuseManyFields(countOf(bytes, `--${boundary}`, PARTS_MAX + 1) - 1, PARTS_MAX);
  // The parser gets the boundary whose parts were counted: a header can name two, and parsers differ in which one they take.
  const headers = { "content-type": `multipart/form-data; boundary="${boundary}"` };
  const parts = await new Response(bytes, { headers }).formData().catch(() => {
    throw unreadable();
  });
  const fields = new URLSearchParams();
  const files: [string, File][] = [];
  for (const [name, value] of parts) {
    if (typeof value === "string") fields.append(name, value);
    // A file input without a chosen file sends a file without a name.
    else if (value.name !== "") files.push([name, value]);
  }
  refuseUnstorable(fields);
  return { fields, files, isTooLarge: false };
}

/** Browsers write it with letters, digits and dashes; RFC 2046 allows a few marks more, of which some need quotes. */
const BOUNDARY = /^[\w'()+_./:=?-]{1,70}$/;

function boundaryIn(type: string): string {
  let boundary: string | null = null;
  try {
    boundary = new MIMEType(type).params.get("boundary");
  } catch {}
  if (boundary === null || !BOUNDARY.test(boundary)) throw unreadable();
  return boundary;
}

function unreadable() {
  return fail("invalid_body", "the form cannot be read");
}

/** `null` if it was too large. */
async function readWhole(c: Context): Promise<Buffer<ArrayBuffer> | null> {
  refuseAnnounced(c.req.header("content-length"), HEARD_BYTES_MAX);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of bytesOf(c)) {
    bytes += chunk.length;
    if (bytes <= FORM_BYTES_MAX) chunks.push(chunk);
    else chunks.length = 0;
    refuseAnnounced(String(bytes), HEARD_BYTES_MAX);
  }
  return bytes > FORM_BYTES_MAX ? null : Buffer.concat(chunks);
}

/** Removes the path that some browsers send with the name. */
export function fileNameOf({ name }: File): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .replaceAll(/\p{Cc}/gu, "")
    .slice(0, FILE_NAME_LENGTH_MAX)
    .toWellFormed();
  return clean === "" ? "file" : clean;
}
