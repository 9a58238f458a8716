/** Review links. A token is shown once, inside `url`, when its link is made; what is kept is a hash. */

import * as z from "zod";
import { ActionWord } from "./ask.ts";
import { Id, list, Time } from "./base.ts";

const LinkPurpose = z
  .enum(["review", "submit"])
  .describe("`review` opens the page; `submit` answers inline, as a bearer token only.");

const AnyPurpose = z
  .enum([...LinkPurpose.options, "read"])
  .describe("As above; `read` is the token in the `poll_url` of a HITL case that an app opened.");

export const LinkIn = z.strictObject({
  to: z
    .string()
    .min(1)
    .max(320)
    .exactOptional()
    .describe(
      "The person it is for; recorded with their answer. Ignored when the asker makes the link: such a link carries no person.",
    ),
  channel: Id.exactOptional().describe("The channel it will be sent through; recorded with it."),
  purpose: LinkPurpose.exactOptional(),
  actions: list(ActionWord, { min: 1, max: 50 })
    .exactOptional()
    .describe("The only actions that this link can take; all of the hold's unless it says."),
});
export type LinkIn = z.infer<typeof LinkIn>;

export const LinkOut = z.strictObject({
  id: Id,
  hold_id: Id,
  purpose: AnyPurpose,
  actions: list(ActionWord).exactOptional(),
  to: z.string().exactOptional(),
  given_to: z
    .literal("asker")
    .exactOptional()
    .describe("The link was made by or handed to the asker; an answer by it names no person."),
  channel: Id.exactOptional(),
  attempt: z.int().min(0).exactOptional(),
  created_at: Time,
  created_by: z.string(),
  revoked_at: Time.exactOptional(),
  url: z.string().exactOptional().describe("Of the page. Only in the reply to making the link."),
  token: z.string().exactOptional().describe("Of a `submit` link. Only in the reply to making it."),
});
export type LinkOut = z.infer<typeof LinkOut>;

export const LinkListOut = z.strictObject({ links: list(LinkOut) });
export type LinkListOut = z.infer<typeof LinkListOut>;
