/** What the server signs, the SDK believes. */

import { readWebhook } from "@holdpoint/sdk/webhooks";
import { expect, test } from "vitest";
import { signedHeaders, writeSecret } from "../packages/server/src/channels/webhook/signature.ts";

test("the SDK verifies messages as the server signs them, also while a secret is being replaced", async () => {
  const [old, next] = [writeSecret(new Uint8Array(32).fill(1)), writeSecret(new Uint8Array(24).fill(2))];
  const hold = { id: "hold_1", prompt: "Ümläut?" };
  const body = JSON.stringify({ type: "hold.decided", timestamp: "2026-03-01T09:30:00Z", data: { hold } });
  const sentAt = Date.UTC(2026, 2, 1);
  const message = { id: "msg_1", sentAt, body };
  const headers = signedHeaders(message, [{ kind: "standard", secrets: [next, old] }]) ?? {};
  for (const secret of [old, next]) {
    const request = new Request("https://agent.example", { method: "POST", headers, body });
    expect(await readWebhook(request, { secret, now: () => sentAt })).toMatchObject({ id: "msg_1", hold });
  }
});
