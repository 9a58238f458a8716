/** API keys, for admins. */

import { defineOperation } from "../operation.ts";
import { KeyIn, KeyListOut, KeyOut, SignInIn, SignInOut } from "../wire/key.ts";
import { BODY, IdParams, MANAGE, SETTING, SETTING_ACT } from "./shared.ts";

export const makeKey = defineOperation({
  id: "makeKey",
  method: "POST",
  path: "/v1/keys",
  tag: "keys",
  summary: "Make an API key; its secrets are shown once",
  security: "key",
  body: KeyIn,
  replies: { 201: KeyOut },
  errors: [...SETTING, ...BODY],
});

export const listKeys = defineOperation({
  id: "listKeys",
  method: "GET",
  path: "/v1/keys",
  tag: "keys",
  summary: "API keys, without their secrets",
  security: "key",
  replies: { 200: KeyListOut },
  errors: MANAGE,
});

export const revokeKey = defineOperation({
  id: "revokeKey",
  method: "DELETE",
  path: "/v1/keys/{id}",
  tag: "keys",
  summary: "Make an API key worthless",
  security: "key",
  params: IdParams,
  replies: { 200: KeyOut },
  errors: SETTING_ACT,
});

export const rotateKeySecret = defineOperation({
  id: "rotateKeySecret",
  method: "POST",
  path: "/v1/keys/{id}/rotate",
  tag: "keys",
  summary: "Replace the secret that signs callbacks; the new one is shown once",
  security: "key",
  params: IdParams,
  replies: { 200: KeyOut },
  errors: SETTING_ACT,
});

export const makeSignIn = defineOperation({
  id: "makeSignIn",
  method: "POST",
  path: "/v1/sign-ins",
  tag: "keys",
  summary: "Make a link that signs a person in to the console, once",
  security: "key",
  body: SignInIn,
  replies: { 201: SignInOut },
  errors: [...SETTING, ...BODY],
});
