/** Builds the carriers: which one takes which outbox row, what it sends, and which recipients are allowed. */

import { isObject } from "@holdpoint/protocol/rules";
import { whyNotAfterQuiet } from "./channels/after-quiet.ts";
import type { Channel } from "./channels/channel.ts";
import type { ChatBots } from "./channels/chat/bot.ts";
import { ChatRuntime } from "./channels/chat/runtime.ts";
import { closingCarrier } from "./channels/closings.ts";
import { consoleChannel, type PostNotice } from "./channels/console/channel.ts";
import type { Carrier, Carriers, Delivery, Ready } from "./channels/delivery.ts";
import { type LinkRequest, noticeCarrier, PERSON_ID } from "./channels/notices.ts";
import { turnsOf } from "./channels/oncall.ts";
import type { Outgoing } from "./channels/outgoing.ts";
import { pushChannel } from "./channels/push/channel.ts";
import { pushDevices } from "./channels/push/devices.ts";
import { pushKeys } from "./channels/push/keys.ts";
import { webhookCarrier } from "./channels/webhook/carrier.ts";
import type { Engine } from "./engine/engine.ts";
import { caseCallback, HITL_CALLBACKS, type SignResult } from "./faces/hitl/index.ts";
import { freshLink, reviewUrl } from "./faces/http/links.ts";
import { callbackMessage, type OutgoingMessage, webhookMessage } from "./faces/rest/outgoing.ts";
import type { Identity } from "./identity/identity.ts";
import type { Failure } from "./kernel/failure.ts";
import { laneOfChannel } from "./kernel/lane.ts";
import {
  type Account,
  accountId,
  emailAccountId,
  isAway,
  type Person,
  personMeant,
} from "./kernel/people/person.ts";
import { mayBeTold, namesPeople, ON_CALL, PUSH } from "./kernel/platform.ts";
import { SYSTEM } from "./kernel/principal.ts";
import type { OutboxRow } from "./kernel/record.ts";
import { isSubscriptionRow, subscriptionMessage } from "./openintent/face/index.ts";
import type { Ids } from "./system/ids.ts";
import { REDACT_NOTHING, type Redact } from "./system/redact.ts";
import { redactMessage } from "./system/redact-texts.ts";

export interface DeliveryOptions {
  readonly engine: Engine;
  readonly identity: Identity;
  readonly ids: Ids;
  readonly outgoing: Outgoing;
  readonly publicUrl: string;
  /** By name. Those that are connected in the console come and go while the server runs. */
  readonly channels: ReadonlyMap<string, Channel>;
  readonly signResult?: SignResult;
  /** Chat platforms, by the name of the channel. */
  readonly chats: ChatRuntime;
  /** Removes from a notification what the operator's patterns forbid. */
  readonly redact: Redact;
}

export function carriersOf(options: DeliveryOptions): Carriers {
  const { engine, outgoing, identity } = options;
  const { clock, store } = engine;
  const signed = async (message: Promise<OutgoingMessage | null>, redact: Redact) => {
    const found = await message;
    if (found === null) return null;
    const { url, secrets } = found;
    const body = JSON.stringify(await redactMessage(found, redact));
    return { url, body, sign: secrets.length === 0 ? [] : [{ kind: "standard" as const, secrets }] };
  };
  const secretOf = (keyId: string) => identity.callbackSecret(keyId);
  const { signResult } = options;
  const caseRendered = async (row: OutboxRow) => {
    const parts = { store, secretOf, ...(signResult === undefined ? {} : { signResult }) };
    const found = await caseCallback(row, parts);
    if (found === null) return null;
    const { url, body, secret } = found;
    return { url, body, sign: [{ kind: "hitl" as const, secret }] };
  };
  const subscribed = async (row: OutboxRow): Promise<OutgoingMessage | null> => {
    const found = await subscriptionMessage(row, store);
    const secret = found === null ? undefined : await secretOf(found.ownerKey);
    return found && { ...found, secrets: secret === undefined ? [] : [secret] };
  };
  return {
    webhook: webhookCarrier({
      outgoing,
      clock,
      render: (row) =>
        signed(isSubscriptionRow(row) ? subscribed(row) : webhookMessage(row, store), options.redact),
    }),
    // A callback goes to the asker, who wrote the question and needs the answer as it was given.
    callback: webhookCarrier({
      outgoing,
      clock,
      render: (row) =>
        isCaseCallback(row)
          ? caseRendered(row)
          : signed(callbackMessage(row, store, secretOf), REDACT_NOTHING),
    }),
    notice: noticesOf(options),
    update: updatesOf(options),
    tell: tellsOf(options),
  };
}

