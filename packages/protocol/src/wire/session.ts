/** Console sessions, and invitations that begin one. */

import * as z from "zod";
import { Id, list, Time } from "./base.ts";
import { RoleWord } from "./key.ts";

export const ConsoleSessionOut = z.strictObject({
  id: Id,
  person: z.string().describe("Who is signed in: the id of a person."),
  role: RoleWord,
  how: z.enum(["link", "email", "oidc", "passkey"]).describe("How they signed in."),
  provider: z.string().exactOptional().describe("The identity provider, by its name in the configuration."),
  auth_time: Time.exactOptional().describe("When the provider last saw proof of who they are."),
  acr: z.string().exactOptional().describe("How well, in the provider's words."),
  amr: list(z.string()).exactOptional().describe("With which methods, in the provider's words."),
  device: z.string().exactOptional().describe("What the browser calls itself."),
  started_at: Time,
  expires_at: Time,
  current: z.boolean().describe("The session of this very call."),
});
export type ConsoleSessionOut = z.infer<typeof ConsoleSessionOut>;

export const ConsoleSessionListOut = z.strictObject({ sessions: list(ConsoleSessionOut) });
export type ConsoleSessionListOut = z.infer<typeof ConsoleSessionListOut>;

export const InvitationIn = z.strictObject({
  by: z
    .enum(["link", "email"])
    .exactOptional()
    .describe(
      "`link`: the reply has a one-time link to hand over. `email`: the server sends it. `link` if absent.",
    ),
});
export type InvitationIn = z.infer<typeof InvitationIn>;

export const InvitationOut = z.strictObject({
  person: Id,
  url: z.string().exactOptional().describe("Works once, for 12 hours; absent if it was sent by e-mail."),
  sent_to: z.string().exactOptional().describe("The address that the invitation was sent to."),
});
export type InvitationOut = z.infer<typeof InvitationOut>;
