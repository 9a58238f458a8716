/**
 * Adds an uploaded file to a hold, so that a person can answer with it. The bytes are already stored under the file's
 * id.
 */

import { type Ask, wantsFile } from "@holdpoint/protocol/rules";
import { whyNotAttached } from "../attachment.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { actorText, type Principal } from "../principal.ts";
import { about } from "./about.ts";
import type { AddFile } from "./commands.ts";
import { FILE_USAGE, whyNoRoom } from "./file-usage.ts";
import { findOpenHold } from "./guard.ts";
import type { Hold, HoldFile } from "./hold.ts";
import type { Link } from "./link.ts";
import { whySettled } from "./settled.ts";
import { whyNotAnswer } from "./who.ts";

/** A person can replace a file a few times, but a link cannot fill the disk. */
const FILES_MAX = 20;

export function addFile(command: AddFile, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold, link } = found;
  const { now, platform } = context;
  const { usedBefore } = command;
  const used = draft.get("file_usage", FILE_USAGE.id)?.bytes ?? usedBefore?.bytes ?? 0;
  const denied =
    whyNotUpload(hold, command.by, link) ??
    whyNotAttached(hold, command.by, draft, now) ??
    whyNoRoom(used, command.file.bytes, platform.fileBytesMax);
  if (denied !== null) return refuse(denied);
  const { id, name, sha256, bytes } = command.file;
  const file: HoldFile = { id, name, sha256, bytes, at: now, by: actorText(command.by) };
  // The digest is salted like all content: once the salt is erased, it reveals nothing about the file.
  const digest = context.digest({ name, sha256 }, hold.salt as string);
  const counted = usedBefore === undefined ? {} : { usedBefore };
  draft.state(about(hold, { type: "hold.file_added", file, digest, ...counted }, now, command.by));
  return accept(hold.id);
}

/**
 * Every caller who may answer may upload, if the ask has a field for a file. The faces also check this before they
 * read the bytes.
 */
export function whyNotUpload(hold: Hold, by: Principal, link: Link | undefined): Failure | null {
  const denied = whySettled(hold) ?? whyNotAnswer(hold, by, link, link?.actions?.[0] ?? "");
  if (denied !== null) return denied;
  if (!wantsFile(hold.ask as Ask)) return failure("no_file_wanted", "this hold does not ask for a file");
  const { files = [] } = hold;
  return files.length < FILES_MAX
    ? null
    : failure(
        "too_many_files",
        `this hold already has ${FILES_MAX} files, which is the limit; unused files are deleted a week after their upload`,
      );
}
