/** Rotas of the server: who is told where a ladder says `oncall:<name>`. */

import { defineOperation } from "../operation.ts";
import { RotaIn, RotaListOut, RotaOut } from "../wire/rota.ts";
import { BODY, IdParams, MANAGE, SETTING_ACT } from "./shared.ts";

export const listRotas = defineOperation({
  id: "listRotas",
  method: "GET",
  path: "/v1/oncall",
  tag: "people",
  summary: "The rotas of this server: who is on call now, and who is next",
  security: "key",
  replies: { 200: RotaListOut },
  errors: MANAGE,
});

export const putRota = defineOperation({
  id: "putRota",
  method: "PUT",
  path: "/v1/oncall/{id}",
  tag: "people",
  summary: "Add a rota, or change one; it counts at once, and instead of one of the configuration",
  security: "key",
  params: IdParams,
  body: RotaIn,
  replies: { 200: RotaOut },
  errors: [...SETTING_ACT, ...BODY, "too_many_rotas"],
});

export const removeRota = defineOperation({
  id: "removeRota",
  method: "DELETE",
  path: "/v1/oncall/{id}",
  tag: "people",
  summary: "Remove a rota that was added in the console, or go back to the configuration's",
  security: "key",
  params: IdParams,
  replies: { 200: RotaOut },
  errors: SETTING_ACT,
});
