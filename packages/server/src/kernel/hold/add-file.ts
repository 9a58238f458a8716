/** A person uploads a file to answer with. The bytes are kept already, under the file's id; here it becomes the hold's. */

import { type Ask, wantsFile } from "@holdpoint/protocol/rules";
import { whyNotAttached } from "../attachment.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { actorText, type Principal } from "../principal.ts";
import { about } from "./about.ts";
import type { AddFile } from "./commands.ts";
import { findOpenHold } from "./guard.ts";
import type { Hold, HoldFile } from "./hold.ts";
import type { Link } from "./link.ts";
import { whySettled } from "./settled.ts";
import { whyNotAnswer } from "./who.ts";

/** Enough to choose again a few times; a link must not fill a disk. */
const FILES_MAX = 20;

export function addFile(command: AddFile, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold, link } = found;
  const denied = whyNotUpload(hold, command.by, link) ?? whyNotAttached(hold, command.by, draft, context.now);
  if (denied !== null) return refuse(denied);
  const { now } = context;
  const { id, name, sha256, bytes } = command.file;
  const file: HoldFile = { id, name, sha256, bytes, at: now, by: actorText(command.by) };
  // Salted as all content is: once the salt is erased it says nothing of the file.
  const digest = context.digest({ name, sha256 }, hold.salt as string);
  draft.state(about(hold, { type: "hold.file_added", file, digest }, now, command.by));
  return accept(hold.id);
}

/** Whoever may answer may upload, as long as there is something to upload to. Asked before the bytes are read, too. */
export function whyNotUpload(hold: Hold, by: Principal, link: Link | undefined): Failure | null {
  const denied = whySettled(hold) ?? whyNotAnswer(hold, by, link, link?.actions?.[0] ?? "");
  if (denied !== null) return denied;
  if (!wantsFile(hold.ask as Ask)) return failure("no_file_wanted", "this hold asks for no file");
  const { files = [] } = hold;
  return files.length < FILES_MAX
    ? null
    : failure("too_many_files", `this hold has ${FILES_MAX} files already, and they expire by themselves`);
}
