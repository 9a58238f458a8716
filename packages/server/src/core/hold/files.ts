/**
 * Files that people upload for a hold. They are the hold's own: named by its answer or gone, and erased with it. The bytes
 * are kept elsewhere, under the file's id; what is decided here is which ids there are.
 */

import {
  type Ask,
  type FileRef,
  filesIn,
  type JsonObject,
  maskSensitive,
  type Problem,
  wantsFile,
} from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import type { Stated } from "../fact.ts";
import { whyNotOnIntent } from "../intent/who.ts";
import { actorText, type Principal, SYSTEM } from "../principal.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import { whySettled } from "./answer.ts";
import type { AddFile } from "./commands.ts";
import { type Hold, type HoldFile, isPast, type Outcome } from "./hold.ts";
import { type Link, linkBy } from "./link.ts";
import { about } from "./settle.ts";
import { whatIsDue } from "./tick.ts";
import { dropAt } from "./time.ts";
import { mayKnow, sees, whyNotAnswer } from "./who.ts";

/** Enough to choose again a few times; a link must not fill a disk. */
const FILES_MAX = 20;

export function addFile(command: AddFile, world: World, context: Context): Decision {
  const { now } = context;
  const hold = world.get("hold", command.holdId);
  const link = linkBy(command, world);
  if (hold === undefined || !sees(hold, command.by, link))
    return refuse(refusal("not_found", "no such hold"));
  if (isPast(hold, now))
    return refuse(refusal("hold_expired", "nobody answered in time"), whatIsDue(hold, world, now));
  const denied =
    whyNotUpload(hold, command.by, link) ?? whyNotOnIntent(hold.intentId, command.by, world, now);
  if (denied !== null) return refuse(denied);
  const { id, name, sha256, bytes } = command.file;
  const file: HoldFile = { id, name, sha256, bytes, at: now, by: actorText(command.by) };
  // Salted as all content is: once the salt is erased it says nothing of the file.
  const digest = context.digest({ name, sha256 }, hold.salt as string);
  return accept("hold", hold.id, [about(hold, { type: "hold.file_added", file, digest }, now, command.by)]);
}

/** Whoever may answer may upload, as long as there is something to upload to. Asked before the bytes are read, too. */
export function whyNotUpload(hold: Hold, by: Principal, link: Link | undefined): Refusal | null {
  const denied = whySettled(hold) ?? whyNotAnswer(hold, by, link, link?.actions?.[0] ?? "");
  if (denied !== null) return denied;
  if (!wantsFile(hold.ask as Ask)) return refusal("no_file_wanted", "this hold asks for no file");
  const { files = [] } = hold;
  return files.length < FILES_MAX
    ? null
    : refusal("too_many_files", `this hold has ${FILES_MAX} files already, and they expire by themselves`);
}

/** What an answer says of files and is not so: another hold's, one that is gone, or not what was uploaded. */
export function untrueFiles(hold: Hold, data: JsonObject): readonly Problem[] {
  return filesNamed(hold, data).flatMap(({ key, ref }) => {
    const file = fileOf(hold, ref.file_id);
    const isSame = file?.sha256 === ref.sha256 && file.name === ref.name;
    return isSame
      ? []
      : [{ key, rule: "file", message: "is no file that was uploaded here; upload it again" }];
  });
}

/** What an answer that fits its ask names; an open hold has its ask. */
function filesNamed({ ask }: Hold, data: JsonObject) {
  return filesIn(ask as Ask, data).map(({ key, value }) => ({ key, ref: value as unknown as FileRef }));
}

export function fileOf({ files = [] }: Hold, id: string): HoldFile | undefined {
  return files.find((file) => file.id === id);
}

/** The file, for who may have it: before there is an answer only who uploaded it, then whoever may read that answer (G9). */
export function servedFile(
  hold: Hold,
  id: string,
  by: Principal,
  link: Link | undefined,
): HoldFile | undefined {
  const file = fileOf(hold, id);
  if (file === undefined || !sees(hold, by, link) || link?.revokedAt !== undefined) return undefined;
  const { outcome } = hold;
  if (outcome?.kind !== "decided") return file.by === actorText(by) ? file : undefined;
  if (mayKnow(hold, by)) return file;
  const shown = maskSensitive(hold.ask as Ask, outcome.data);
  return filesNamed(hold, shown).some(({ ref }) => ref.file_id === id) ? file : undefined;
}

/** The end of a hold is the end of whatever its answer does not name. */
export function leftOver(hold: Hold, outcome: Outcome, by: Principal): readonly Stated[] {
  const { files = [] } = hold;
  if (files.length === 0) return [];
  const data = outcome.kind === "decided" ? outcome.data : {};
  const named = new Set(filesNamed(hold, data).map(({ ref }) => ref.file_id));
  return dropped(
    hold,
    files.filter(({ id }) => !named.has(id)),
    outcome.at,
    by,
  );
}

/** Of an open hold: uploaded and not answered with for days. */
export function outdated(hold: Hold, now: number): readonly Stated[] {
  const { files = [] } = hold;
  return dropped(
    hold,
    files.filter((file) => dropAt(file) <= now),
    now,
    SYSTEM,
  );
}

/** With its content a hold's files go. */
export function allFiles(hold: Hold, at: number, by: Principal): readonly Stated[] {
  return dropped(hold, hold.files ?? [], at, by);
}

function dropped(hold: Hold, files: readonly HoldFile[], at: number, by: Principal): readonly Stated[] {
  if (files.length === 0) return [];
  const ids = files.map(({ id }) => id);
  return [about(hold, { type: "hold.files_dropped", ids }, at, by)];
}
