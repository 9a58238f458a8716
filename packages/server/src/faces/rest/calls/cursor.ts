/** Cursors of lists: the id of the last item, in a form that fits into a URL. */

import { fail } from "../../http/failure.ts";

export function writeCursor(id: string): string {
  return Buffer.from(id).toString("base64url");
}

export function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString("utf8");
  if (!/^[\w.-]{1,200}$/.test(id)) throw fail("invalid_cursor");
  return id;
}
