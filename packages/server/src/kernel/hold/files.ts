/**
 * Files that people upload for a hold. A file belongs to one hold: it is dropped unless the answer names it, and
 * erased with the hold. The bytes are stored elsewhere under the file's id; this module decides which ids exist.
 */

import {
  type Ask,
  type FileRef,
  filesIn,
  type JsonObject,
  maskSensitive,
  type Problem,
} from "@holdpoint/protocol/rules";
import type { FactRecord } from "../draft.ts";
import { actorText, type Principal, SYSTEM } from "../principal.ts";
import { about } from "./about.ts";
import type { HoldFact } from "./facts.ts";
import type { Hold, HoldFile, Outcome } from "./hold.ts";
import type { Link } from "./link.ts";
import { dropAt } from "./time.ts";
import { mayKnow, sees } from "./who.ts";

/**
 * Problems with the files that an answer names: a file of another hold, one that is no longer stored, or one with
 * another name or hash.
 */
export function fileProblems(hold: Hold, data: JsonObject): readonly Problem[] {
  return filesNamed(hold, data).flatMap(({ key, ref }) => {
    const file = fileOf(hold, ref.file_id);
    const isSame = file?.sha256 === ref.sha256 && file.name === ref.name;
    return isSame
      ? []
      : [{ key, rule: "file", message: "is not a file that was uploaded to this hold; upload it again" }];
  });
}

/** The files that an answer names. The answer fits its ask, and an open hold always has its ask. */
function filesNamed({ ask }: Hold, data: JsonObject) {
  return filesIn(ask as Ask, data).map(({ key, value }) => ({ key, ref: value as FileRef }));
}

export function fileOf({ files = [] }: Hold, id: string): HoldFile | undefined {
  return files.find((file) => file.id === id);
}

/**
 * Returns the file if the caller may read it: before the hold is answered only its uploader, then everybody who may
 * read that answer (G9).
 */
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

/** When the hold ends, uploaded files that the answer does not name are dropped. */
export function unusedFiles(hold: Hold, outcome: Outcome, by: Principal): readonly FactRecord<HoldFact>[] {
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

/** Drops files of an open hold that were uploaded a week ago and not used in an answer. */
export function outdatedFiles(hold: Hold, now: number): readonly FactRecord<HoldFact>[] {
  const { files = [] } = hold;
  return dropped(
    hold,
    files.filter((file) => dropAt(file) <= now),
    now,
    SYSTEM,
  );
}

/** When a hold's content is erased, its files are dropped too. */
export function allFiles(hold: Hold, at: number, by: Principal): readonly FactRecord<HoldFact>[] {
  return dropped(hold, hold.files ?? [], at, by);
}

function dropped(
  hold: Hold,
  files: readonly HoldFile[],
  at: number,
  by: Principal,
): readonly FactRecord<HoldFact>[] {
  if (files.length === 0) return [];
  const ids = files.map(({ id }) => id);
  return [about(hold, { type: "hold.files_dropped", ids }, at, by)];
}
