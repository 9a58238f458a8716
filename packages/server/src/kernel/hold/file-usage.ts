/**
 * How many bytes the uploaded files of a workspace take, in one row that changes with every upload and every drop, so
 * that the operator's limit holds on many servers.
 */

import { type Failure, failure } from "../failure.ts";
import type { Change, Need, World } from "../world.ts";
import type { Hold } from "./hold.ts";

export interface FileUsage {
  /** Absent until an upload has counted the files from before. */
  readonly bytes?: number;
  /** Uploads and drops while nothing was counted. A count that one of them overlapped is not kept: it may be wrong. */
  readonly changes?: number;
}

/** What the files took before anything was counted, and how many changes there had been when counting began. */
export interface UsedBefore {
  readonly bytes: number;
  readonly changes: number;
}

export const FILE_USAGE = { kind: "file_usage", id: "workspace" } as const satisfies Need;

/** A hold that has files may drop some of them whenever it changes. */
export function usageNeeds({ files }: Hold): readonly Need[] {
  return files === undefined ? [] : [FILE_USAGE];
}

export function moreUsed(
  world: World,
  bytes: number,
  before: UsedBefore = { bytes: 0, changes: 0 },
): readonly Change[] {
  const used = usageIn(world);
  if (used.bytes !== undefined) return [{ ...FILE_USAGE, body: { bytes: used.bytes + bytes } }];
  return before.changes === changesOf(used)
    ? [{ ...FILE_USAGE, body: { bytes: before.bytes + bytes } }]
    : [uncounted(used)];
}

export function lessUsed(world: World, bytes: number): readonly Change[] {
  const used = usageIn(world);
  if (used.bytes === undefined) return [uncounted(used)];
  return [{ ...FILE_USAGE, body: { bytes: Math.max(0, used.bytes - bytes) } }];
}

function usageIn(world: World): FileUsage {
  return world.get("file_usage", FILE_USAGE.id) ?? {};
}

function changesOf({ changes = 0 }: FileUsage): number {
  return changes;
}

/** The next upload counts. */
function uncounted(used: FileUsage): Change {
  return { ...FILE_USAGE, body: { changes: changesOf(used) + 1 } };
}

const MEGABYTE = 1024 * 1024;

export function whyNoRoom(used: number, bytes: number, max: number): Failure | null {
  if (used + bytes <= max) return null;
  const [taken, allowed] = [used / MEGABYTE, max / MEGABYTE].map((size) => Math.round(size * 10) / 10);
  return failure(
    "file_quota_reached",
    `the uploaded files of this workspace take ${taken} of ${allowed} MB, and this one does not fit; answer or cancel holds whose uploads are not needed, erase settled holds, or ask the operator to raise file_quota_mb`,
  );
}
