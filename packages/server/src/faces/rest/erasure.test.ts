import { describe, expect, it } from "vitest";
import type { Channel } from "../../channels/channel.ts";
import { NO_PLATFORM } from "../../kernel/platform.ts";
import { testServer } from "../../testing/test-server.ts";

const WHOM = "lead@example.com";
const DAY = 86_400_000;

async function told() {
  const channel: Channel = { kind: "fake", deliver: async () => ({ kind: "sent" }) };
  const test = await testServer({
    channels: { email: channel },
    platform: { ...NO_PLATFORM, notify: { allow: [WHOM], channels: { email: [] } } },
  });
  const ladder = [{ after: "0s", channel: "email", to: WHOM }];
  const body = { type: "approval", prompt: "Go?", ladder };
  const { body: hold } = await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
  await test.server.sender.idle();
  const workspace = "default";
  const everything = async () =>
    JSON.stringify([
      await test.store.outbox({ workspace, limit: 100 }),
      await test.store.query({ workspace, kind: "link", limit: 100 }),
      await test.store.query({ workspace, kind: "hold", limit: 100 }),
      await test.store.events({ after: 0, limit: 1000 }),
    ]);
  return { test, id: hold.id as string, everything };
}

describe("erasing addresses", () => {
  it("erasing a hold's content removes addresses from its links, ladder and deliveries", async () => {
    const { test, id, everything } = await told();
    await using _server = test;
    expect(await everything()).toContain(WHOM);
    await test.call("POST", `/v1/holds/${id}/cancel`, { key: test.keys.operator });
    await test.server.engine.run({
      ...{ kind: "erase_hold", workspace: "default", holdId: id },
      by: { role: "admin", via: "key", id: "root", name: "root" },
    });
    expect(await everything()).not.toContain(WHOM);
    const { deliveries } = (await test.call("GET", `/v1/deliveries?hold_id=${id}`, { key: test.keys.admin }))
      .body;
    expect(deliveries).toMatchObject([{ state: "sent", attempt: 1, endpoint: "email" }]);
    expect(deliveries[0]).not.toHaveProperty("to");
  });

  it("retention removes addresses, and the delivery row some time later", async () => {
    const { test, id, everything } = await told();
    await using _server = test;
    await test.server.engine.run({
      ...{ kind: "set_retention", workspace: "default", retainMs: DAY },
      by: { role: "admin", via: "key", id: "root", name: "root" },
    });
    const ladder = [{ after: "0s", channel: "email", to: WHOM }];
    const body = { type: "approval", prompt: "Again?", ladder, timeout: "1h" };
    const { body: second } = await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
    await test.server.sender.idle();
    await test.clock.advance(26 * 3_600_000);
    const rows = await test.store.outbox({ workspace: "default", holdId: second.id, limit: 10 });
    expect(JSON.stringify(rows)).not.toContain(WHOM);
    expect(await everything(), "the first is kept for ever").toContain(id);
    await test.clock.advance(31 * DAY);
    expect(await test.store.outbox({ workspace: "default", limit: 10 })).toEqual([]);
  });
});
