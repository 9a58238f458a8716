/** JSON that people read. */

import { UNSEEN } from "./visible-text.ts";

/** JSON with unseen characters written as escapes: it is read, and reads back, as the same value. */
export function escapeUnseen(json: string): string {
  return json.replace(UNSEEN, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
