/** Files: uploads and downloads. */

import { Readable } from "node:stream";
import { attachment } from "../../http/attachment.ts";
import type { Authority } from "../../http/authority.ts";
import { type FileCaller, readFile, uploadFile } from "../calls/files.ts";
import type { Routes } from "../operations.ts";

export const files = {
  async uploadFile(call, deps) {
    const { hold_id: holdId, name, claimed_name: claimedName } = call.query;
    const contentLength = call.header("content-length");
    const file = { holdId, name, claimedName, content: call.bytes(), contentLength };
    return { status: 201, body: await uploadFile(callerOf(call.authority), file, deps) };
  },

  async readFile({ params, authority }, deps) {
    const { file, content } = await readFile(callerOf(authority), params.id, deps);
    return new Response(Readable.toWeb(Readable.from(content)) as ReadableStream<Uint8Array>, {
      headers: attachment(file.name, file.bytes),
    });
  },
} satisfies Routes;

function callerOf(authority: Authority): FileCaller {
  const { workspace, by } = authority;
  return authority.kind === "link" ? { workspace, by, linkHash: authority.link.hash } : { workspace, by };
}
