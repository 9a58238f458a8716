/**
 * Who is on call: a static rotation, or an iCalendar file that somebody else keeps. It is read when a notification is sent;
 * a rota that cannot be read or names nobody makes the delivery fail visibly, and the ladder goes on to its next rung.
 */

import { readFile } from "node:fs/promises";
import type { Rota } from "../system/rota.ts";

/** The id or e-mail address of the person who is on call at this moment. */
export async function onCall(rota: Rota, now: number): Promise<string | undefined> {
  if (rota.kind === "ical") return fromCalendar(await readFile(rota.file, "utf8"), now);
  const turn = Math.floor((now - rota.from) / rota.everyMs);
  const { length } = rota.people;
  return rota.people[((turn % length) + length) % length];
}

/** Repeating events are not supported: a rota that uses them names nobody for them, which shows. */
export function fromCalendar(text: string, now: number): string | undefined {
  const unfolded = text.replaceAll(/\r?\n[ \t]/g, "");
  for (const event of unfolded.split("BEGIN:VEVENT").slice(1)) {
    const member = (name: string) => new RegExp(`^${name}(?:;[^:]*)?:(.*)$`, "m").exec(event)?.[1]?.trim();
    const begin = timeOf(member("DTSTART"));
    const end = timeOf(member("DTEND"));
    if (begin <= now && now < end) return member("SUMMARY");
  }
  return undefined;
}

/** UTC times and whole days; anything else is no time that we could compare. */
function timeOf(text = ""): number {
  const [, year, month, day, hour = "00", minute = "00", second = "00"] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(text) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
