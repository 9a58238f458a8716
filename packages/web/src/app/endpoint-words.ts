/** Where a message goes, for people: the host of a webhook or callback, or the name of the channel. */

import type { DeliveryOut } from "@holdpoint/protocol";

const WORDS = {
  webhook: (host: string) => `the webhook at ${host}`,
  unknownWebhook: "a webhook",
  callback: (host: string) => `the callback at ${host}`,
  unknownCallback: "the callback",
};

export function endpointWords({ endpoint, host }: Pick<DeliveryOut, "endpoint" | "host">): string {
  if (endpoint === "callback") return host === undefined ? WORDS.unknownCallback : WORDS.callback(host);
  if (host !== undefined) return WORDS.webhook(host);
  return ENDPOINT_ID.test(endpoint) ? WORDS.unknownWebhook : endpoint;
}

/** Ids that the server makes; the name of a channel is chosen by people. */
const ENDPOINT_ID = /^hook_[0-9a-z]{20,}$/;