/** What a server does in chats. Without configured chats it does nothing. */
export function chatsOf(
  options: Omit<DeliveryOptions, "chats"> & {
    readonly bots: ChatBots;
    readonly leaseMs?: number;
    readonly onFault: (error: unknown) => void;
  },
): ChatRuntime {
  const { engine, ids, redact, bots, leaseMs, onFault } = options;
  return new ChatRuntime({
    ...{ engine, ids, redact, bots, onFault },
    ...(leaseMs === undefined ? {} : { leaseMs }),
    onCall: async (to) => (to.startsWith(ON_CALL) ? onCallAt(to.slice(ON_CALL.length), engine) : undefined),
    makeLink: (workspace, holdId, recipient, channel) =>
      tryLink({ workspace, holdId, recipient, channel, attempt: 1 }, options),
    tellText: (row) => tellText(row, engine),
  });
}

/** What a person is told about their own account: who linked which one. */
async function tellText({ workspace, detail }: OutboxRow, { store }: Engine): Promise<string | null> {
  const id = String(detail["person"]);
  const [found] = await store.load([{ workspace, kind: "person", id, read: true }]);
  const person = found?.body;
  const linked = person === undefined ? undefined : accountTold(person, detail);
  if (person === undefined || person.erasedAt !== undefined || linked === undefined) return null;
  const { platform, userId, linkedBy = "unknown" } = linked;
  const isLinked = person.accounts.some((one) => accountId(one) === accountId(linked));
  return [
    `Hello ${person.name}. An admin (${linkedBy}) linked the ${platform} account ${userId} to you:`,
    ...(isLinked
      ? ["answers from it count as yours. If it is not yours, unlink it in the console and tell your admins."]
      : ["answers from it counted as yours until it was unlinked. If it is not yours, tell your admins."]),
  ].join(" ");
}

/** The account that the message is about. Messages of earlier versions do not name it; they are about the last one. */
function accountTold({ accounts }: Person, detail: OutboxRow["detail"]): Omit<Account, "at"> | undefined {
  const { account } = detail;
  if (account === undefined || !isObject(account)) return accounts.at(-1);
  const { platform, tenant, user_id: userId, linked_by: linkedBy } = account;
  return {
    ...{ platform: String(platform), userId: String(userId) },
    ...(typeof tenant === "string" ? { tenant } : {}),
    ...(typeof linkedBy === "string" ? { linkedBy } : {}),
  };
}

/** By chat, or by e-mail. */
function tellsOf({ chats, channels, engine }: DeliveryOptions): Carrier {
  return {
    async prepare(row) {
      if (chats.has(row.endpoint)) return chats.tells.prepare(row);
      const channel = channels.get(row.endpoint);
      const text = await tellText(row, engine);
      const person = { workspace: row.workspace, kind: "person", id: String(row.detail["person"]) } as const;
      const [found] = await engine.store.load([{ ...person, read: true }]);
      const to = found?.body.email;
      if (channel?.tell === undefined) return { kind: "no_channel" };
      if (text === null || to === undefined) return { kind: "withdrawn" };
      const letter = { id: row.id, to, subject: "An account was linked to you", text };
      return { kind: "ready", lane: laneOfChannel(row.endpoint), send: tellBy(channel.tell, letter) };
    },
  };
}

