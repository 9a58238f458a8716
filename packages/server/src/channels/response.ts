/** How a receiver responded to a try. */

import { isChannelLane } from "../kernel/lane.ts";
import type { Delivery } from "./delivery.ts";
import type { Failure } from "./failure.ts";

/** `slow`: the response took longer than a receiver usually needs. */
export type Response = "quick" | "slow" | "none";

const QUICK_MS = 2_000;
const UNANSWERED: ReadonlySet<string> = new Set<Failure>(["timed_out", "connect_timed_out"]);

/** Only a response proves that a host exists and listens. An error that a channel reports at once is a response of the channel. */
export function responseOf(
  lane: string,
  delivery: Extract<Delivery, { kind: "sent" | "failed" }>,
  durationMs: number,
): Response {
  const isQuick = durationMs <= QUICK_MS;
  if (delivery.kind === "sent" || delivery.status !== undefined) return isQuick ? "quick" : "slow";
  return isChannelLane(lane) && isQuick && !UNANSWERED.has(delivery.error) ? "quick" : "none";
}
