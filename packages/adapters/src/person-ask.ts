/** What the author of a node or a workflow asks, as a hold. */

import { type InterruptAsk, type Placing, placeOf } from "@holdpoint/protocol/agui";
import type { Place } from "@holdpoint/protocol/client";

/** In the words of the SDK's `Place`; the run gives the key. AG-UI's words for an interrupt (`reason`, `message`) are taken too. */
export type PersonAsk = Omit<Place, "key" | "threadId" | "after"> | InterruptAsk;

export function placeOfAsk(ask: PersonAsk, placing: Placing): Place {
  if ("reason" in ask) return placeOf(ask, placing);
  const { key, threadId } = placing;
  // Links go to people, not into the run: a reader of its state could decide with one.
  return { links: "server", ...ask, key, threadId };
}
