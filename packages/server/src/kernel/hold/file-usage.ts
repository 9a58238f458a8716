/**
 * How many bytes the uploaded files of a workspace take, in one row that changes with every upload and every drop, so
 * that the operator's limit holds on many servers.
 */

import { type Failure, failure } from "../failure.ts";
import type { Change, Need, World } from "../world.ts";
import type { Hold } from "./hold.ts";

export interface FileUsage {
  readonly bytes: number;
}

export const FILE_USAGE = { kind: "file_usage", id: "workspace" } as const satisfies Need;

/** A hold that has files may drop some of them whenever it changes. */
export function usageNeeds({ files }: Hold): readonly Need[] {
  return files === undefined ? [] : [FILE_USAGE];
}

/** `before`: what the files took when nothing was counted yet. */
export function moreUsed(world: World, bytes: number, before: number): readonly Change[] {
  const used = world.get("file_usage", FILE_USAGE.id)?.bytes ?? before;
  return [{ ...FILE_USAGE, body: { bytes: used + bytes } }];
}

/** A workspace without a row is counted by its next upload. */
export function lessUsed(world: World, bytes: number): readonly Change[] {
  const used = world.get("file_usage", FILE_USAGE.id);
  return used === undefined ? [] : [{ ...FILE_USAGE, body: { bytes: Math.max(0, used.bytes - bytes) } }];
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
