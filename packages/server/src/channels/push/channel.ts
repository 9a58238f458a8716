/**
 * Notifies people on their own devices by web push (RFC 8030). A press on the notification opens the hold in the console,
 * where the person is signed in, so no message carries a review link.
 *
 * W1  A push service gets an encrypted message that it cannot read, for one device.
 * W2  A device that its push service no longer knows (404 or 410) is removed.
 * W3  One device that takes the message is enough: the delivery is sent.
 * W4  When the hold has ended, its notification is replaced, without a sound, by how it ended. A phone that was offline gets only
 *     that.
 */

import type { PushDevice, PushKey } from "../../kernel/push/push.ts";
import type { Clock } from "../../system/clock.ts";
import { sha256 } from "../../system/digest.ts";
import type { Channel, ChannelResult, Notice } from "../channel.ts";
import type { Outgoing } from "../outgoing.ts";
import { retryAfterMs, SCHEDULES } from "../schedule.ts";
import { shorten } from "../shorten.ts";
import { encryptFor, PLAIN_BYTES_MAX } from "./encrypt.ts";
import { vapidHeader } from "./vapid.ts";

export interface PushParts {
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  /** Whom a push service can contact about this server: its public URL. */
  readonly contact: string;
  key(): Promise<PushKey>;
  /** The devices of one person, or of everybody who may answer. */
  devicesOf(workspace: string, personId: string | null): Promise<readonly OwnedDevice[]>;
  forget(workspace: string, device: OwnedDevice): Promise<void>;
}

export interface OwnedDevice extends PushDevice {
  readonly personId: string;
}

/** What a service worker of ours shows. */
interface PushMessage {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  /** Later messages about the same hold replace the one that is shown. */
  readonly tag: string;
  /** It replaces a notification without a sound. */
  readonly silent?: true;
}

const DAY_SECONDS = 86_400;
const TITLE_LENGTH_MAX = 100;
const BODY_LENGTH_MAX = 300;

export function pushChannel(parts: PushParts): Channel {
  return {
    kind: "push",
    signedIn: true,
    async deliver(notice, signal) {
      const { workspace, recipient, expiresAt } = notice;
      const devices = await parts.devicesOf(workspace, recipient);
      return sendToAll(devices, { workspace, message: messageOf(notice), expiresAt, signal }, parts);
    },
    async close({ workspace, recipients, holdId, text, prompt, url }, signal) {
      const found = await Promise.all(recipients.map((recipient) => parts.devicesOf(workspace, recipient)));
      const devices = new Map(found.flat().map((device) => [device.endpoint, device]));
      const [title, body] = [shorten(text, TITLE_LENGTH_MAX), shorten(prompt, BODY_LENGTH_MAX)];
      const message = { title, body, url, tag: holdId, silent: true } as const;
      return sendToAll([...devices.values()], { workspace, message, expiresAt: null, signal }, parts);
    },
  };
}

async function sendToAll(
  devices: readonly OwnedDevice[],
  sending: Omit<Sending, "key">,
  parts: PushParts,
): Promise<ChannelResult> {
  if (devices.length === 0) return { kind: "failed", reason: "no_device", retry: false };
  const plain = Buffer.from(JSON.stringify(sending.message));
  if (plain.length > PLAIN_BYTES_MAX) return { kind: "failed", reason: "too_long", retry: false };
  const key = await parts.key();
  const results = await Promise.all(
    devices.map(async (device) => {
      const result = await sendTo(device, plain, { ...sending, key }, parts);
      if (isGone(result)) await parts.forget(sending.workspace, device);
      return result;
    }),
  );
  return best(results);
}

function messageOf({ prompt, askedBy, attempt, holdId, reviewUrl }: Notice): PushMessage {
  const asks = `${askedBy} asks`;
  return {
    title: shorten(attempt === 1 ? asks : `Reminder ${attempt}: ${asks}`, TITLE_LENGTH_MAX),
    body: shorten(prompt, BODY_LENGTH_MAX),
    url: reviewUrl,
    tag: holdId,
  };
}

interface Sending {
  readonly workspace: string;
  readonly message: PushMessage;
  /** After this the message asks for nothing any more. */
  readonly expiresAt: number | null;
  readonly key: PushKey;
  readonly signal: AbortSignal | undefined;
}

async function sendTo(
  device: PushDevice,
  plain: Buffer,
  { message, expiresAt, key, signal }: Sending,
  { outgoing, clock, contact }: PushParts,
): Promise<ChannelResult> {
  const now = clock.now();
  const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt - now;
  const headers = {
    "content-type": "application/octet-stream",
    "content-encoding": "aes128gcm",
    // A message that reaches a phone after the hold has ended would ask for nothing.
    ttl: String(Math.max(0, Math.min(DAY_SECONDS, Math.floor(leftMs / 1_000)))),
    urgency: message.silent === true ? "normal" : "high",
    // While the phone is offline, the push service keeps only the newest message of a topic.
    topic: sha256(message.tag).slice("sha256:".length, "sha256:".length + 32),
    authorization: vapidHeader(key, device.endpoint, contact, now),
  };
  const body = encryptFor(device, plain);
  const reply = await outgoing.post({ url: device.endpoint, headers, body, ...(signal ? { signal } : {}) });
  if (reply.kind === "refused") return { kind: "failed", reason: reply.code, retry: false };
  if (reply.kind === "failed") return { kind: "failed", reason: reply.error, retry: true };
  const { status } = reply;
  if (status >= 200 && status <= 299) return { kind: "sent", status };
  const waitMs = retryAfterMs(reply.retryAfter, clock.now());
  return {
    ...{ kind: "failed", reason: `http_${status}`, status, retry: SCHEDULES.notice.retries(status) },
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  };
}

function isGone(result: ChannelResult): boolean {
  return result.status === 404 || result.status === 410;
}

/** A device that took it, else a failure that a retry may help, else any. */
function best(results: readonly ChannelResult[]): ChannelResult {
  const sent = results.find(({ kind }) => kind === "sent");
  const retryable = results.find((result) => result.kind === "failed" && result.retry);
  return sent ?? retryable ?? (results[0] as ChannelResult);
}
