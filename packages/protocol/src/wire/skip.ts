/** Work that went on without a person because its request chose so. */

import * as z from "zod";
import { Id, list, Time } from "./base.ts";

export const SkipIn = z.strictObject({
  what: z
    .string()
    .min(1)
    .max(500)
    .describe("What went on, such as `POST /orders`. It stays in the log for good: no personal data."),
  agent: Id.exactOptional().describe("Who chose so, if the caller speaks for somebody else."),
});
export type SkipIn = z.infer<typeof SkipIn>;

export const SkipOut = z.strictObject({
  id: Id,
  what: z.string(),
  agent: Id.exactOptional(),
  recorded_by: z.string(),
  recorded_at: Time,
});
export type SkipOut = z.infer<typeof SkipOut>;

export const SkipListOut = z.strictObject({
  skips: list(SkipOut),
  next_cursor: z.string().exactOptional(),
});
export type SkipListOut = z.infer<typeof SkipListOut>;
