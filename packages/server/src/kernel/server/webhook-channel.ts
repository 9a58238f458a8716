/** A webhook channel that is connected in the console, and what is decided about it. Its address and its secret arrive encrypted. */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { actorText, type Principal } from "../principal.ts";
import { whyElsewhere } from "./elsewhere.ts";
import { whyNotNew } from "./names.ts";

/** Receivers with a format of their own. */
export type WebhookPreset = "teams" | "pagerduty" | "ntfy";

export interface WebhookChannel {
  readonly name: string;
  readonly platform: "webhook";
  /** Absent: the server's own format, signed as Standard Webhooks say. */
  readonly preset?: WebhookPreset;
  /** Who gets questions that name nobody. */
  readonly to: readonly string[];
  /** What is shown of the address: scheme, host and port. The rest may be a secret. */
  readonly origin: string;
  /** Encrypted: only a server with the same secret key can read it. */
  readonly url: string;
  /** Encrypted: what signs messages, a routing key or an access token. */
  readonly secret?: string;
  readonly madeAt: number;
}

/** Without an address the channel keeps the one it has, and its secret unless another one is given. */
export interface PutWebhookChannel {
  readonly kind: "put_webhook_channel";
  readonly workspace: string;
  readonly by: Principal;
  readonly channel: Omit<WebhookChannel, "madeAt" | "url" | "origin"> & {
    readonly address?: Pick<WebhookChannel, "url" | "origin">;
  };
}

export interface RemoveWebhookChannel {
  readonly kind: "remove_webhook_channel";
  readonly workspace: string;
  readonly by: Principal;
  readonly name: string;
}

/** What was given for one kind of receiver means nothing to another. */
export function keptOf(
  before: WebhookChannel | undefined,
  preset: WebhookPreset | undefined,
): WebhookChannel | undefined {
  return before?.preset === preset ? before : undefined;
}

/** Why it cannot be kept: no address, or a secret that would go to another address than the one it was given for. */
export function whyIncomplete(
  kept: WebhookChannel | undefined,
  given: { readonly address?: unknown; readonly secret?: string },
): Failure | null {
  if (given.address === undefined && kept === undefined)
    return failure("webhook_incomplete", "give the address of the receiver");
  // Nobody gets the secret by writing another address.
  if (given.address === undefined || given.secret !== undefined || kept?.secret === undefined) return null;
  return failure(
    "webhook_incomplete",
    "give the secret again: it is kept only for the address that it was given for",
  );
}

export function putWebhookChannel(
  { workspace, channel, by }: PutWebhookChannel,
  draft: Draft,
  context: Context,
): Reply {
  const elsewhere = whyElsewhere(workspace);
  if (elsewhere !== null) return refuse(elsewhere);
  const { name, address: given, secret: newSecret, ...rest } = channel;
  const before = draft.get("webhook_channel", name);
  const taken = before === undefined ? whyNotNew(name, draft, context.platform) : null;
  if (taken !== null) return refuse(taken);
  const kept = keptOf(before, channel.preset);
  const incomplete = whyIncomplete(kept, channel);
  if (incomplete !== null) return refuse(incomplete);
  const secret = newSecret ?? kept?.secret;
  const { url, origin } = (given ?? kept) as Pick<WebhookChannel, "url" | "origin">;
  const body: WebhookChannel = {
    ...{ name, ...rest, url, origin, madeAt: before?.madeAt ?? context.now },
    ...(secret === undefined ? {} : { secret }),
  };
  const type = before === undefined ? "channel.connected" : "channel.changed";
  draft.state({
    ...{ kind: "webhook_channel", id: name, fact: { type, channel: body } },
    ...{ at: context.now, actor: actorText(by) },
  });
  return accept(name);
}

export function removeWebhookChannel(
  { workspace, name, by }: RemoveWebhookChannel,
  draft: Draft,
  { now }: Context,
): Reply {
  const elsewhere = whyElsewhere(workspace);
  if (elsewhere !== null) return refuse(elsewhere);
  const channel = draft.get("webhook_channel", name);
  if (channel === undefined)
    return refuse(failure("not_found", "no channel with this name was connected in the console"));
  const fact = { type: "channel.removed", channel } as const;
  draft.state({ kind: "webhook_channel", id: name, fact, at: now, actor: actorText(by) });
  return accept(name);
}
