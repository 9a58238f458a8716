/** What was asked of the model, as hashes: enough to see that two runs asked the same, nothing to leak. */

import { hashCanonicalProposal } from "@holdpoint/protocol/proposal";
import type { ProviderRequest } from "./provider.ts";
import type { RequestFingerprintRecord } from "./record.ts";

/** Kept equal to the package's version by a test; a JSON import would not survive every bundler. */
export const RUNTIME_VERSION = "0.1.0";

type RequestHashes = Omit<RequestFingerprintRecord, "timestamp" | "turn" | "agentName" | "providerName">;

export function requestFingerprint(request: ProviderRequest): RequestHashes {
  const { model, systemPrompt, messages, tools, modelSettings } = request;
  return {
    model,
    runtimeVersion: RUNTIME_VERSION,
    fingerprintSchemaVersion: "request-fingerprint.v1",
    requestHash: hashCanonicalProposal({ model, systemPrompt, messages, tools, modelSettings }),
    systemPromptHash: hashCanonicalProposal(systemPrompt),
    messagesHash: hashCanonicalProposal(messages),
    toolsHash: hashCanonicalProposal(tools),
    modelSettingsHash: hashCanonicalProposal(modelSettings),
    messageCount: messages.length,
    toolCount: tools.length,
  };
}
