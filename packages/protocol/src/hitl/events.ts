/** What is told about a case while it runs: frames of its event stream, and the callback at its end. */

import * as z from "zod";
import { CaseResult, Progress, RespondedBy } from "./poll.ts";
import { CaseId, Moment, SafeUrl } from "./values.ts";
import type { CaseEventName } from "./vocabulary.ts";

const COMMON = { case_id: CaseId, status: z.string().exactOptional() };

/** The `data:` of a frame, by its `event:`. */
export const CASE_EVENT_DATA = {
  "review.opened": z.strictObject({ ...COMMON, opened_at: Moment }),
  "review.in_progress": z.strictObject({ ...COMMON, opened_at: Moment, progress: Progress.exactOptional() }),
  "review.reminder": z.strictObject({
    ...COMMON,
    reminder_at: Moment,
    message: z.string(),
    review_url: SafeUrl.exactOptional().describe("Without a token: the server keeps none to repeat."),
  }),
  "review.completed": z.strictObject({ ...COMMON, completed_at: Moment, result: CaseResult }),
  "review.expired": z.strictObject({ ...COMMON, expired_at: Moment, default_action: z.string() }),
  "review.cancelled": z.strictObject({
    ...COMMON,
    cancelled_at: Moment,
    reason: z.string().exactOptional(),
  }),
} as const satisfies Record<CaseEventName, z.ZodType>;

function frame<Name extends CaseEventName>(event: Name) {
  return z.strictObject({
    id: z.string().exactOptional(),
    event: z.literal(event),
    data: CASE_EVENT_DATA[event],
  });
}

export const CaseEvent = z.discriminatedUnion("event", [
  frame("review.opened"),
  frame("review.in_progress"),
  frame("review.reminder"),
  frame("review.completed"),
  frame("review.expired"),
  frame("review.cancelled"),
]);
export type CaseEvent = z.infer<typeof CaseEvent>;

const CALLBACK = { case_id: CaseId, timestamp: Moment };

export const Callback = z.discriminatedUnion("event", [
  z.strictObject({
    ...CALLBACK,
    event: z.literal("review.completed"),
    completed_at: Moment,
    result: CaseResult,
    responded_by: RespondedBy.exactOptional(),
  }),
  z.strictObject({
    ...CALLBACK,
    event: z.literal("review.expired"),
    expired_at: Moment,
    default_action: z.string(),
  }),
  z.strictObject({
    ...CALLBACK,
    event: z.literal("review.cancelled"),
    cancelled_at: Moment,
    reason: z.string().exactOptional(),
  }),
]);
export type Callback = z.infer<typeof Callback>;
