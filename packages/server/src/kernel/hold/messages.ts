import { NO_SETTINGS } from "../access/access.ts";
import type { ChatMark } from "../chat/chat.ts";
import type { FactRecord } from "../draft.ts";
import { laneOf, laneOfChannel } from "../lane.ts";
import { messageAbout as message } from "../message.ts";
import { chatNamed, type Notify, type Platform, PUSH, usualRecipients } from "../platform.ts";
import { type OutboxRow, type SealedEvent, TOO_QUIET, WAITED_UNTIL } from "../record.ts";
import type { World } from "../world.ts";
import { quietUntil } from "./business-hours.ts";
import { ENDINGS, type HoldFact } from "./facts.ts";
import { endsAt, type Hold } from "./hold.ts";
import { channelFor } from "./preferred.ts";
import { resolveRecipient } from "./route.ts";
import type { Rung } from "./time.ts";

/**
 * The messages that an event of a hold causes: to webhooks, to the creator's callback and to people. Their ids derive
 * from the event, so a retried decision produces the same messages.
 */
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
  if (hold.callbackUrl !== undefined && (ENDINGS.has(event.type) || isQuestionBack(fact, hold))) {
    const lane = laneOf(hold.callbackUrl);
    rows.push(message(event, hold.id, "callback", "callback", lane, callbackDetail(hold)));
  }
  if (hold.chats !== undefined && isShown(event.type))
    rows.push(...hold.chats.map((chat, n) => updateOf(event, hold.id, chat, n)));
  if (ENDINGS.has(event.type)) rows.push(...closingsOf(event, hold, notify));
  const rungs = rungsFiredBy(fact, hold, notify);
  return rungs.length === 0 ? rows : [...rows, ...noticesOfAll(rungs, event, world, hold, notify)];
}

function noticesOfAll(
  firing: readonly Rung[],
  event: SealedEvent,
  world: World,
  hold: Hold,
  notify: Notify,
): readonly OutboxRow[] {
  const rungs = firing.flatMap((rung) => resolved(rung, world, event.at));
  const fired = rungs.filter((rung, at) => !isToldBefore(rung, rungs.slice(0, at)));
  const notices = fired.flatMap((rung) => noticesOf(rung, event, world, hold, notify));
  // Several messages may go to one channel. A number keeps their ids apart, because an id must not reveal a recipient
  // (G9).
  return notices.map((row, n) => (n === 0 ? row : { ...row, id: `${row.id}-${n}` }));
}

/** Other protocols say at their own times what their callbacks carry; a question back is not among it. */
function isQuestionBack(fact: HoldFact, { face }: Hold): boolean {
  return fact.type === "hold.commented" && fact.comment.asksBack === true && face === undefined;
}

/** What messages in chats show of a hold: how it ended and who has voted. Erased content disappears from them too. */
const SHOWN: ReadonlySet<string> = new Set([...ENDINGS, "hold.voted", "hold.vote_withdrawn", "hold.erased"]);

function isShown(type: string): boolean {
  return SHOWN.has(type);
}

/** One edit of a message in a chat. It is rendered from the state at the time of sending, so edits cannot overtake each other. */
export function updateOf(
  event: SealedEvent,
  holdId: string,
  { id, channel }: ChatMark,
  n: number,
): OutboxRow {
  const row = message(event, holdId, "update", channel, laneOfChannel(channel), { message: id });
  return { ...row, id: `${row.id}-u${n}` };
}

/**
 * One message to each channel that closes what it has shown. Whether it was really told is known when the message is sent; here
 * it is enough that it may have been.
 */
function closingsOf(event: SealedEvent, hold: Hold, notify: Notify): readonly OutboxRow[] {
  const fired = hold.rungs.filter(({ state }) => state === "fired");
  if (fired.length === 0 && hold.assignee === undefined) return [];
  const mayHave = (name: string) =>
    hold.assignee !== undefined ||
    fired.some(({ channel, to }) => (channel ?? (to === undefined ? notify.defaultChannel : name)) === name);
  const told = [PUSH, ...(notify.closing ?? [])].filter(mayHave);
  return told.map((name) => {
    const row = message(event, hold.id, "update", name, laneOfChannel(name), {});
    return { ...row, id: `${row.id}-end` };
  });
}

