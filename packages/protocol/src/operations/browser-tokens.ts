/** Short-lived tokens with which a page reads and answers holds. */

import { defineOperation } from "../operation.ts";
import { BrowserTokenIn, BrowserTokenOut } from "../wire/browser-token.ts";
import { ACT, BODY, IdParams } from "./shared.ts";

export const makeBrowserToken = defineOperation({
  id: "makeBrowserToken",
  method: "POST",
  path: "/v1/browser-tokens",
  tag: "browser tokens",
  summary: "Make a token for a page: for one hold, or for one person's inbox; it is shown once",
  security: "key",
  body: BrowserTokenIn,
  replies: { 201: BrowserTokenOut },
  errors: [...ACT, ...BODY, "unknown_person"],
});

export const revokeBrowserToken = defineOperation({
  id: "revokeBrowserToken",
  method: "DELETE",
  path: "/v1/browser-tokens/{id}",
  tag: "browser tokens",
  summary: "End a browser token before its time",
  security: "key",
  params: IdParams,
  replies: { 200: BrowserTokenOut },
  errors: ACT,
});
