/** Cursors of lists: the id of the last item, in a form that fits into a URL. */

import type { WaitingPlace } from "../../../store/port.ts";
import { fail } from "../../http/failure.ts";

export function writeCursor(id: string): string {
  return Buffer.from(id).toString("base64url");
}

export function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString("utf8");
  if (!/^[\w.-]{1,200}$/.test(id)) throw fail("invalid_cursor");
  return id;
}

/** The place in a list that is sorted by urgency. */
export function writePlace({ endsAt, id }: WaitingPlace): string {
  return Buffer.from(`${endsAt}/${id}`).toString("base64url");
}

export function readPlace(cursor: string): WaitingPlace {
  const [, endsAt, id] =
    /^(\d{1,16})\/([\w.-]{1,200})$/.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  if (endsAt === undefined || id === undefined) throw fail("invalid_cursor");
  return { endsAt: Number(endsAt), id };
}