/** The rungs that this fact delivers: those due immediately with the placement, the others when their time comes. */
function rungsFiredBy(fact: HoldFact, hold: Hold, { defaultChannel }: Notify): readonly Rung[] {
  switch (fact.type) {
    case "hold.voted": {
      const next = fact.nextStage === undefined ? undefined : hold.decision?.approve[fact.nextStage];
      if (next === undefined || defaultChannel === undefined) return [];
      return next.from.map((to) => ({ at: fact.vote.at, kind: "attempt", n: hold.attempt, to }));
    }
    case "hold.assigned":
      if (fact.isTold !== true || defaultChannel === undefined) return [];
      return [{ at: hold.createdAt, kind: "attempt", n: hold.attempt, to: `person:${fact.assignee}` }];
    case "hold.placed":
      return fact.hold.rungs.filter(({ state }) => state === "fired");
    case "hold.escalated":
    case "hold.reminded":
      return fact.rung.state === "fired" ? [fact.rung] : [];
    default:
      return [];
  }
}

/** A person may be in several of the teams that are told at the same time. */
function isToldBefore({ to, channel }: Rung, before: readonly Rung[]): boolean {
  return to?.startsWith("person:") === true && before.some((one) => one.to === to && one.channel === channel);
}

/** One rung for each person whom the recipient means now. */
function resolved(rung: Rung, world: World, now: number): readonly Rung[] {
  return rung.to === undefined
    ? [rung]
    : resolveRecipient(rung.to, world, now).map((to) => ({ ...rung, to }));
}

/**
 * The endpoint of a message to a named recipient when no channel is configured. The sender then reports `no_channel`.
 */
const NO_CHANNEL_NAMED = "default";

/** One message per recipient, so that each has its own link and delivery state. */
function noticesOf(
  rung: Rung,
  event: SealedEvent,
  world: World,
  hold: Hold,
  notify: Notify,
): readonly OutboxRow[] {
  const { n: attempt } = rung;
  const { to, channel = channelFor(to, world, notify) } = { ...rung, ...chatNamed(rung.to, notify) };
  if (channel === undefined && to === undefined) return [];
  const endpoint = channel ?? NO_CHANNEL_NAMED;
  const usual = usualRecipients(notify, endpoint);
  const recipients = to === undefined ? usual : [to];
  const lane = laneOfChannel(endpoint);
  if (recipients.length === 0) return [message(event, hold.id, "notice", endpoint, lane, { attempt })];
  return recipients.map((to) => {
    const row = message(event, hold.id, "notice", endpoint, lane, { attempt, to });
    return { ...row, ...duringQuiet(row, to, world, hold) };
  });
}

/**
 * A notification to a person who must not be disturbed waits. It says until when, so that of all that waited together one is sent.
 * If the hold ends before, it would come too late: the person is told now if they wish so, and otherwise not at all, which lets the
 * ladder go on.
 */
function duringQuiet(
  { detail, createdAt }: OutboxRow,
  to: string,
  world: World,
  hold: Hold,
): Partial<Pick<OutboxRow, "dueAt" | "detail">> {
  const person = to.startsWith("person:") ? world.get("person", to.slice("person:".length)) : undefined;
  if (person?.quietHours === undefined) return {};
  const { quietHours, timeZone = "UTC" } = person;
  const until = quietUntil(createdAt, quietHours, timeZone);
  if (until === null) return {};
  if (until < endsAt(hold)) return { dueAt: until, detail: { ...detail, [WAITED_UNTIL]: until } };
  return quietHours.isUrgentTold === true ? {} : { detail: { ...detail, [TOO_QUIET]: true } };
}

/**
 * A face may name the format and retry schedule of its callbacks; the outbox row passes the name on to the sender.
 */
function callbackDetail({ face }: Hold): OutboxRow["detail"] {
  const schedule = face?.["callbacks"];
  return typeof schedule === "string" ? { schedule } : {};
}
