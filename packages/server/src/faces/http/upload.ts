/** A file that somebody sends, whichever face it comes in by: counted as it comes, and kept on its hold. */

import { FILE_BYTES_MAX } from "@holdpoint/protocol/rules";
import type { Files, Upload, Uploaded } from "../../engine/files.ts";
import type { HoldFile } from "../../kernel/hold/hold.ts";
import { refuseAnnounced, tooLarge } from "./body.ts";

export type Refused = Extract<Uploaded, { ok: false }>;

/** A refusal comes back, whoever it is told to; what is too large is thrown at once. */
export async function keepUpload(
  files: Files,
  upload: Upload,
  contentLength?: string,
): Promise<HoldFile | Refused> {
  const denied = await files.whyNot(upload);
  if (denied !== null) return denied;
  refuseAnnounced(contentLength, FILE_BYTES_MAX);
  try {
    const kept = await files.upload(upload);
    return kept.ok ? kept.file : kept;
  } catch (fault) {
    if (fault instanceof Error && fault.name === "FileTooLarge") throw tooLarge(FILE_BYTES_MAX);
    throw fault;
  }
}
