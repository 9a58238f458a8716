/** Review links. */

import { defineOperation } from "../operation.ts";
import { LinkIn, LinkListOut, LinkOut } from "../wire/link.ts";
import { ACT, BODY, IdParams, LinkParams } from "./shared.ts";

export const makeLink = defineOperation({
  id: "makeLink",
  method: "POST",
  path: "/v1/holds/{id}/links",
  tag: "links",
  summary: "Make a review link; its address is shown once",
  security: "key",
  params: IdParams,
  body: LinkIn,
  replies: { 201: LinkOut },
  errors: [...ACT, ...BODY, "already_settled", "hold_expired"],
});

export const listLinks = defineOperation({
  id: "listLinks",
  method: "GET",
  path: "/v1/holds/{id}/links",
  tag: "links",
  summary: "The hold's review links, without their tokens",
  security: "key",
  params: IdParams,
  replies: { 200: LinkListOut },
  errors: ACT,
});

export const revokeLink = defineOperation({
  id: "revokeLink",
  method: "DELETE",
  path: "/v1/holds/{id}/links/{link_id}",
  tag: "links",
  summary: "Make a review link worthless",
  security: "key",
  params: LinkParams,
  replies: { 200: LinkOut },
  errors: ACT,
});
