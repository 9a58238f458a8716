/** People and teams of a workspace. */

import * as z from "zod";
import { Id, list, Time } from "./base.ts";

/** Ids and names stand in logs, lists and keys of other things: one line, and nothing invisible that could part it. */
const Line = z
  .string()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}+$/u, "Invalid text: control characters");

export const PersonId = Line.describe(
  "The id of a person. A key `operator:alice` stands for the person `alice`.",
);
export const TeamId = Line.describe("The id of a team, as in `team:finance`.");

export const PersonRoleWord = z.enum(["operator", "admin", "auditor"]);
export type PersonRoleWord = z.infer<typeof PersonRoleWord>;

const Email = z
  .string()
  .regex(/^[^\s@]+@[^\s@]+$/, "Invalid e-mail address")
  .max(320);

/** Whether this machine knows the time zone. */
function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const TimeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, "Invalid time zone: expected an IANA name such as Europe/Berlin");
const Language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "Invalid language: expected a BCP 47 tag such as de");

const OutOfOffice = z
  .strictObject({
    from: Time,
    until: Time,
    delegate: PersonId.exactOptional().describe("Who is asked and votes instead; nobody if absent."),
  })
  .describe("Away from `from` on, back at `until`.");

export const OutOfOfficeIn = OutOfOffice.refine(({ from, until }) => Date.parse(from) < Date.parse(until), {
  path: ["until"],
  message: "`until` must be after `from`",
});

const TimeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Invalid time of day: expected HH:MM, such as 22:30");

const QuietHours = z
  .strictObject({
    from: TimeOfDay,
    until: TimeOfDay,
    urgent: z
      .boolean()
      .exactOptional()
      .describe(
        "`true`: questions that end before `until` are sent at once. Otherwise they are not sent, and the next rung of the ladder fires.",
      ),
  })
  .describe(
    "Notifications wait from `from` until `until`, in the person's time zone; they may span midnight. Who is on call is told at once.",
  );

export const AccountIn = z.strictObject({
  platform: Line.describe("`slack`, `telegram`, `discord` …"),
  tenant: Line.exactOptional().describe(
    "The workspace or server on that platform, where user ids are per tenant.",
  ),
  user_id: Line.describe("The id of the user there."),
});
export type AccountIn = z.infer<typeof AccountIn>;

export const AccountCodeOut = z.strictObject({
  code: z.string().describe("Send it to a bot in a direct message. It works once."),
  expires_at: Time,
  links: list(
    z.strictObject({
      channel: z.string(),
      platform: z.string(),
      url: z.string().describe("Opens a chat with the bot; on some platforms it sends the code too."),
    }),
  ).describe("The bots that take the code."),
});
export type AccountCodeOut = z.infer<typeof AccountCodeOut>;

const AccountOut = z.strictObject({ ...AccountIn.shape, linked_by: z.string().exactOptional(), at: Time });

export const PersonIn = z
  .strictObject({
    id: PersonId.exactOptional().describe("Made by the server if absent."),
    name: Line.describe("The name that people see."),
    email: Email.exactOptional().describe(
      "Notifications and links by e-mail go there. It finds the person, so no two people have the same.",
    ),
    role: PersonRoleWord.exactOptional().describe(
      "What they may do when they sign in; `operator` if absent.",
    ),
    teams: list(TeamId, { max: 100 }).exactOptional().describe("The teams they belong to; all of them."),
    time_zone: TimeZone.exactOptional().describe("IANA name, such as `Europe/Berlin`."),
    language: Language.exactOptional().describe("BCP 47 tag, such as `de`."),
    preferred_channel: Line.exactOptional().describe("The channel by which they want to be asked."),
    quiet_hours: QuietHours.exactOptional(),
  })
  .meta({ examples: [{ id: "ada", name: "Ada Park", email: "ada@example.com", teams: ["finance"] }] });
export type PersonIn = z.infer<typeof PersonIn>;

export const PersonPatchIn = z.strictObject({
  name: Line.exactOptional().describe("The name that people see."),
  email: Email.nullable().exactOptional().describe("`null` removes it."),
  role: PersonRoleWord.exactOptional().describe("What they may do when they sign in."),
  teams: list(TeamId, { max: 100 }).exactOptional().describe("The teams they belong to; all of them."),
  status: z
    .enum(["active", "suspended"])
    .exactOptional()
    .describe("A suspended person's keys, sessions, links and votes on open holds stop counting at once."),
  verified: z
    .boolean()
    .exactOptional()
    .describe("`true` confirms somebody whom the server added because a key has their name."),
  out_of_office: OutOfOfficeIn.nullable()
    .exactOptional()
    .describe("Away from `from` on, back at `until`; `null` ends it."),
  time_zone: TimeZone.nullable().exactOptional().describe("IANA name; `null` removes it."),
  language: Language.nullable().exactOptional().describe("BCP 47 tag; `null` removes it."),
  preferred_channel: Line.nullable()
    .exactOptional()
    .describe("The channel by which they want to be asked; `null` removes it."),
  quiet_hours: QuietHours.nullable().exactOptional().describe("`null` removes them."),
});
export type PersonPatchIn = z.infer<typeof PersonPatchIn>;

export const PersonOut = z.strictObject({
  id: Id,
  name: z.string().describe("A pseudonym once the person has been erased."),
  email: z.string().exactOptional(),
  role: PersonRoleWord,
  teams: list(Id),
  accounts: list(AccountOut),
  status: z.enum(["active", "suspended"]),
  verified: z
    .boolean()
    .describe("Somebody unverified answers like anybody, but does not count towards a `decision`."),
  out_of_office: OutOfOffice.exactOptional(),
  time_zone: z.string().exactOptional(),
  language: z.string().exactOptional(),
  preferred_channel: z.string().exactOptional(),
  quiet_hours: QuietHours.exactOptional(),
  source: z
    .enum(["config", "console", "api", "key", "oidc"])
    .describe("Where they come from; `key`: from a key of that name; `oidc`: from an identity provider."),
  created_at: Time,
  erased_at: Time.exactOptional(),
});
export type PersonOut = z.infer<typeof PersonOut>;

export const PersonListOut = z.strictObject({ people: list(PersonOut) });
export type PersonListOut = z.infer<typeof PersonListOut>;

const Members = list(PersonId, { max: 200 });

export const TeamIn = z
  .strictObject({
    id: TeamId,
    name: Line.exactOptional().describe("The name that people see; the id if absent."),
    members: Members.exactOptional().describe("Ids of people."),
  })
  .meta({ examples: [{ id: "finance", name: "Finance", members: ["ada", "grace"] }] });
export type TeamIn = z.infer<typeof TeamIn>;

export const TeamPatchIn = z.strictObject({
  name: Line.exactOptional().describe("The name that people see."),
  members: Members.exactOptional().describe("Ids of people; all of them."),
});
export type TeamPatchIn = z.infer<typeof TeamPatchIn>;

export const TeamOut = z.strictObject({
  id: Id,
  name: z.string(),
  members: list(Id),
  source: z.enum(["config", "console", "api", "key"]),
  created_at: Time,
});
export type TeamOut = z.infer<typeof TeamOut>;

export const TeamListOut = z.strictObject({ teams: list(TeamOut) });
export type TeamListOut = z.infer<typeof TeamListOut>;
