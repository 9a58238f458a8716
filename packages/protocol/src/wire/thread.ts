/** What an app or agent keeps about one of its conversations between runs. */

import * as z from "zod";
import { Id, OpenObject, Time } from "./base.ts";

export const ThreadIn = z.strictObject({
  data: OpenObject.describe("Replaces what was kept before, as a whole."),
  if_version: z
    .int()
    .min(0)
    .exactOptional()
    .describe("Refused unless the thread still has this version; 0: unless there is none."),
  waits_for: Id.exactOptional().describe(
    "The group of holds that its next run waits for: it is not forgotten before they are settled.",
  ),
});
export type ThreadIn = z.infer<typeof ThreadIn>;

export const ThreadOut = z.strictObject({ id: Id, version: z.int(), data: OpenObject, kept_at: Time });
export type ThreadOut = z.infer<typeof ThreadOut>;
