/** Whether the log is whole. */

import * as z from "zod";
import { list } from "./base.ts";

const BreakOut = z.strictObject({
  position: z.int().min(0),
  stream: z.string(),
  seq: z.int().min(0),
  what: z.string(),
});

export const VerificationOut = z.strictObject({
  events: z.int().min(0),
  streams: z.int().min(0),
  checkpoints: z.int().min(0),
  unsigned: z.int().min(0).describe("Events after the newest checkpoint: chained, not yet signed."),
  anchor: z
    .string()
    .nullable()
    .describe(
      "The newest checkpoint's hash. Keep it elsewhere: `holdpoint verify --anchor` tells whether it is still there.",
    ),
  erased: z.int().min(0).describe("Holds whose content was erased on purpose."),
  breaks: list(BreakOut).describe("In order of position; empty means whole."),
});
export type VerificationOut = z.infer<typeof VerificationOut>;