function tellBy(tell: NonNullable<Channel["tell"]>, letter: Parameters<NonNullable<Channel["tell"]>>[0]) {
  return async (signal: AbortSignal): Promise<Delivery> => {
    const result = await tell(letter, signal);
    if (result.kind === "sent") return result;
    const { reason: error, ...rest } = result;
    return { ...rest, error };
  };
}

/** The built-in channels. The operator may give these names to other channels. */
export const CONSOLE = "console";

function channelsOf(options: DeliveryOptions): (name: string) => Channel | undefined {
  const builtIn: Readonly<Record<string, Channel>> = {
    [CONSOLE]: consoleChannel(posted(options)),
    [PUSH]: pushChannel({
      ...{ outgoing: options.outgoing, clock: options.engine.clock, contact: options.publicUrl },
      key: pushKeys(options.engine),
      ...pushDevices(options.engine),
    }),
  };
  return (name) => options.channels.get(name) ?? (Object.hasOwn(builtIn, name) ? builtIn[name] : undefined);
}

/** Edits in chats, and channels that close what they have shown. */
function updatesOf(options: DeliveryOptions): Carrier {
  const { chats, engine, redact, publicUrl } = options;
  const closings = closingCarrier({
    ...{ engine, redact, channelOf: channelsOf(options) },
    personTold: async (row) => {
      const found = await recipientOf(row, options);
      return typeof found === "object" ? (found?.id ?? null) : found;
    },
    consoleUrl: (holdId) => consoleUrl(publicUrl, holdId),
  });
  return { prepare: (row) => (chats.has(row.endpoint) ? chats.updates : closings).prepare(row) };
}

function consoleUrl(publicUrl: string, holdId: string): string {
  return `${publicUrl}/console/holds/${holdId}`;
}

function noticesOf(options: DeliveryOptions): Carrier {
  const channelOf = channelsOf(options);
  const chats = options.chats;
  const others = onlyAllowed(
    options,
    noticeCarrier({
      channel: (_workspace, name) => channelOf(name),
      describe: (row) => factsOf(row, options),
      makeLink: (request) => makeLink(request, options),
      consoleUrl: (holdId) => consoleUrl(options.publicUrl, holdId),
    }),
  );
  return {
    prepare: async (row) =>
      (await whyNotAfterQuiet(row, options.engine)) ??
      (chats.has(row.endpoint) ? chats.notices : others).prepare(row),
  };
}

function posted({ engine }: DeliveryOptions): PostNotice {
  return async ({ workspace, holdId, id: noticeId, attempt }) => {
    const command = { kind: "notify_hold", workspace, by: SYSTEM, holdId, noticeId, attempt } as const;
    return (await engine.run(command)).ok ? "posted" : "refused";
  };
}

/** The hold's creator chose the HITL callback format when it placed the hold. */
function isCaseCallback({ detail }: OutboxRow): boolean {
  return detail["schedule"] === HITL_CALLBACKS;
}

/** Checks recipients named by agents against the allow-list, with the settings at the time of sending. */
function onlyAllowed(options: DeliveryOptions, carrier: Carrier): Carrier {
  return {
    async prepare(row) {
      const found = await recipientOf(row, options);
      if (found === undefined) return { kind: "failed", error: "recipient_not_found", retry: false };
      if (typeof found === "string" && !mayBeTold(options.engine.platform.notify, row.endpoint, found)) {
        return { kind: "failed", error: "recipient_not_allowed", retry: false };
      }
      if (found === null || typeof found === "string") return carrier.prepare(row);
      const { id, email: to = id } = found;
      // The person may be erased before the link is made, and the address with them.
      const prepared = await carrier.prepare({ ...row, detail: { ...row.detail, to, [PERSON_ID]: id } });
      return prepared.kind === "ready" ? { ...prepared, send: noting(id, prepared) } : prepared;
    },
  };
}

