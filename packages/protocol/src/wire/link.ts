/** Review links. A token is shown once, inside `url`, when its link is made; what is kept is a hash. */

import * as z from "zod";
import { Id, list, Time } from "./base.ts";

export const LinkIn = z.strictObject({
  to: z.string().min(1).max(320).exactOptional().describe("Whom it is for; recorded with their answer."),
  channel: Id.exactOptional(),
});
export type LinkIn = z.infer<typeof LinkIn>;

export const LinkOut = z.strictObject({
  id: Id,
  hold_id: Id,
  to: z.string().exactOptional(),
  channel: Id.exactOptional(),
  attempt: z.int().min(0).exactOptional(),
  created_at: Time,
  opened_at: Time.exactOptional(),
  revoked_at: Time.exactOptional(),
  url: z.string().exactOptional().describe("Only in the reply to making the link."),
});
export type LinkOut = z.infer<typeof LinkOut>;

export const LinkListOut = z.strictObject({ links: list(LinkOut) });
export type LinkListOut = z.infer<typeof LinkListOut>;
