/** Ending a hold: a person's answer, or a cancel. */

import * as z from "zod";
import { ActionWord } from "./ask.ts";
import { OpenObject } from "./base.ts";
import { ClaimedName } from "./outcome.ts";

export const AnswerIn = z
  .strictObject({
    action: ActionWord,
    data: OpenObject.exactOptional(),
    shown: z
      .string()
      .max(200)
      .exactOptional()
      .describe("Digest of the ask the person saw; a mismatch is refused."),
    claimed: ClaimedName.exactOptional(),
  })
  .meta({ examples: [{ action: "approve", data: { comment: "Customer called twice." } }] });
export type AnswerIn = z.infer<typeof AnswerIn>;

export const CancelIn = z.strictObject({
  reason: z.string().max(4000).exactOptional(),
  claimed: ClaimedName.exactOptional(),
});
export type CancelIn = z.infer<typeof CancelIn>;
