/** Messages that an event of a hold causes: to webhooks, to the creator's callback, to people. */

import { NO_SETTINGS } from "../access/access.ts";
import type { FactRecord } from "../draft.ts";
import { laneOf, laneOfChannel } from "../lane.ts";
import { messageAbout as message } from "../message.ts";
import { type Notify, type Platform, usualRecipients } from "../platform.ts";
import type { OutboxRow, SealedEvent } from "../record.ts";
import type { World } from "../world.ts";
import type { HoldFact } from "./facts.ts";
import type { Hold } from "./hold.ts";
import type { Rung } from "./time.ts";

const ENDINGS: ReadonlySet<string> = new Set(["hold.decided", "hold.expired", "hold.cancelled"]);

/** Messages that this event causes. Their ids follow from the event, so deciding again makes the same ones. */
export function messagesOf(
  { id, fact }: FactRecord<HoldFact>,
  event: SealedEvent,
  world: World,
  { notify }: Platform,
): readonly OutboxRow[] {
  const hold = world.get("hold", id) as Hold;
  const settings = world.get("workspace", "settings") ?? NO_SETTINGS;
  const rows: OutboxRow[] = [];
  for (const webhook of settings.webhooks) {
    if (webhook.events.length > 0 && !webhook.events.includes(event.type)) continue;
    rows.push(message(event, hold.id, "webhook", webhook.id, webhook.lane ?? webhook.id, {}));
  }
  if (hold.callbackUrl !== undefined && ENDINGS.has(event.type)) {
    const lane = laneOf(hold.callbackUrl);
    rows.push(message(event, hold.id, "callback", "callback", lane, callbackDetail(hold)));
  }
  const notices = rungsToldBy(fact).flatMap((rung) => noticesOf(rung, event, hold, notify));
  // Several may go to one channel, and what tells them apart must not be whom they go to (G9).
  return [...rows, ...notices.map((row, n) => (n === 0 ? row : { ...row, id: `${row.id}-${n}` }))];
}

/** What goes out at once goes out with the placing; the rest when its time has come. */
function rungsToldBy(fact: HoldFact): readonly Rung[] {
  switch (fact.type) {
    case "hold.placed":
      return fact.hold.rungs.filter(({ state }) => state === "fired");
    case "hold.escalated":
    case "hold.reminded":
      return fact.rung.state === "fired" ? [fact.rung] : [];
    default:
      return [];
  }
}

/** Somebody who is named but can be reached nowhere shows as such, under this name. */
const NO_CHANNEL_NAMED = "default";

/** One for each recipient, so that each has a link and a state of its own. */
function noticesOf(rung: Rung, event: SealedEvent, hold: Hold, notify: Notify): readonly OutboxRow[] {
  const { to, n: attempt, channel = notify.defaultChannel } = rung;
  if (channel === undefined && to === undefined) return [];
  const endpoint = channel ?? NO_CHANNEL_NAMED;
  const usual = usualRecipients(notify, endpoint);
  const recipients = to === undefined ? usual : [to];
  const lane = laneOfChannel(endpoint);
  if (recipients.length === 0) return [message(event, hold.id, "notice", endpoint, lane, { attempt })];
  return recipients.map((to) => message(event, hold.id, "notice", endpoint, lane, { attempt, to }));
}

/** A face may say in whose words and how often its creators are told: it is then written on the row for the sender. */
function callbackDetail({ face }: Hold): OutboxRow["detail"] {
  const schedule = face?.["callbacks"];
  return typeof schedule === "string" ? { schedule } : {};
}
