/** Files: callers who may answer a hold upload them, and callers who may read the answer read them. */

import type { FileOut } from "@holdpoint/protocol";
import type { Visit } from "../../../engine/files.ts";
import { fail } from "../../http/failure.ts";
import { keepUpload } from "../../http/upload.ts";
import { refused } from "../errors.ts";
import type { CallDeps, Caller } from "./caller.ts";
import { withClaimed } from "./holds.ts";

/** `linkHash`: of the link that the caller came with. */
export type FileCaller = Caller & Pick<Visit, "linkHash">;

export interface NewFile {
  readonly holdId: string;
  readonly name: string;
  readonly claimedName?: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
  /** The length that the sender announced. */
  readonly contentLength?: string | undefined;
}

export async function uploadFile(caller: FileCaller, file: NewFile, deps: CallDeps): Promise<FileOut> {
  const { holdId, name, claimedName, content, contentLength } = file;
  const by = withClaimed(caller.by, claimedName === undefined ? undefined : { name: claimedName });
  const upload = { ...visitOf(caller, holdId), by, name, content };
  const kept = await keepUpload(deps.files, upload, contentLength);
  if ("failure" in kept) throw refused(kept.failure, kept.hold, by);
  return { file_id: kept.id, name: kept.name, sha256: kept.sha256, bytes: kept.bytes, hold_id: holdId };
}

export async function readFile(caller: FileCaller, fileId: string, deps: CallDeps) {
  const found = await deps.files.read(fileId, visitOf(caller, deps.files.holdOf(fileId) ?? ""));
  if (found === undefined) throw fail("not_found");
  return found;
}

function visitOf({ workspace, by, linkHash }: FileCaller, holdId: string): Visit {
  return { workspace, by, holdId, ...(linkHash === undefined ? {} : { linkHash }) };
}
