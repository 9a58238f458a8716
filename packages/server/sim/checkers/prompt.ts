/** G13: a receiver that never answers delays nobody else. Where nothing fails, a callback leaves at once. */

import type { Checker } from "./index.ts";

/** Between two servers, and between two turns of the sender. */
const AT_ONCE_MS = 5_000;

export const prompt: Checker = ({ sim, holds, events }) => {
  if (!sim.isCalm || sim.hasJumped) return [];
  const endings = new Map(events.map(({ stream, seq, at }) => [`${stream}#${seq}`, at]));
  const complaints: string[] = [];
  const seen = new Set<string>();
  for (const { url, body, at } of sim.farEnd.received) {
    const { stream, seq } = JSON.parse(body).data.event as { stream: string; seq: number };
    const name = `${stream}#${seq}`;
    const endedAt = endings.get(name) ?? at;
    if (holds.get(stream.slice("hold:".length))?.callbackUrl !== url || seen.has(name)) continue;
    seen.add(name);
    const isExcused = sim.outages.spans.some(({ from, to }) => from <= at && to >= endedAt);
    if (at - endedAt > AT_ONCE_MS && !isExcused)
      complaints.push(`the callback for ${name} left ${at - endedAt} ms late, although nothing failed`);
  }
  return complaints;
};
