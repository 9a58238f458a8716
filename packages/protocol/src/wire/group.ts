/** Holds that belong together: placed in one commit, and answered in one commit or not at all. */

import * as z from "zod";
import { AnswerIn, CancelIn } from "./answer.ts";
import { Id, list, Time } from "./base.ts";
import { HoldOut } from "./hold.ts";
import { PlaceIn } from "./place.ts";

export const GroupIn = z.strictObject({
  holds: list(PlaceIn, { min: 1, max: 100 }).describe("All are placed, or none."),
  thread_id: Id.exactOptional().describe("The conversation they belong to."),
  run_id: Id.exactOptional().describe("The run that waits for all of them."),
});
export type GroupIn = z.infer<typeof GroupIn>;

export const GroupOut = z.strictObject({
  id: Id,
  status: z.enum(["open", "released"]),
  created_by: z.string(),
  thread_id: Id.exactOptional(),
  run_id: Id.exactOptional(),
  holds: list(HoldOut),
  created_at: Time,
  released_at: Time.exactOptional(),
});
export type GroupOut = z.infer<typeof GroupOut>;

/** Similar calls are allowed on the hold's own page or with its own answer, not in passing with a whole group. */
const { grant: _none, ...entry } = AnswerIn.shape;

export const GroupEntryIn = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("answer"), hold_id: Id, ...entry }),
  z.strictObject({ kind: z.literal("cancel"), hold_id: Id, ...CancelIn.shape }),
]);
export type GroupEntryIn = z.infer<typeof GroupEntryIn>;

export const GroupAnswerIn = z.strictObject({
  entries: list(GroupEntryIn, { min: 1, max: 100 }).describe("One for every open hold of the group."),
});
export type GroupAnswerIn = z.infer<typeof GroupAnswerIn>;
