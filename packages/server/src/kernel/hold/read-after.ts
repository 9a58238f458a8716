/** When a rung of a ladder is due, as people write it: `30m`, `2h business`, or `0s` for at once. */

import { parseDuration } from "@holdpoint/protocol/rules";
import type { Moment } from "./commands.ts";

const BUSINESS = / business$/;

/** `null`: it is no such time. */
export function readAfter(after: string): Moment | null {
  if (after === "0s") return { afterMs: 0 };
  const afterMs = parseDuration(after.replace(BUSINESS, ""));
  if (afterMs === null) return null;
  return BUSINESS.test(after) ? { afterMs, isBusiness: true } : { afterMs };
}
