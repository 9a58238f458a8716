/** Where messages to a webhook or a callback go: the host. The rest of an address may be a secret. */

import type { OutboxRow } from "../../../kernel/record.ts";

export function hostOf({ kind, endpoint, lane }: Pick<OutboxRow, "kind" | "endpoint" | "lane">): {
  readonly host?: string;
} {
  const isKnown = lane !== "" && lane !== endpoint;
  return isKnown && (kind === "webhook" || kind === "callback") ? { host: lane } : {};
}
