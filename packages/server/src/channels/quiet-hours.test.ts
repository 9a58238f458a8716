import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { Receiver } from "../testing/receiver.ts";
import { type TestServer, testServer } from "../testing/test-server.ts";
import { ALLOW_NOTHING } from "./allow-list.ts";
import { createOutgoing } from "./outgoing.ts";
import { webhookChannel } from "./webhook/channel.ts";

const HOUR_MS = 3_600_000;

/** It is midnight, and Ada sleeps until seven. */
async function setUp() {
  const receiver = await Receiver.start();
  const clock = new ManualClock({ startAt: Date.UTC(2026, 0, 5) });
  const outgoing = createOutgoing({ policy: { allow: ALLOW_NOTHING, loopback: true }, clock });
  const at = await testServer({
    ...{ clock, outgoing },
    channels: { hook: webhookChannel({ url: receiver.url("/hook"), secrets: [] }, { outgoing, clock }) },
    platform: { notify: { allow: [], channels: { hook: [] }, defaultChannel: "hook" } },
  });
  const quiet_hours = { from: "22:00", until: "07:00" };
  const ada = await at.call("POST", "/v1/people", {
    key: at.keys.admin,
    body: { id: "ada", name: "Ada", quiet_hours },
  });
  expect(ada).toMatchObject({ status: 201, body: { quiet_hours } });
  return {
    ...{ at, receiver },
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

async function ask(at: TestServer): Promise<string> {
  const ladder = [{ after: "0s", to: "person:ada" }];
  const body = { type: "approval", prompt: "Refund 40 EUR?", ladder };
  const placed = await at.call("POST", "/v1/holds", { key: at.keys.agent, body });
  expect(placed.status).toBe(201);
  return placed.body.id;
}

describe("quiet hours of a person", () => {
  it("a notification waits until they are over", async () => {
    await using world = await setUp();
    const { at, receiver } = world;
    await ask(at);
    await at.clock.advance(7 * HOUR_MS - 1);
    expect(receiver.requests).toEqual([]);
    await at.clock.advance(1);
    await at.server.sender.idle();
    expect(receiver.requests).toHaveLength(1);
  });

  it("a hold that somebody answers meanwhile disturbs nobody in the morning", async () => {
    await using world = await setUp();
    const { at, receiver } = world;
    const id = await ask(at);
    const body = { action: "approve", data: {} };
    await at.call("POST", `/v1/holds/${id}/answer`, { key: at.keys.otherOperator, body });
    await at.clock.advance(8 * HOUR_MS);
    expect(receiver.requests).toEqual([]);
  });

  it("the person changes and removes them, and a time that does not exist is refused", async () => {
    await using world = await setUp();
    const { at, receiver } = world;
    const patch = (quiet_hours: object | null) =>
      at.call("PATCH", "/v1/people/ada", { key: at.keys.operator, body: { quiet_hours } });
    expect((await patch({ from: "24:00", until: "07:00" })).status).toBe(422);
    expect((await patch({ from: "12:05", until: "13:00" })).body.quiet_hours).toEqual({
      ...{ from: "12:05", until: "13:00" },
    });
    expect((await patch(null)).body).not.toHaveProperty("quiet_hours");
    await ask(at);
    await at.clock.advance(0);
    await at.server.sender.idle();
    expect(receiver.requests).toHaveLength(1);
  });
});
