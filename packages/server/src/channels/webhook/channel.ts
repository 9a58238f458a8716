/** Notifies people through the operator's URL: a chat's incoming webhook, an on-call tool, or an own service. */

import type { Clock } from "../../system/clock.ts";
import type { Channel, ChannelResult, Notice } from "../channel.ts";
import type { Outgoing } from "../outgoing.ts";
import { SCHEDULES } from "../schedule.ts";
import { postSigned, type SignedPost } from "./carrier.ts";
import { PRESET, type PresetConfig, type PresetName, type PresetPost, type Trial } from "./presets.ts";
import type { Signing } from "./signature.ts";

export interface WebhookChannelConfig {
  readonly url: string;
  /** `whsec_…`. Two while a secret is being rotated; none for a receiver whose URL is its only secret. */
  readonly secrets: readonly string[];
}

export interface WebhookChannelParts {
  readonly outgoing: Outgoing;
  readonly clock: Clock;
}

export function webhookChannel(
  config: WebhookChannelConfig,
  { outgoing, clock }: WebhookChannelParts,
): Channel {
  const sign: readonly Signing[] =
    config.secrets.length === 0 ? [] : [{ kind: "standard", secrets: config.secrets }];
  return {
    kind: "webhook",
    async deliver(notice, signal) {
      const body = JSON.stringify(wireOf(notice, clock.now()));
      const post = { url: config.url, body, sign, id: notice.id, ...(signal ? { signal } : {}) };
      return send(post, { outgoing, clock });
    },
  };
}

/** A receiver with a format of its own. The people who read there sign in to answer, so no review link is made. */
export function presetChannel(name: PresetName, config: PresetConfig, parts: WebhookChannelParts): Channel {
  const { post, close } = PRESET[name];
  const sendPost = ({ body, ...more }: PresetPost, id: string, signal: AbortSignal | undefined) =>
    send({ ...more, sign: [], id, ...(signal ? { signal } : {}), body: JSON.stringify(body) }, parts);
  return {
    kind: "webhook",
    signedIn: true,
    deliver: (notice, signal) => sendPost(post(notice, config), notice.id, signal),
    ...(close === undefined
      ? {}
      : { close: (closing, signal) => sendPost(close(closing, config), closing.id, signal) }),
  };
}

export interface Receiver {
  readonly preset?: PresetName;
  readonly url: string;
  readonly secret?: string;
}

/** Why the settings cannot work, before anything is sent; `null`: they may. */
export function whyNotReceiver({ preset, url, secret }: Receiver): string | null {
  return preset === undefined ? null : PRESET[preset].whyNot({ url, secret });
}

export function receiverChannel(receiver: Receiver, parts: WebhookChannelParts): Channel {
  const { preset, url, secret } = receiver;
  if (preset !== undefined) return presetChannel(preset, { url, secret }, parts);
  return webhookChannel({ url, secrets: secret === undefined ? [] : [secret] }, parts);
}

/** Whether the channel closes what it has shown about a hold. */
export function closesAlerts(preset: PresetName | undefined): boolean {
  return preset !== undefined && PRESET[preset].close !== undefined;
}

/** Posts one message that asks nothing, to see whether the receiver takes it. */
export function tryReceiver(
  { preset, url, secret }: Receiver,
  { id, ...trial }: Trial & { readonly id: string },
  parts: WebhookChannelParts,
): Promise<ChannelResult> {
  if (preset !== undefined) {
    const { body, ...more } = PRESET[preset].trial(trial, { url, secret });
    return send({ ...more, sign: [], id, body: JSON.stringify(body) }, parts);
  }
  const timestamp = new Date(parts.clock.now()).toISOString();
  const body = JSON.stringify({ type: "channel.test", timestamp, data: trial });
  const sign: readonly Signing[] = secret === undefined ? [] : [{ kind: "standard", secrets: [secret] }];
  return send({ url, body, sign, id }, parts);
}

async function send(post: SignedPost, { outgoing, clock }: WebhookChannelParts): Promise<ChannelResult> {
  const delivery = await postSigned(outgoing, clock, post);
  if (delivery.kind !== "failed") return delivery;
  const { error: reason, status, retry, ...rest } = delivery;
  const mayHelp = retry ?? (status === undefined || SCHEDULES.notice.retries(status));
  return { ...rest, reason, retry: mayHelp, ...(status === undefined ? {} : { status }) };
}

function wireOf(notice: Notice, now: number) {
  return {
    type: "hold.notice",
    timestamp: new Date(now).toISOString(),
    data: {
      hold_id: notice.holdId,
      workspace: notice.workspace,
      type: notice.type,
      prompt: notice.prompt,
      asked_by: notice.askedBy,
      attempt: notice.attempt,
      expires_at: notice.expiresAt === null ? null : new Date(notice.expiresAt).toISOString(),
      to: notice.recipient,
      review_url: notice.reviewUrl,
    },
  };
}
