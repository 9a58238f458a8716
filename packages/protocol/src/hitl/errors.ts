/** How a refusal looks, and which status goes with which code. Codes keep the spelling their sources gave them. */

import * as z from "zod";
import { list } from "../wire/base.ts";
import { FieldProblemOut } from "../wire/problem.ts";
import { HITL_ERROR_CODES } from "./error-codes.ts";
import { CaseId, SafeUrl } from "./values.ts";

export const ErrorBody = z.strictObject({
  error: z.enum(HITL_ERROR_CODES),
  message: z.string().min(1),
  case_id: CaseId.exactOptional(),
  review_url: SafeUrl.exactOptional().describe("Without a token; agents use the link of the 202 instead."),
  fields: list(FieldProblemOut).exactOptional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
