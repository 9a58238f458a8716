/** Messages: at least once, under one id each, never about what did not happen. */

import type { Checker } from "./index.ts";

const ENDING = /^hold\.(decided|expired|cancelled)$/;

export const messages: Checker = ({ sim, holds, events, outbox }) => {
  const complaints = [...sim.ledger.unsent];
  const happened = new Set(events.map(({ stream, seq }) => `${stream}#${seq}`));
  const byEvent = new Map<string, Set<string>>();
  for (const { url, body, id } of sim.farEnd.received) {
    const { data } = JSON.parse(body) as { data: { event: { stream: string; seq: number } } };
    const name = `${data.event.stream}#${data.event.seq}`;
    if (!happened.has(name)) complaints.push(`${name} was told and never happened`);
    const ids = byEvent.get(`${url} ${name}`) ?? new Set();
    byEvent.set(`${url} ${name}`, ids.add(id));
  }
  for (const [name, ids] of byEvent)
    if (ids.size > 1) complaints.push(`${name} went out under ${ids.size} ids`);
  for (const { type, stream, seq } of events) {
    const hold = stream.startsWith("hold:") ? holds.get(stream.slice(5)) : undefined;
    if (hold?.callbackUrl === undefined || !ENDING.test(type)) continue;
    if (!byEvent.has(`${hold.callbackUrl} ${stream}#${seq}`))
      complaints.push(`the callback for ${stream}#${seq} never arrived`);
  }
  for (const row of outbox) if (row.state === "waiting") complaints.push(`${row.id} is still waiting`);
  return complaints;
};
