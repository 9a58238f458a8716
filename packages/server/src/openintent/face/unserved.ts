/**
 * Parts of OpenIntent that this server leaves out on purpose. A client that calls one hears which part it is, not that an
 * address does not exist.
 */

import type { HttpFailure } from "../../faces/http/failure.ts";
import { intentFailure } from "./errors.ts";

/** The parts by name; the reference prints this list. */
export const UNSERVED = {
  vaults: "Credential vaults (RFC-0014)",
  credentials: "Credentials of a vault (RFC-0014)",
  grants: "Tool grants (RFC-0014)",
  tools: "The tool proxy (RFC-0014)",
  invocations: "Invocations of the tool proxy (RFC-0014)",
  memory: "Agents' memory (RFC-0015)",
  agents: "The registry of agents: records, heartbeats, status (RFC-0016), and their identity (RFC-0018)",
  triggers: "Triggers (RFC-0017)",
  channels: "Channels between agents (RFC-0021)",
  federation: "Federation (RFC-0022)",
  attachments: "Files attached to an intent (RFC-0005)",
  costs: "Costs of an intent (RFC-0009)",
} as const satisfies Readonly<Record<string, string>>;

export type UnservedPart = keyof typeof UNSERVED;

const AT_ROOT = /^\/api\/v1\/([a-z-]+)(?=\/|$)/;
const AT_INTENT = /^\/api\/v1\/intents\/[^/]+\/([a-z-]+)(?=\/|$)/;

/** Which part a path belongs to, if this server leaves that part out. */
export function unservedPart(path: string): UnservedPart | undefined {
  const word = (AT_INTENT.exec(path) ?? AT_ROOT.exec(path))?.[1];
  return word !== undefined && Object.hasOwn(UNSERVED, word) ? (word as UnservedPart) : undefined;
}

export function whyUnserved(path: string): HttpFailure | undefined {
  const part = unservedPart(path);
  if (part === undefined) return undefined;
  return intentFailure(
    "not_implemented",
    `This server does not serve this part of OpenIntent: ${UNSERVED[part]}.`,
    {
      detail: { capability: part },
    },
  );
}
