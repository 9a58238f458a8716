/** JSON that people read and edit. */

import { escapeUnseen } from "@holdpoint/protocol/rules";

/** A value as JSON to read and to edit: unseen characters are written as escapes, so that it is the same value. */
export function visibleJson(value: unknown): string {
  return escapeUnseen(JSON.stringify(value, null, 2));
}
