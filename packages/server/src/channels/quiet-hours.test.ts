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

async function ask(at: TestServer, more: readonly object[] = [], timeout = "3d"): Promise<string> {
  const ladder = [{ after: "0s", to: "person:ada" }, ...more];
  const body = { type: "approval", prompt: "Refund 40 EUR?", ladder, timeout };
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

  it("reminders that came due meanwhile are not sent: one message comes, and it is the first one", async () => {
    await using world = await setUp();
    const { at, receiver } = world;
    const again = ["1h", "2h", "3h", "8h"].map((after) => ({ after, to: "person:ada" }));
    await ask(at, again);
    for (let hour = 0; hour < 7; hour += 1) await at.clock.advance(HOUR_MS);
    await at.server.sender.idle();
    expect(receiver.requests.map(({ body }) => JSON.parse(body).data.attempt)).toEqual([1]);
    await at.clock.advance(HOUR_MS);
    await at.server.sender.idle();
    expect(receiver.requests.map(({ body }) => JSON.parse(body).data.attempt)).toEqual([1, 5]);
  });

  it("of a hold that ends before they are over, the next people of the ladder are told at once", async () => {
    await using world = await setUp();
    const { at, receiver } = world;
    await at.call("POST", "/v1/people", { key: at.keys.admin, body: { id: "lin", name: "Lin" } });
    const id = await ask(at, [{ after: "1h", to: "person:lin" }], "2h");
    await at.server.sender.idle();
    expect(receiver.requests.map(({ body }) => JSON.parse(body).data.to)).toEqual(["lin"]);
    const { deliveries } = (await at.call("GET", `/v1/deliveries?hold_id=${id}`, { key: at.keys.operator }))
      .body;
    expect(deliveries).toContainEqual(
      expect.objectContaining({ to: "person:ada", state: "failed", reason: "quiet_hours" }),
    );
  });

  it("the hold says that nobody was reached if nobody is left, and the message can be sent by hand", async () => {
    await using world = await setUp();
    const { at, receiver } = world;
    const id = await ask(at, [], "2h");
    await at.server.sender.idle();
    const hold = await at.call("GET", `/v1/holds/${id}`, { key: at.keys.operator });
    expect(hold.body).toHaveProperty("nobody_reached_since");
    expect(receiver.requests).toEqual([]);
    const { deliveries } = (await at.call("GET", `/v1/deliveries?hold_id=${id}`, { key: at.keys.admin }))
      .body;
    await at.call("POST", `/v1/deliveries/${deliveries[0].id}/replay`, { key: at.keys.admin, body: {} });
    await at.server.sender.idle();
    expect(receiver.requests).toHaveLength(1);
  });

  it("a person who wishes it is told at once of a hold that ends before they are over, and only of such", async () => {
    await using world = await setUp();
    const { at, receiver } = world;
    const quiet_hours = { from: "22:00", until: "07:00", urgent: true };
    const changed = await at.call("PATCH", "/v1/people/ada", { key: at.keys.admin, body: { quiet_hours } });
    expect(changed.body.quiet_hours).toEqual(quiet_hours);
    await ask(at, [], "2h");
    await ask(at);
    await at.server.sender.idle();
    expect(receiver.requests).toHaveLength(1);
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
