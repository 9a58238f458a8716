import type { Ask } from "@holdpoint/protocol/rules";
import type { Hold } from "../../../kernel/hold/hold.ts";
import type { World } from "../world.ts";
import { type Intent, openSuspension, type SuspensionRef } from "./intent.ts";

export type AskingHold = Hold & { readonly ask: Ask };

/** The hold behind an intent that waits for an answer to a question. */
export function openHoldOf(
  intent: Intent,
  world: World,
): { readonly ref: SuspensionRef; readonly hold: AskingHold } {
  const ref = openSuspension(intent);
  const hold = ref === undefined ? undefined : world.get("hold", ref.holdId);
  if (ref === undefined || hold === undefined || hold.ask === null) {
    throw new Error("an intent that waits for an answer has the hold that asks");
  }
  return { ref, hold: { ...hold, ask: hold.ask } };
}
