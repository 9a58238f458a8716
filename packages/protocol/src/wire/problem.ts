/** Errors: problem details (RFC 9457) with a stable `code`. */

import * as z from "zod";
import { CODES } from "../error-codes.ts";
import { Id, list } from "./base.ts";
import { StrengthWord } from "./decision.ts";
import { OutcomeOut } from "./outcome.ts";

export const FieldProblemOut = z.strictObject({
  key: z.string().describe("A field's key, or a JSON pointer into the body."),
  rule: z.string(),
  message: z.string(),
});
export type FieldProblemOut = z.infer<typeof FieldProblemOut>;

export const ProblemOut = z.strictObject({
  type: z.string().describe("Address of the page that explains the code."),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().exactOptional(),
  instance: z.string().exactOptional(),
  code: z.enum(CODES),
  fields: list(FieldProblemOut).exactOptional(),
  hold_id: Id.exactOptional(),
  hold_ids: list(Id).exactOptional().describe("Holds of the group that are over."),
  missing: list(Id).exactOptional().describe("Open holds of the group that have no entry."),
  claim_id: Id.exactOptional(),
  state: z.string().exactOptional().describe("Of that claim."),
  from: z.string().exactOptional().describe("Status of the intent."),
  to: z.string().exactOptional().describe("Status that it cannot take from there."),
  reason: z
    .string()
    .exactOptional()
    .describe("Why a person may not vote, or why nobody can meet a decision."),
  have: StrengthWord.exactOptional().describe("How the vote was proven."),
  need: StrengthWord.exactOptional().describe("How the decision demands it to be proven."),
  outcome: OutcomeOut.exactOptional().describe("How the hold ended, when that is why this was refused."),
});
export type ProblemOut = z.infer<typeof ProblemOut>;
