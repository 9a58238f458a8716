/** JSON that people read and edit. */

import { UNSEEN } from "@holdpoint/protocol/rules";

/** A value as JSON to read and to edit: unseen characters are written as escapes, so that it is the same value. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(UNSEEN, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
