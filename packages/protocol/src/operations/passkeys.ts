/** Passkeys: a person adds and removes their own in the console, admins see and remove all. */

import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { Id } from "../wire/base.ts";
import { PasskeyChallengeOut, PasskeyId, PasskeyIn, PasskeyListOut, PasskeyOut } from "../wire/passkey.ts";
import { BODY, FIND, MANAGE, SETTING_ACT } from "./shared.ts";

export const startPasskey = defineOperation({
  id: "startPasskey",
  method: "POST",
  path: "/v1/passkey-challenges",
  tag: "people",
  summary: "Begin to add a passkey of your own; needs a sign-in within the last 10 minutes",
  security: "key",
  replies: { 200: PasskeyChallengeOut },
  errors: [...MANAGE, "fresh_sign_in_required", "unknown_person", "passkeys_unavailable"],
});

export const addPasskey = defineOperation({
  id: "addPasskey",
  method: "POST",
  path: "/v1/passkeys",
  tag: "people",
  summary: "Add a passkey of your own",
  security: "key",
  body: PasskeyIn,
  replies: { 201: PasskeyOut },
  errors: [
    ...MANAGE,
    ...BODY,
    "fresh_sign_in_required",
    "unknown_person",
    "not_proven",
    "already_exists",
    "passkeys_unavailable",
  ],
});

export const listPasskeys = defineOperation({
  id: "listPasskeys",
  method: "GET",
  path: "/v1/passkeys",
  tag: "people",
  summary: "Your passkeys; for admins, those of anybody",
  security: "key",
  query: z.strictObject({ person: Id.exactOptional().describe("Whose; your own if absent.") }),
  replies: { 200: PasskeyListOut },
  errors: [...FIND, "not_allowed"],
});

export const removePasskey = defineOperation({
  id: "removePasskey",
  method: "DELETE",
  path: "/v1/passkeys/{id}",
  tag: "people",
  summary: "Remove a passkey: your own, or as an admin anybody's",
  security: "key",
  params: z.strictObject({ id: PasskeyId }),
  replies: { 200: PasskeyOut },
  errors: SETTING_ACT,
});
