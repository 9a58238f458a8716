/** Ending a hold: a person's answer, or a cancel. */

import * as z from "zod";
import { ActionWord } from "./ask.ts";
import { OpenObject } from "./base.ts";
import { GrantIn } from "./gating.ts";
import { ClaimedName } from "./outcome.ts";
import { PasskeyProof } from "./passkey.ts";

export const AnswerIn = z
  .strictObject({
    action: ActionWord.describe("One of the hold's `actions`."),
    data: OpenObject.exactOptional().describe(
      "What goes with the action: chosen options, form values, a comment.",
    ),
    shown: z
      .string()
      .max(200)
      .exactOptional()
      .describe("Digest of the ask the person saw; a mismatch is refused."),
    claimed: ClaimedName.exactOptional().describe("Who the client says it is; echoed, never trusted."),
    grant: GrantIn.exactOptional(),
    passkey: PasskeyProof.exactOptional(),
  })
  .meta({ examples: [{ action: "approve", data: { comment: "Customer called twice." } }] });
export type AnswerIn = z.infer<typeof AnswerIn>;

export const CancelIn = z.strictObject({
  reason: z.string().max(4000).exactOptional().describe("Why it was withdrawn; a note for people."),
  claimed: ClaimedName.exactOptional().describe("Who the client says it is; echoed, never trusted."),
});
export type CancelIn = z.infer<typeof CancelIn>;
