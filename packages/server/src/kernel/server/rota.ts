/** Who is on call and who comes next: a rotation of people, or a calendar whose events name them. */

export interface Rotation {
  readonly kind: "rotation";
  /** Ids or e-mail addresses, in the order of their turns. */
  readonly people: readonly string[];
  readonly everyMs: number;
  readonly from: number;
}

/** The text of an iCalendar file. Each event's summary is the id or the e-mail address of the person. */
export interface CalendarRota {
  readonly kind: "calendar";
  readonly text: string;
}

/** What an admin writes in the console. */
export type OwnRota = Rotation | CalendarRota;

/** The configuration may also name a calendar file of the machine. */
export type Rota = OwnRota | { readonly kind: "ical"; readonly file: string };

/** The most rotas that are kept beside those of the configuration. */
export const ROTAS_MAX = 100;

export interface Turns {
  readonly now?: { readonly who: string; readonly until: number };
  readonly next?: { readonly who: string; readonly from: number };
}

export function turnsAt(rota: OwnRota, now: number): Turns {
  return rota.kind === "rotation" ? rotationAt(rota, now) : calendarAt(rota.text, now);
}

function rotationAt({ people, everyMs, from }: Rotation, now: number): Turns {
  const turn = Math.floor((now - from) / everyMs);
  const until = from + (turn + 1) * everyMs;
  const who = (index: number) => people[((index % people.length) + people.length) % people.length] as string;
  return { now: { who: who(turn), until }, next: { who: who(turn + 1), from: until } };
}

/** Of events that overlap the first one in the text counts. */
function calendarAt(text: string, now: number): Turns {
  const events = eventsOf(text);
  const on = events.find(({ begin, end }) => begin <= now && now < end);
  const [next] = events.filter(({ begin }) => begin > now).sort((one, other) => one.begin - other.begin);
  return {
    ...(on === undefined ? {} : { now: { who: on.who, until: on.end } }),
    ...(next === undefined ? {} : { next: { who: next.who, from: next.begin } }),
  };
}

interface CalendarEvent {
  readonly begin: number;
  readonly end: number;
  readonly who: string;
}

/** Events that can be read. Repeating events count once: a rota that uses them names nobody for the others, which shows. */
export function eventsOf(text: string): readonly CalendarEvent[] {
  const unfolded = text.replaceAll(/\r?\n[ \t]/g, "");
  return unfolded
    .split("BEGIN:VEVENT")
    .slice(1)
    .map((event) => {
      const lines = event.split(LINE_END);
      const member = (name: string) => lines.map((line) => valueIn(line, name)).find(isFound) ?? "";
      return { begin: timeOf(member("DTSTART")), end: timeOf(member("DTEND")), who: member("SUMMARY") };
    })
    .filter(({ begin, end, who }) => begin < end && who !== "");
}

const LINE_END = /[\n\r\u2028\u2029]/;
const isFound = (value: string | undefined) => value !== undefined;

/** A line's value, if the line has this name: `name:value`, or `name;parameters:value`. */
function valueIn(line: string, name: string): string | undefined {
  if (!line.startsWith(`${name}:`) && !line.startsWith(`${name};`)) return undefined;
  const at = line.indexOf(":");
  return at < 0 ? undefined : line.slice(at + 1).trim();
}

/** UTC times and whole days; anything else is no time that we could compare. */
function timeOf(text: string): number {
  const [, year, month, day, hour = "00", minute = "00", second = "00"] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(text) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
