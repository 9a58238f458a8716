/** Messages to one host share one lane of the outbox: a host that does not respond delays its own lane only. */

/** The lane of a URL: its host in lower case, without a trailing dot. */
export function laneOf(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return host
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
    .toLowerCase();
}

const CHANNEL = "channel:";

/** In the order of lanes, channels are between these two. */
export const CHANNEL_LANES = { first: CHANNEL, beyond: "channel;" };

/** The lane of a notification to people: one per channel. */
export function laneOfChannel(name: string): string {
  return `${CHANNEL}${name}`;
}

export function isChannelLane(lane: string): boolean {
  return lane.startsWith(CHANNEL);
}
