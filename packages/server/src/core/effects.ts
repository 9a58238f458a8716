/** What a commit sets in motion: the next timer of each entity, and messages to whoever asked to be told. */

import type { WorkspaceSettings } from "./access/access.ts";
import { coordinatorDueAt } from "./coordinator/coordinator.ts";
import type { Stated } from "./fact.ts";
import type { Hold } from "./hold/hold.ts";
import { dueAt, type Rung } from "./hold/time.ts";
import { sameEventType } from "./intent/event-types.ts";
import type { Intent, Watcher } from "./intent/intent.ts";
import { intentDueAt } from "./intent/tick.ts";
import { may } from "./intent/who.ts";
import { laneOf, laneOfChannel } from "./lane.ts";
import { type Notify, type Platform, usualRecipients } from "./platform.ts";
import type { Portfolio } from "./portfolio/portfolio.ts";
import type { OutboxRow, SealedEvent } from "./record.ts";
import { releaseDueAt } from "./release/release.ts";
import type { Change } from "./world.ts";

const TIMED: ReadonlySet<string> = new Set([
  "hold",
  "intent",
  "subscription",
  "thread",
  "release",
  "task",
  "coordinator",
]);

/** `undefined`: this kind has no timers. */
export function timerOf(change: Change): number | null | undefined {
  if (!TIMED.has(change.kind)) return undefined;
  if (change.body === null) return null;
  switch (change.kind) {
    case "task":
      return change.body.dueAt ?? null;
    case "coordinator":
      return coordinatorDueAt(change.body);
    case "release":
      return releaseDueAt(change.body);
    case "thread":
      return change.body.forgetAt ?? null;
    case "hold":
      return dueAt(change.body);
    case "intent":
      return intentDueAt(change.body);
    case "subscription":
      return change.body.active ? (change.body.expiresAt ?? null) : null;
  }
}

const ENDINGS: ReadonlySet<string> = new Set(["hold.decided", "hold.expired", "hold.cancelled"]);

/** Messages that this event causes. Their ids follow from the event, so deciding again makes the same ones. */
export function messagesOf(
  stated: Stated,
  event: SealedEvent,
  hold: Hold | undefined,
  settings: WorkspaceSettings,
  { notify }: Platform,
): readonly OutboxRow[] {
  if (hold === undefined || stated.kind !== "hold") return [];
  const rows: OutboxRow[] = [];
  for (const webhook of settings.webhooks) {
    if (webhook.events.length > 0 && !webhook.events.includes(event.type)) continue;
    rows.push(message(event, hold.id, "webhook", webhook.id, webhook.lane ?? webhook.id, {}));
  }
  if (hold.callbackUrl !== undefined && ENDINGS.has(event.type)) {
    const lane = laneOf(hold.callbackUrl);
    rows.push(message(event, hold.id, "callback", "callback", lane, callbackDetail(hold)));
  }
  const notices = rungsToldBy(stated.fact).flatMap((rung) => noticesOf(rung, event, hold, notify));
  // Several may go to one channel, and what tells them apart must not be whom they go to (G9).
  return [...rows, ...notices.map((row, n) => (n === 0 ? row : { ...row, id: `${row.id}-${n}` }))];
}

/** What goes out at once goes out with the placing; the rest when its time has come. */
function rungsToldBy(fact: Stated["fact"]): readonly Rung[] {
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

/** To whoever subscribed to this intent, to a portfolio it is in, or to all, and may read it: once each. */
export function intentMessagesOf(
  event: SealedEvent,
  intent: Intent,
  settings: WorkspaceSettings,
  portfolios: readonly Portfolio[] = [],
  about: string = intent.id,
): readonly OutboxRow[] {
  const hears = ({ eventTypes, owner, expiresAt = Number.POSITIVE_INFINITY }: Watcher) =>
    expiresAt > event.at &&
    may(intent, owner, "read", event.at) &&
    (eventTypes.length === 0 || eventTypes.some((type) => sameEventType(type, event.type)));
  const ofPortfolios = portfolios.flatMap(({ watchers }) => watchers);
  return [...intent.watchers, ...ofPortfolios, ...(settings.watchers ?? [])]
    .filter(hears)
    .map(({ id, lane = id }) => ({
      ...message(event, about, "webhook", id, lane, {}),
      holdId: null,
    }));
}

function message(
  event: SealedEvent,
  about: string,
  kind: OutboxRow["kind"],
  endpoint: string,
  lane: string,
  detail: OutboxRow["detail"],
): OutboxRow {
  const { stream, seq, type, at, workspace } = event;
  return {
    id: `msg_${about}-${seq}-${endpoint}`,
    workspace,
    kind,
    endpoint,
    lane,
    holdId: about,
    event: { stream, seq, type },
    detail,
    state: "waiting",
    attempts: [],
    createdAt: at,
    dueAt: at,
    claim: 0,
  };
}
