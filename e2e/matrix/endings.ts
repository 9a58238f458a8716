/** Every way a hold ends: answered through a door, by the clock, or taken back by whoever asked. */

import { DOORS, type DoorName, type Said } from "./doors.ts";
import type { Placed } from "./placements.ts";
import { TIMEOUT_MS, type World } from "./world.ts";

export type EndingKind = "decided" | "expired" | "cancelled";

export interface Ending {
  readonly kind: EndingKind;
  /** The door it came through, if it was an answer. */
  readonly door?: DoorName;
  end(world: World, placed: Placed): Promise<Said>;
}

export function answered(door: DoorName): Ending {
  return { kind: "decided", door, end: (world, placed) => DOORS[door].answer(world, placed) };
}

export const EXPIRED: Ending = {
  kind: "expired",
  async end({ clock }) {
    await clock.advance(TIMEOUT_MS);
    return "accepted";
  },
};

/** In the words of the protocol it was placed with. */
export const CANCELLED: Ending = {
  kind: "cancelled",
  async end({ placing }, { holdId, key, intent, conversation, proposal, inline }) {
    if (conversation !== undefined) {
      const last = await conversation.resume("cancelled");
      return last.type === "RUN_FINISHED" ? "accepted" : last.code;
    }
    if (proposal !== undefined) {
      return (await proposal.host.dismiss(proposal.hash)) === "dismissed" ? "accepted" : "not dismissed";
    }
    const [path, body] =
      intent !== undefined
        ? [
            `/api/v1/intents/${intent.id}/suspend/cancel`,
            { suspension_id: intent.suspensionId, reason: "no need" },
          ]
        : inline !== undefined
          ? [`/reviews/${holdId.replace("hold_", "review_")}/cancel`, { reason: "no need" }]
          : [`/v1/holds/${holdId}/cancel`, { reason: "no need" }];
    const reply = await placing.call("POST", path, key, body);
    return reply.status === 200 ? "accepted" : JSON.stringify(reply.body);
  },
};