/** Keeps with the try who was told: later somebody else may be on call, or stand in for them. */
function noting(told: string, { send }: Ready): Ready["send"] {
  return async (signal) => {
    const delivery = await send(signal);
    return delivery.kind === "sent" || delivery.kind === "failed" ? { ...delivery, told } : delivery;
  };
}

/**
 * The person whom a row's recipient means now, or the address that it is. `null`: it names nobody; `undefined`: it names somebody
 * who is not there.
 */
async function recipientOf(
  { workspace, detail }: OutboxRow,
  { engine }: Pick<DeliveryOptions, "engine">,
): Promise<Person | string | null | undefined> {
  const to = detail["to"];
  if (typeof to !== "string") return null;
  if (to.startsWith(ON_CALL))
    return personTold(workspace, await onCallAt(to.slice(ON_CALL.length), engine), engine);
  return namesPeople(to) ? personTold(workspace, to, engine) : to;
}

/** Who is on call now. A rota that does not exist, cannot be read or names nobody gives an empty name, which finds nobody. */
async function onCallAt(name: string, { clock, platform: { rotas = {} } }: Engine): Promise<string> {
  const rota = Object.hasOwn(rotas, name) ? rotas[name] : undefined;
  if (rota === undefined) return "";
  return (await turnsOf(rota, clock.now()).catch(() => undefined))?.now?.who ?? "";
}

/** The person who has this address or id. The delegate of somebody who is away is told instead, and nobody who is suspended. */
async function personTold(workspace: string, to: string, engine: Engine): Promise<Person | undefined> {
  const { store, clock } = engine;
  const find = async (id: string) =>
    (await store.load([{ workspace, kind: "person", id, read: true }]))[0]?.body;
  const [account] = await store.load([{ workspace, kind: "account", id: emailAccountId(to), read: true }]);
  const person = await find(personMeant(to, account?.body));
  const delegate = isAway(person, clock.now()) ? person?.absence?.delegate : undefined;
  const told = delegate === undefined ? person : await find(delegate);
  return told?.status === "active" ? told : undefined;
}

async function factsOf(row: OutboxRow, { engine, redact }: DeliveryOptions) {
  const { workspace, holdId } = row;
  if (holdId === null) return null;
  const [found] = await engine.store.load([{ workspace, kind: "hold", id: holdId, read: true }]);
  const hold = found?.body;
  if (hold === undefined || hold.status !== "open" || hold.ask === null) return null;
  const { type, prompt } = hold.ask;
  const { createdBy, expiresAt = null } = hold;
  return { holdId, type, prompt: await redact(prompt), askedBy: await redact(createdBy), expiresAt };
}

type LinkParts = Pick<DeliveryOptions, "engine" | "ids" | "publicUrl">;

/** The link's hash is committed before the link leaves the server (G2). */
async function tryLink(
  { workspace, holdId, recipient, personId, channel, attempt }: LinkRequest,
  { engine, ids, publicUrl }: LinkParts,
): Promise<{ readonly url: string } | { readonly refused: Failure }> {
  const rest = {
    ...{ purpose: "review" as const, channel, attempt },
    ...(recipient === null ? {} : { recipient }),
    ...(personId === undefined ? {} : { personId }),
  };
  const { link, token } = freshLink(ids, engine.clock.now(), rest);
  const result = await engine.run({ kind: "make_link", workspace, by: SYSTEM, holdId, link });
  return result.ok ? { url: reviewUrl(publicUrl, holdId, token) } : { refused: result.failure };
}

async function makeLink(request: LinkRequest, parts: LinkParts): Promise<string> {
  const made = await tryLink(request, parts);
  if ("url" in made) return made.url;
  throw new Error(`cannot make a review link: ${made.refused.code}`);
}
