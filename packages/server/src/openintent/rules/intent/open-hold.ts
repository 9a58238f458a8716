import type { Ask } from "@holdpoint/protocol/rules";
import type { Hold } from "../../../kernel/hold/hold.ts";
import type { World } from "../world.ts";
import { type Intent, openSuspension, type SuspensionRef } from "./intent.ts";

export type AskingHold = Hold & { readonly ask: Ask };

/** The open hold of a suspended intent. */
export function openHoldOf(
  intent: Intent,
  world: World,
): { readonly ref: SuspensionRef; readonly hold: AskingHold } {
  const ref = openSuspension(intent);
  const hold = ref === undefined ? undefined : world.get("hold", ref.holdId);
  if (ref === undefined || hold === undefined || hold.ask === null) {
    throw new Error(`Invariant: suspended intent ${intent.id} has no open hold with an ask`);
  }
  return { ref, hold: { ...hold, ask: hold.ask } };
}
