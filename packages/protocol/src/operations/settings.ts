/** Settings of the whole server that need no restart. */

import { defineOperation } from "../operation.ts";
import { SettingsIn, SettingsOut } from "../wire/settings.ts";
import { BODY, IfMatch, MANAGE, SETTING } from "./shared.ts";

export const getSettings = defineOperation({
  id: "getSettings",
  method: "GET",
  path: "/v1/settings",
  tag: "server",
  summary:
    "The settings that can be changed while the server runs: as configured, and what was changed since",
  security: "key",
  replies: { 200: SettingsOut },
  errors: MANAGE,
});

export const changeSettings = defineOperation({
  id: "changeSettings",
  method: "PATCH",
  path: "/v1/settings",
  tag: "server",
  summary:
    "Change settings of the server; they count at once and after a restart, and the change is on record",
  security: "key",
  headers: IfMatch,
  body: SettingsIn,
  replies: { 200: SettingsOut },
  errors: [...SETTING, ...BODY, "unknown_channel", "precondition_failed"],
});
