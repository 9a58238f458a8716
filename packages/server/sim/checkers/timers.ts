/** G3: nothing due was lost, nothing fired twice, missed is said, expiry happens at its moment. */

import type { Hold } from "../../src/kernel/hold/hold.ts";
import type { StoredEvent } from "../../src/kernel/record.ts";
import type { Span } from "../outages.ts";
import type { Checker } from "./index.ts";

export const timers: Checker = ({ holds, events, sim, timers: timersLeft }) => {
  const complaints = [...sim.ledger.overdue].map((id) => `${id} was open after its deadline`);
  const told = new Map<string, StoredEvent[]>();
  for (const event of events) {
    if (event.type !== "hold.reminded" && event.type !== "hold.escalated") continue;
    told.set(event.stream, [...(told.get(event.stream) ?? []), event]);
  }
  if (sim.isCalm && !sim.hasJumped) complaints.push(...missedForNoReason(holds, sim.outages.spans));
  for (const [id, hold] of holds) complaints.push(...ofHold(id, hold, told.get(`hold:${id}`) ?? []));
  for (const { key } of timersLeft) {
    const hold = holds.get(key.id);
    if (
      hold !== undefined &&
      hold.status !== "open" &&
      hold.claim?.state !== "claimed" &&
      hold.retainMs === undefined
    ) {
      complaints.push(`${key.id} is over and still has a timer`);
    }
  }
  return complaints;
};

function ofHold(id: string, hold: Hold, told: readonly StoredEvent[]): readonly string[] {
  const complaints: string[] = [];
  const endedAt = hold.outcome?.at ?? Number.POSITIVE_INFINITY;
  if (hold.outcome?.kind === "expired" && endedAt !== hold.expiresAt)
    complaints.push(`${id} expired at ${endedAt}, not at ${hold.expiresAt}`);
  if (hold.expiresAt !== undefined && endedAt > hold.expiresAt)
    complaints.push(`${id} outlived its deadline`);
  const due = hold.rungs.filter(({ at }) => at < endedAt);
  if (told.length > hold.rungs.length)
    complaints.push(`${id} was told of ${told.length} rungs and has ${hold.rungs.length}`);
  for (const rung of due) {
    if (rung.state === undefined && hold.outcome?.kind === "expired")
      complaints.push(`${id} lost its rung at ${rung.at}`);
  }
  return complaints;
}

/** Where nothing failed but processes, a rung may be missed only while none was running. */
function missedForNoReason(holds: ReadonlyMap<string, Hold>, outages: readonly Span[]): readonly string[] {
  const isDown = (at: number) => outages.some(({ from, to }) => from <= at && at <= to);
  return [...holds].flatMap(([id, { rungs }]) =>
    rungs
      .filter(({ state, at }) => state === "missed" && !isDown(at))
      .map(({ at }) => `${id} missed its rung at ${at} while the server was running`),
  );
}
