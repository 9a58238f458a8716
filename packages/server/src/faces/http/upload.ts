/** Stores an uploaded file with its hold, for every face. Bytes are counted while they arrive. */

import { FILE_BYTES_MAX } from "@holdpoint/protocol/rules";
import type { Files, Upload, Uploaded } from "../../engine/files.ts";
import type { HoldFile } from "../../kernel/hold/hold.ts";
import { refuseAnnounced, tooLarge } from "./body.ts";

export type Refused = Extract<Uploaded, { ok: false }>;

/** Returns a refusal of the rules; throws at once if the file is too large. */
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
