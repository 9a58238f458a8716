import { expect, it } from "vitest";
import { playHungReceiver } from "../../testing/hung-receiver.ts";
import { openIntentServer, REC } from "../../testing/openintent.ts";
import { act, begun, told } from "../../testing/openintent-plans.ts";

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

it("suspending and abandoning an intent with many tasks write at most 2,000 messages; the log has every event (G13)", async () => {
  await using oi = await openIntentServer();
  const { id } = await oi.create();
  const names = Array.from({ length: 210 }, (_, n) => ({ name: `task-${n}` }));
  const { tasks } = await begun(oi, id, { tasks: names });
  for (const task of tasks) expect((await act(oi, task, "claim")).status).toBe(200);
  const body = { intent_id: id, webhook_url: "http://127.0.0.1:9/hook" };
  for (let n = 0; n < 10; n += 1) expect((await oi.call("POST", "subscriptions", { body })).status).toBe(200);
  const messages = async () => {
    const rows = await oi.test.store.outbox({ workspace: "default", limit: 10_000 });
    return Map.groupBy(rows, ({ event }) => event.type);
  };

  await oi.suspend(id, REC);
  const suspended = await messages();
  expect(await told(oi, id, "task.blocked")).toHaveLength(210);
  expect(suspended.get("status_changed")).toHaveLength(10);
  expect(suspended.get("task.blocked")).toHaveLength(1_990);

  expect((await oi.status(id, "abandoned")).status).toBe(200);
  expect(await told(oi, id, "task.cancelled")).toHaveLength(210);
  expect((await messages()).get("task.cancelled")).toHaveLength(1_990);
});
