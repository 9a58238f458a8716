import { describe, expect, it } from "vitest";
import type { ServerOptions } from "../server.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { fakePushService } from "../testing/push-service.ts";
import { Receiver } from "../testing/receiver.ts";
import { signedInPerson } from "../testing/signed-in.ts";
import { type TestServer, testServer } from "../testing/test-server.ts";
import { ALLOW_NOTHING } from "./allow-list.ts";
import { createOutgoing } from "./outgoing.ts";
import { presetChannel } from "./webhook/channel.ts";

async function setUp(more: Pick<Partial<ServerOptions>, "rotas"> & { readonly clock?: ManualClock } = {}) {
  const receiver = await Receiver.start();
  const { clock = new ManualClock(), ...options } = more;
  const outgoing = createOutgoing({ policy: { allow: ALLOW_NOTHING, loopback: true }, clock });
  const config = { url: receiver.url("/v2/enqueue"), secret: "routing-key" };
  const at = await testServer({
    ...{ clock, outgoing, redact: ["Refund \\d+"], ...options },
    channels: { pager: presetChannel("pagerduty", config, { outgoing, clock }) },
    platform: { notify: { allow: [], channels: { pager: [] }, closing: ["pager"] } },
  });
  const posted = () => receiver.requests.map(({ body }) => JSON.parse(body));
  return {
    ...{ at, receiver, posted },
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

async function place(at: TestServer, ladder: readonly object[], timeout = "10m"): Promise<string> {
  const body = { type: "approval", prompt: "Refund 40 EUR?", timeout, ladder };
  const placed = await at.call("POST", "/v1/holds", { key: at.keys.agent, body });
  expect(placed.status).toBe(201);
  await at.server.sender.idle();
  return placed.body.id;
}

type PushService = Awaited<ReturnType<typeof fakePushService>>;
type Phone = ReturnType<PushService["subscribe"]>;

async function phoneOf(id: string, at: TestServer, service: PushService): Promise<Phone> {
  await at.call("POST", "/v1/people", { key: at.keys.admin, body: { id, name: id } });
  const person = await signedInPerson(at, id);
  const phone = service.subscribe((await person.call("GET", "/v1/push-devices")).body.public_key);
  const { endpoint, p256dh, auth } = phone;
  await person.call("POST", "/v1/push-devices", { endpoint, keys: { p256dh, auth } });
  return phone;
}

function titles(phones: readonly Phone[]): readonly (readonly string[])[] {
  return phones.map(({ received }) => received.map(({ message }) => JSON.parse(message).title));
}

const PAGER = [{ after: "0s", channel: "pager" }];

async function approve(at: TestServer, id: string): Promise<void> {
  const body = { action: "approve", data: {} };
  const { status } = await at.call("POST", `/v1/holds/${id}/answer`, { key: at.keys.operator, body });
  expect(status).toBe(200);
  await at.server.sender.idle();
}

describe("closing what a channel has shown", () => {
  it.each(["answered", "cancelled", "expired"])("an alert is resolved when its hold is %s", async (how) => {
    await using world = await setUp();
    const { at, posted } = world;
    const id = await place(at, PAGER);
    if (how === "answered") await approve(at, id);
    else if (how === "expired") await at.clock.advance(600_000);
    else await at.call("POST", `/v1/holds/${id}/cancel`, { key: at.keys.agent, body: {} });
    await at.server.sender.idle();
    expect(posted()).toMatchObject([
      { event_action: "trigger", dedup_key: id },
      { event_action: "resolve", dedup_key: id },
    ]);
  });

  it("a channel that was not told of a hold does not learn of its end", async () => {
    await using world = await setUp();
    const { at, posted } = world;
    await at.call("POST", "/v1/people", { key: at.keys.admin, body: { id: "lin", name: "Lin" } });
    const id = await place(at, [{ after: "0s", to: "person:lin" }]);
    await approve(at, id);
    expect(posted()).toEqual([]);
  });

  it("an alert that could not be raised before the end is neither raised nor resolved", async () => {
    await using world = await setUp();
    const { at, receiver, posted } = world;
    receiver.answer = () => 503;
    const id = await place(at, PAGER);
    await approve(at, id);
    receiver.answer = () => 202;
    await at.clock.advance(3_600_000);
    expect(posted().map(({ event_action }) => event_action)).toEqual(["trigger"]);
  });

  it.each(["reset", "hang"] as const)(
    "an alert whose connection ended without a response (%s) is resolved, because it may have arrived",
    async (how) => {
      await using world = await setUp();
      const { at, receiver, posted } = world;
      receiver.answer = (_received, n) => (n === 0 ? how : 202);
      const id = await at
        .call("POST", "/v1/holds", {
          key: at.keys.agent,
          body: { type: "approval", prompt: "Refund 40 EUR?", timeout: "3h", ladder: PAGER },
        })
        .then(({ body }) => body.id);
      await receiver.received(1);
      if (how === "hang") await at.clock.advance(60_000);
      await at.server.sender.idle();
      await approve(at, id);
      await at.clock.advance(3_600_000);
      await at.server.sender.idle();
      expect(posted().at(-1)).toMatchObject({ event_action: "resolve", dedup_key: id });
    },
  );

  it("a resolve that fails is sent again", async () => {
    await using world = await setUp();
    const { at, receiver, posted } = world;
    receiver.answer = (_received, n) => (n === 1 ? 503 : 202);
    const id = await place(at, PAGER);
    await approve(at, id);
    await at.clock.advance(3_600_000);
    expect(posted().map(({ event_action }) => event_action)).toEqual(["trigger", "resolve", "resolve"]);
  });

  it("a notification on a phone says how the hold ended and by whom, without what is redacted", async () => {
    await using world = await setUp();
    await using service = await fakePushService();
    const { at } = world;
    await at.call("POST", "/v1/people", { key: at.keys.admin, body: { id: "ada", name: "Ada Lovelace" } });
    const ada = await signedInPerson(at, "ada");
    const { public_key: key } = (await ada.call("GET", "/v1/push-devices")).body;
    const phone = service.subscribe(key);
    const { endpoint, p256dh, auth } = phone;
    await ada.call("POST", "/v1/push-devices", { endpoint, keys: { p256dh, auth } });
    const id = await place(at, [{ after: "0s", channel: "push", to: "person:ada" }]);
    await approve(at, id);
    expect(phone.received.map(({ message }) => JSON.parse(message))).toMatchObject([
      { title: "refunder asks", tag: id },
      { title: "Approved by Ada Lovelace.", body: "[redacted] EUR?", tag: id, silent: true },
    ]);
  });

  it("the person who was on call when it was asked is told of the end, and not who is on call now", async () => {
    const clock = new ManualClock();
    const people = ["ada", "lin"];
    const rotas = { ops: { kind: "rotation", people, everyMs: 600_000, from: clock.now() } } as const;
    await using world = await setUp({ clock, rotas });
    await using service = await fakePushService();
    const { at } = world;
    const phones = [await phoneOf("ada", at, service), await phoneOf("lin", at, service)];
    const id = await place(at, [{ after: "0s", channel: "push", to: "oncall:ops" }], "1h");
    await at.clock.advance(600_000);
    await approve(at, id);
    expect(titles(phones)).toEqual([["refunder asks", expect.stringContaining("Approved")], []]);
  });

  it("a notification that waits for quiet hours keeps nobody else's open", async () => {
    await using world = await setUp();
    await using service = await fakePushService();
    const { at } = world;
    const phones = [await phoneOf("ada", at, service), await phoneOf("lin", at, service)];
    const hour = new Date(at.clock.now()).getUTCHours();
    const quiet_hours = { from: clockTime(hour), until: clockTime(hour + 8) };
    const changed = await at.call("PATCH", "/v1/people/lin", { key: at.keys.admin, body: { quiet_hours } });
    expect(changed.status).toBe(200);
    const to = (person: string) => ({ after: "0s", channel: "push", to: `person:${person}` });
    const id = await place(at, [to("ada"), to("lin")]);
    await approve(at, id);
    expect(titles(phones)).toEqual([["refunder asks", expect.stringContaining("Approved")], []]);
    await at.clock.advance(9 * 3_600_000);
    await at.server.sender.idle();
    expect(titles(phones)[1]).toEqual([]);
  });
});

function clockTime(hour: number): string {
  return `${String(hour % 24).padStart(2, "0")}:00`;
}
