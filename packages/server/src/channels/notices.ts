/** Carries notices: finds the channel, makes the recipient's link and delivers. */

import { laneOfChannel } from "../kernel/lane.ts";
import type { OutboxRow } from "../kernel/record.ts";
import { type Channel, type ChannelResult, type Notice, type NoticeFacts, noticeOf } from "./channel.ts";
import type { Carrier, Delivery } from "./delivery.ts";
import { messageIdOf } from "./webhook/carrier.ts";

export interface LinkRequest {
  readonly workspace: string;
  readonly holdId: string;
  readonly recipient: string | null;
  /** The id of the recipient, if it is a person of the workspace. */
  readonly personId?: string;
  readonly channel: string;
  readonly attempt: number;
}

/** In a notification's detail: the id of the person who has the address in `to`. */
export const PERSON_ID = "person_id";

export interface NoticeOptions {
  /** A workspace's channels by name; `undefined` if there is none with this name. */
  readonly channel: (workspace: string, name: string) => Channel | undefined;
  /** The facts to send, or `null` if the hold has ended or a later attempt has gone out. */
  readonly describe: (row: OutboxRow) => Promise<NoticeFacts | null>;
  /** Makes a review link and commits its token's hash before it resolves, so that every link that is sent works. */
  readonly makeLink: (request: LinkRequest) => Promise<string>;
  /** The hold's address in the console, for people who are signed in. */
  readonly consoleUrl: (holdId: string) => string;
}

export function noticeCarrier({ channel, describe, makeLink, consoleUrl }: NoticeOptions): Carrier {
  return {
    async prepare(row) {
      const found = channel(row.workspace, row.endpoint);
      if (!found) return { kind: "no_channel" };
      const facts = await describe(row);
      if (!facts) return { kind: "withdrawn" };
      return {
        kind: "ready",
        lane: laneOfChannel(row.endpoint),
        async send(signal) {
          const { workspace } = row;
          const { attempt, recipient } = addressee(row);
          const link = {
            workspace,
            holdId: facts.holdId,
            recipient,
            ...personIn(row),
            channel: row.endpoint,
            attempt,
          };
          const reviewUrl = found.signedIn ? consoleUrl(facts.holdId) : await makeLink(link);
          const id = messageIdOf(row);
          const notice = noticeOf(facts, { id, workspace, attempt, recipient, reviewUrl });
          return deliveryOf(await deliver(found, notice, signal), notice);
        },
      };
    },
  };
}

function addressee({ detail }: OutboxRow): { readonly attempt: number; readonly recipient: string | null } {
  const { attempt, to } = detail;
  return {
    attempt: typeof attempt === "number" ? attempt : 1,
    recipient: typeof to === "string" ? to : null,
  };
}

function personIn({ detail }: OutboxRow): Pick<LinkRequest, "personId"> {
  const personId = detail[PERSON_ID];
  return typeof personId === "string" ? { personId } : {};
}

/** A channel must not throw. If it does, its error text may contain secrets, so it is not kept. */
async function deliver(channel: Channel, notice: Notice, signal: AbortSignal): Promise<ChannelResult> {
  try {
    return await channel.deliver(notice, signal);
  } catch {
    return { kind: "failed", reason: "crashed", retry: true };
  }
}

function deliveryOf(result: ChannelResult, notice: Notice): Delivery {
  if (result.kind === "sent") return result;
  const { reason, ...rest } = result;
  return { ...rest, error: redact(reason, notice) };
}

const REASON_LENGTH_MAX = 200;

/** A reason may quote the receiver's response, which may quote the link. */
function redact(reason: string, { reviewUrl }: Notice): string {
  const secrets = [reviewUrl, ...linkSecrets(reviewUrl)].filter((secret) => secret.length >= 8);
  const clean = secrets.reduce((text, secret) => text.replaceAll(secret, "[withheld]"), reason);
  return clean.slice(0, REASON_LENGTH_MAX);
}

/** The token is in the link's query. A reason may quote it alone or URL-encoded. */
function linkSecrets(reviewUrl: string): readonly string[] {
  const url = URL.parse(reviewUrl);
  if (!url) return [];
  const values = [...url.searchParams.values(), ...url.pathname.split("/"), url.hash.slice(1)];
  return [...values, ...values.map(encodeURIComponent)];
}
