/** Stands for a bot that this server cannot make, so that everything about it says why it does not work. */

import type { ChatFailure, ChatPlatform } from "./platform.ts";

/**
 * `secret_key_differs`: its token was encrypted by a server with another secret key. `unknown_platform`: this server has no
 * client for it.
 */
export function brokenPlatform(kind: string, error: "secret_key_differs" | "unknown_platform"): ChatPlatform {
  const failure: ChatFailure = { kind: "failed", error, retry: true };
  const fail = async () => failure;
  return {
    kind,
    limits: { buttons: 0, buttonLabel: 0, dialogFields: 0, replyLength: 0 },
    ...{ identify: fail, fits: () => true, send: fail, edit: fail, tell: fail },
    async listen({ onState }, signal) {
      onState(failure);
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    },
  };
}
