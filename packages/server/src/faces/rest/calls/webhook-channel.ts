/** Webhook channels: the receiver is tried before anything is kept, and its address and secret are never shown. */

import type { ChannelOut, WebhookChannelIn } from "@holdpoint/protocol";
import { usualRecipients } from "../../../kernel/platform.ts";
import { SERVER_WORKSPACE } from "../../../kernel/server/server.ts";
import { keptOf, type PutWebhookChannel, whyIncomplete } from "../../../kernel/server/webhook-channel.ts";
import { fail, HttpFailure } from "../../http/failure.ts";
import type { RestDeps, WebhookState } from "../deps.ts";

/** What is kept of the body, after the receiver took a message. */
export async function triedWebhook(
  name: string,
  body: WebhookChannelIn,
  deps: RestDeps,
): Promise<PutWebhookChannel["channel"]> {
  const { platform, preset, url, secret, to = [] } = body;
  const where = { workspace: SERVER_WORKSPACE, kind: "webhook_channel", id: name, read: true } as const;
  const [before] = await deps.engine.store.load([where]);
  const kept = keptOf(before?.body, preset);
  const given = { ...(url === undefined ? {} : { url }), ...(secret === undefined ? {} : { secret }) };
  const incomplete = whyIncomplete(kept, { address: url, ...given });
  if (incomplete !== null) throw new HttpFailure(incomplete);
  const named = { name, ...(preset === undefined ? {} : { preset }) };
  // What worked before and did not change is not tried again.
  if (url !== undefined || secret !== undefined) await tryWebhook({ ...named, ...given }, kept, deps);
  const sealed = (text: string) => deps.live.seal({ token: text }, name).token ?? "";
  return {
    ...{ ...named, platform, to: [...to] },
    ...(url === undefined ? {} : { address: { url: sealed(url), origin: new URL(url).origin } }),
    ...(secret === undefined ? {} : { secret: sealed(secret) }),
  };
}

type Whys = Parameters<RestDeps["live"]["whyNotWebhook"]>;

async function tryWebhook(given: Whys[0], kept: Whys[1], { live, whyNotTarget }: RestDeps): Promise<void> {
  const { url } = given;
  const refused = url === undefined ? null : whyNotTarget(url);
  if (refused !== null) throw fail("callback_refused", `the address ${refused}`);
  const why = await live.whyNotWebhook(given, kept);
  if (why === null) return;
  if (why.kind === "settings") throw fail("invalid_body", why.reason);
  // A name may have a private address, which is known when it is looked up.
  if (why.reason.startsWith("callback_refused"))
    throw fail("callback_refused", "the address points to a private or reserved address");
  const origin = url === undefined ? kept?.origin : new URL(url).origin;
  throw fail("webhook_failed", `${origin} did not take the trial message: ${why.reason}`);
}

/** Of the configuration and of the console. */
export function webhookChannels({ engine, live }: RestDeps): readonly ChannelOut[] {
  const { notify } = live.configured;
  const configured = Object.entries(notify.kinds ?? {}).flatMap(([name, kind]) =>
    kind === "webhook" ? [{ name, platform: "webhook", to: [...usualRecipients(notify, name)] }] : [],
  );
  return [
    ...configured.map((one) => ({ ...one, state: "ready" as const, source: "config" as const })),
    ...live.webhooks().map((state) => present(state, usualRecipients(engine.platform.notify, state.name))),
  ];
}

function present(
  { name, platform, preset, origin, isSigned, error }: WebhookState,
  to: readonly string[],
): ChannelOut {
  return {
    ...{ name, platform, to: [...to], source: "console" },
    ...(error === undefined ? { state: "ready" } : { state: "failed", reason: error }),
    webhook: { origin, signed: isSigned, ...(preset === undefined ? {} : { preset }) },
  };
}
