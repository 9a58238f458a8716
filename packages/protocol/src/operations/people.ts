/** People and teams: operators read them, admins change them. */

import { defineOperation } from "../operation.ts";
import {
  AccountCodeOut,
  AccountIn,
  PersonIn,
  PersonListOut,
  PersonOut,
  PersonPatchIn,
  TeamIn,
  TeamListOut,
  TeamOut,
  TeamPatchIn,
} from "../wire/person.ts";
import { BODY, IdParams, MANAGE, SETTING, SETTING_ACT } from "./shared.ts";

export const listPeople = defineOperation({
  id: "listPeople",
  method: "GET",
  path: "/v1/people",
  tag: "people",
  summary: "The people of the workspace",
  security: "key",
  replies: { 200: PersonListOut },
  errors: MANAGE,
});

export const addPerson = defineOperation({
  id: "addPerson",
  method: "POST",
  path: "/v1/people",
  tag: "people",
  summary: "Add a person",
  security: "key",
  body: PersonIn,
  replies: { 201: PersonOut },
  errors: [...SETTING, ...BODY, "already_exists", "unknown_team"],
});

export const changePerson = defineOperation({
  id: "changePerson",
  method: "PATCH",
  path: "/v1/people/{id}",
  tag: "people",
  summary: "Change, confirm or suspend a person; people may set their own absence, time zone and language",
  security: "key",
  params: IdParams,
  body: PersonPatchIn,
  replies: { 200: PersonOut },
  errors: [...SETTING_ACT, ...BODY, "already_exists", "unknown_team", "unknown_person"],
});

export const linkAccount = defineOperation({
  id: "linkAccount",
  method: "POST",
  path: "/v1/people/{id}/accounts",
  tag: "people",
  summary: "Link an account on another platform to a person",
  security: "key",
  params: IdParams,
  body: AccountIn,
  replies: { 201: PersonOut },
  errors: [...SETTING_ACT, ...BODY, "already_exists"],
});

export const unlinkAccount = defineOperation({
  id: "unlinkAccount",
  method: "POST",
  path: "/v1/people/{id}/accounts/unlink",
  tag: "people",
  summary: "Unlink an account: your own, or as an admin anybody's",
  security: "key",
  params: IdParams,
  body: AccountIn,
  replies: { 200: PersonOut },
  errors: [...SETTING_ACT, ...BODY],
});

export const makeAccountCode = defineOperation({
  id: "makeAccountCode",
  method: "POST",
  path: "/v1/people/{id}/account_codes",
  tag: "people",
  summary: "Make a one-time code that links an account of your own: send it to the bot within 15 minutes",
  security: "key",
  params: IdParams,
  replies: { 201: AccountCodeOut },
  errors: SETTING_ACT,
});

export const erasePerson = defineOperation({
  id: "erasePerson",
  method: "POST",
  path: "/v1/people/{id}/erase",
  tag: "people",
  summary: "Replace a person's name by a pseudonym and delete address and accounts; the log stays whole",
  security: "key",
  params: IdParams,
  replies: { 200: PersonOut },
  errors: SETTING_ACT,
});

export const listTeams = defineOperation({
  id: "listTeams",
  method: "GET",
  path: "/v1/teams",
  tag: "people",
  summary: "The teams of the workspace",
  security: "key",
  replies: { 200: TeamListOut },
  errors: MANAGE,
});

export const addTeam = defineOperation({
  id: "addTeam",
  method: "POST",
  path: "/v1/teams",
  tag: "people",
  summary: "Add a team",
  security: "key",
  body: TeamIn,
  replies: { 201: TeamOut },
  errors: [...SETTING, ...BODY, "already_exists", "unknown_person"],
});

export const changeTeam = defineOperation({
  id: "changeTeam",
  method: "PATCH",
  path: "/v1/teams/{id}",
  tag: "people",
  summary: "Rename a team or replace its members",
  security: "key",
  params: IdParams,
  body: TeamPatchIn,
  replies: { 200: TeamOut },
  errors: [...SETTING_ACT, ...BODY, "unknown_person"],
});

export const removeTeam = defineOperation({
  id: "removeTeam",
  method: "DELETE",
  path: "/v1/teams/{id}",
  tag: "people",
  summary: "Remove a team; its members stay",
  security: "key",
  params: IdParams,
  replies: { 200: TeamOut },
  errors: SETTING_ACT,
});
