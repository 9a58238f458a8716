/** Builds the carriers: which one takes which outbox row, what it sends, and which recipients are allowed. */

import type { Channel } from "./channels/channel.ts";
import { consoleChannel, type PostNotice } from "./channels/console/channel.ts";
import type { Carrier, Carriers } from "./channels/delivery.ts";
import { type LinkRequest, noticeCarrier } from "./channels/notices.ts";
import type { Outgoing } from "./channels/outgoing.ts";
import { webhookCarrier } from "./channels/webhook/carrier.ts";
import type { Engine } from "./engine/engine.ts";
import { caseCallback, HITL_CALLBACKS, type SignResult } from "./faces/hitl/index.ts";
import { freshLink, reviewUrl } from "./faces/http/links.ts";
import { callbackMessage, type OutgoingMessage, webhookMessage } from "./faces/rest/outgoing.ts";
import type { Identity } from "./identity/identity.ts";
import { mayBeTold, type Notify, namesPeople } from "./kernel/platform.ts";
import { SYSTEM } from "./kernel/principal.ts";
import type { OutboxRow } from "./kernel/record.ts";
import { isSubscriptionRow, subscriptionMessage } from "./openintent/face/index.ts";
import type { Ids } from "./system/ids.ts";
import type { Redact } from "./system/redact.ts";

export interface DeliveryOptions {
  readonly engine: Engine;
  readonly identity: Identity;
  readonly ids: Ids;
  readonly outgoing: Outgoing;
  readonly publicUrl: string;
  readonly channels: Readonly<Record<string, Channel>>;
  readonly notify: Notify;
  readonly signResult?: SignResult;
  /** Removes from a notification what the operator's patterns forbid. */
  readonly redact: Redact;
}

export function carriersOf(options: DeliveryOptions): Carriers {
  const { engine, outgoing, identity } = options;
  const { clock, store } = engine;
  const signed = async (message: Promise<OutgoingMessage | null>) => {
    const found = await message;
    if (found === null) return null;
    const { url, body, secrets } = found;
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
    const found = await subscriptionMessage(row, store, options.redact);
    const secret = found === null ? undefined : await secretOf(found.ownerKey);
    return found && { url: found.url, body: found.body, secrets: secret === undefined ? [] : [secret] };
  };
  return {
    webhook: webhookCarrier({
      outgoing,
      clock,
      render: (row) => signed(isSubscriptionRow(row) ? subscribed(row) : webhookMessage(row, store)),
    }),
    callback: webhookCarrier({
      outgoing,
      clock,
      render: (row) =>
        isCaseCallback(row) ? caseRendered(row) : signed(callbackMessage(row, store, secretOf)),
    }),
    notice: noticesOf(options),
  };
}

/** The built-in console channel. The operator may give this name to another channel. */
export const CONSOLE = "console";

function noticesOf(options: DeliveryOptions): Carrier {
  const channels: Readonly<Record<string, Channel>> = {
    [CONSOLE]: consoleChannel(posted(options)),
    ...options.channels,
  };
  return onlyAllowed(
    options,
    noticeCarrier({
      channel: (_workspace, name) => (Object.hasOwn(channels, name) ? channels[name] : undefined),
      describe: (row) => factsOf(row, options),
      makeLink: (request) => makeLink(request, options),
      consoleUrl: (holdId) => `${options.publicUrl}/console/holds/${holdId}`,
    }),
  );
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
function onlyAllowed({ notify, engine }: DeliveryOptions, carrier: Carrier): Carrier {
  return {
    async prepare(row) {
      const to = row.detail["to"];
      if (typeof to === "string" && namesPeople(to)) {
        const address = await addressOf(row.workspace, to, engine);
        if (address === undefined) return { kind: "failed", error: "recipient_not_found", retry: false };
        return carrier.prepare({ ...row, detail: { ...row.detail, to: address } });
      }
      if (typeof to === "string" && !mayBeTold(notify, row.endpoint, to)) {
        return { kind: "failed", error: "recipient_not_allowed", retry: false };
      }
      return carrier.prepare(row);
    },
  };
}

/** A person's e-mail address, or their id for channels that know people by it. Nobody who is suspended is told. */
async function addressOf(workspace: string, to: string, { store }: Engine): Promise<string | undefined> {
  const id = to.replace(/^person:/, "");
  const [found] = await store.load([{ workspace, kind: "person", id, read: true }]);
  return found?.body.status === "active" ? (found.body.email ?? id) : undefined;
}

async function factsOf(row: OutboxRow, { engine, redact }: DeliveryOptions) {
  const { workspace, holdId } = row;
  if (holdId === null) return null;
  const [found] = await engine.store.load([{ workspace, kind: "hold", id: holdId, read: true }]);
  const hold = found?.body;
  if (hold === undefined || hold.status !== "open" || hold.ask === null) return null;
  const { type, prompt } = hold.ask;
  const { createdBy: askedBy, expiresAt = null } = hold;
  return { holdId, type, prompt: await redact(prompt), askedBy, expiresAt };
}

/** The link's hash is committed before the link leaves the server (G2). */
async function makeLink(request: LinkRequest, { engine, ids, publicUrl }: DeliveryOptions): Promise<string> {
  const { workspace, holdId, recipient, channel, attempt } = request;
  const rest = { purpose: "review" as const, channel, attempt, ...(recipient === null ? {} : { recipient }) };
  const { link, token } = freshLink(ids, engine.clock.now(), rest);
  const result = await engine.run({ kind: "make_link", workspace, by: SYSTEM, holdId, link });
  if (!result.ok) throw new Error(`cannot make a review link: ${result.failure.code}`);
  return reviewUrl(publicUrl, holdId, token);
}
