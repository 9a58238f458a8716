/** Files that people upload to answer with. */

import * as z from "zod";
import { FILE_BYTES_MAX, FILE_NAME_LENGTH_MAX } from "../rules/file-ref.ts";
import { Id } from "./base.ts";

/** A name as a person sees it: one line, and no path. */
const FileName = z
  .string()
  .min(1)
  .max(FILE_NAME_LENGTH_MAX)
  .regex(/^[^/\\\p{Cc}]+$/u, "must be a file's name, without a path");

export const FileQuery = z.strictObject({
  hold_id: Id.describe("The hold it answers."),
  name: FileName.describe("What the file is called."),
  claimed_name: z
    .string()
    .min(1)
    .max(200)
    .exactOptional()
    .describe("Of an app: for which of its users it uploads."),
  token: z
    .string()
    .min(1)
    .max(200)
    .exactOptional()
    .describe("Of a review link to the hold, instead of a key."),
});

export const FileReadQuery = z.strictObject({
  token: z.string().min(1).max(200).exactOptional().describe("Of a review link, instead of a key."),
});

/** As an answer names it, and what else is known of it. */
export const FileOut = z.strictObject({
  file_id: z.string(),
  name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().min(0).max(FILE_BYTES_MAX),
  hold_id: Id,
});
export type FileOut = z.infer<typeof FileOut>;
