import { expect, it } from "vitest";
import { playHungReceiver } from "../../testing/hung-receiver.ts";
import { openIntentServer } from "../../testing/openintent.ts";

it("attack 2: a hung receiver with a backlog stops nobody else, through a restart and a stop (G13)", async () => {
  await playHungReceiver({ intents: 1, entries: 40 });
});

it("attack 2: an access list whose events would go to too many subscribers is refused (G13)", async () => {
  await using oi = await openIntentServer();
  const { id } = await oi.create();
  const body = { intent_id: id, webhook_url: "http://127.0.0.1:9/hook" };
  for (let n = 0; n < 10; n += 1) expect((await oi.call("POST", "subscriptions", { body })).status).toBe(200);
  const entries = Array.from({ length: 201 }, (_, n) => ({
    principal_id: `agent-${n}`,
    principal_type: "agent",
    permission: "read",
  }));
  const refused = await oi.call("PUT", `intents/${id}/acl`, { body: { default_policy: "open", entries } });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining("too_many")]);
});

it("attack 2: a subscriber is refused one webhook subscription too many for all intents (G13)", async () => {
  await using oi = await openIntentServer();
  const body = { webhook_url: "http://127.0.0.1:9/hook" };
  for (let n = 0; n < 10; n += 1) expect((await oi.call("POST", "subscriptions", { body })).status).toBe(200);
  const refused = await oi.call("POST", "subscriptions", { body });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining("too_many")]);
});
