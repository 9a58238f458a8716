/** Files: callers who may answer a hold upload them, and callers who may read the answer read them. */

import { Readable } from "node:stream";
import type { Visit } from "../../../engine/files.ts";
import type { HoldFile } from "../../../kernel/hold/hold.ts";
import { attachment } from "../../http/attachment.ts";
import type { Authority } from "../../http/authority.ts";
import { fail } from "../../http/failure.ts";
import { keepUpload } from "../../http/upload.ts";
import { refused } from "../errors.ts";
import type { Routes } from "../operations.ts";
import { withClaimed } from "./holds.ts";

export const files = {
  async uploadFile(call, deps) {
    const { hold_id: holdId, name, claimed_name: claimed } = call.query;
    const by = withClaimed(call.by, claimed === undefined ? undefined : { name: claimed });
    const visit = visitOf(call.authority, by, holdId);
    const kept = await keepUpload(
      deps.files,
      { ...visit, name, content: call.bytes() },
      call.header("content-length"),
    );
    if ("failure" in kept) throw refused(kept.failure, kept.hold, by);
    return { status: 201, body: presentFile(kept, holdId) };
  },

  async readFile({ params, authority }, deps) {
    const visit = visitOf(authority, authority.by, deps.files.holdOf(params.id) ?? "");
    const found = await deps.files.read(params.id, visit);
    if (found === undefined) throw fail("not_found");
    const content = Readable.toWeb(Readable.from(found.content)) as ReadableStream<Uint8Array>;
    return new Response(content, {
      headers: attachment(found.file.name, found.file.bytes),
    });
  },
} satisfies Routes;

function presentFile({ id, name, sha256, bytes }: HoldFile, holdId: string) {
  return { file_id: id, name, sha256, bytes, hold_id: holdId };
}

function visitOf(authority: Authority, by: Visit["by"], holdId: string): Visit {
  const visit = { workspace: authority.workspace, by, holdId };
  return authority.kind === "link" ? { ...visit, linkHash: authority.link.hash } : visit;
}
