/** Rotas: who is on call now and who is next. */

import * as z from "zod";
import { Duration, list, Time } from "./base.ts";

const Person = z.string().trim().min(1).max(320);
const PEOPLE_MAX = 100;
const CALENDAR_LENGTH_MAX = 200_000;

/** The configuration file takes it too. */
export const RotationIn = z.strictObject({
  people: list(Person, { min: 1, max: PEOPLE_MAX }).describe(
    "Ids or e-mail addresses of people, in the order of their turns.",
  ),
  every: Duration.describe("How long a turn lasts."),
  from: Time.describe("When the first person's turn begins."),
});

export const RotaIn = z
  .union([
    RotationIn,
    z.strictObject({
      calendar: z
        .string()
        .min(1)
        .max(CALENDAR_LENGTH_MAX)
        .describe(
          "An iCalendar text. Each event's summary is a person's id or e-mail address; repeating events count once.",
        ),
    }),
  ])
  .meta({ examples: [{ people: ["ada", "lin"], every: "7d", from: "2026-03-02T08:00:00Z" }] });
export type RotaIn = z.infer<typeof RotaIn>;

const Who = {
  who: z.string().describe("The id or e-mail address, as the rota has it."),
  name: z
    .string()
    .exactOptional()
    .describe("The person's name. Absent: nobody here has this id or address, so that nobody would be told."),
};

export const RotaOut = z.strictObject({
  name: z.string().describe("A ladder names it as `oncall:<name>`."),
  source: z
    .enum(["config", "console"])
    .describe("Where it was written. One of the console counts instead of the configuration's."),
  is_configured: z.boolean().describe("Whether the configuration has a rota of this name."),
  people: list(z.string()).exactOptional(),
  every: Duration.exactOptional(),
  from: Time.exactOptional(),
  calendar: z.string().exactOptional().describe("For a calendar that was written in the console."),
  now: z
    .strictObject({ ...Who, until: Time })
    .exactOptional()
    .describe("Who is on call. Absent: nobody."),
  next: z.strictObject({ ...Who, from: Time }).exactOptional(),
  reason: z
    .string()
    .exactOptional()
    .describe("`unreadable`: the calendar file of the configuration cannot be read."),
});
export type RotaOut = z.infer<typeof RotaOut>;

export const RotaListOut = z.strictObject({ rotas: list(RotaOut) });
export type RotaListOut = z.infer<typeof RotaListOut>;
