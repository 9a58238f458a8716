/** Files for answers: uploaded to one hold, and the hold's from then on. */

import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { FileOut, FileQuery, FileReadQuery } from "../wire/file.ts";
import { ACT, READ } from "./shared.ts";

export const uploadFile = defineOperation({
  id: "uploadFile",
  method: "POST",
  path: "/v1/files",
  tag: "files",
  summary: "Upload a file to answer one hold with",
  description:
    "Callers who may answer the hold may upload, with a key, a console session or the token of a review link. At most 10 MiB; the body is the file as it is. An answer names it as `{file_id, name, sha256}`; one that no answer names is dropped after a week.",
  security: "key",
  browser: true,
  query: FileQuery,
  bytes: true,
  replies: { 201: FileOut },
  errors: [
    ...ACT,
    "invalid_query",
    "too_large",
    "already_settled",
    "hold_expired",
    "no_file_wanted",
    "too_many_files",
    "file_quota_reached",
  ],
});

export const readFile = defineOperation({
  id: "readFile",
  method: "GET",
  path: "/v1/files/{id}",
  tag: "files",
  summary: "Download a file that was uploaded to a hold",
  description:
    "For the agent that asked and callers who may read the answer; before there is an answer, for the caller that uploaded it.",
  security: "key",
  params: z.strictObject({ id: z.string().min(1).max(200) }),
  query: FileReadQuery,
  replies: { 200: z.string() },
  media: "application/octet-stream",
  errors: [...READ, "invalid_query"],
});
