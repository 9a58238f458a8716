/** Who is signed in to the console. People see and end their own sessions, admins everybody's. */

import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { Id } from "../wire/base.ts";
import { PersonOut } from "../wire/person.ts";
import { ConsoleSessionListOut, ConsoleSessionOut, InvitationIn, InvitationOut } from "../wire/session.ts";
import { ACT, BODY, FIND, IdParams, SETTING_ACT } from "./shared.ts";

export const listSessions = defineOperation({
  id: "listSessions",
  method: "GET",
  path: "/v1/sessions",
  tag: "people",
  summary: "Your sessions; for admins, those of everybody",
  security: "key",
  query: z.strictObject({
    person: Id.exactOptional().describe("Whose; as an admin, everybody's if absent."),
  }),
  replies: { 200: ConsoleSessionListOut },
  errors: [...FIND, "not_allowed"],
});

export const endSession = defineOperation({
  id: "endSession",
  method: "DELETE",
  path: "/v1/sessions/{id}",
  tag: "people",
  summary: "End a session: your own, or as an admin anybody's",
  security: "key",
  params: IdParams,
  replies: { 200: ConsoleSessionOut },
  errors: ACT,
});

export const endSessions = defineOperation({
  id: "endSessions",
  method: "DELETE",
  path: "/v1/people/{id}/sessions",
  tag: "people",
  summary: "End every session of a person: your own, or as an admin anybody's",
  security: "key",
  params: IdParams,
  replies: { 200: PersonOut },
  errors: ACT,
});

export const invitePerson = defineOperation({
  id: "invitePerson",
  method: "POST",
  path: "/v1/people/{id}/invite",
  tag: "people",
  summary: "Make a one-time link that signs the person in, or send it to them by e-mail",
  security: "key",
  params: IdParams,
  body: InvitationIn,
  replies: { 201: InvitationOut },
  errors: [...SETTING_ACT, ...BODY, "not_sent"],
});
