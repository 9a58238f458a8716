import { describe, expect, it } from "vitest";
import { fakePushService } from "../../testing/push-service.ts";
import { signedInPerson } from "../../testing/signed-in.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const DEVICES = "/v1/push-devices";

async function personWithDevice(test: TestServer, endpoint = "http://127.0.0.1:9/send/1", name = "lin") {
  await test.call("POST", "/v1/people", { key: test.keys.admin, body: { id: name, name } });
  const person = await signedInPerson(test, name);
  const keys = { p256dh: "A".repeat(87), auth: "A".repeat(22) };
  const added = await person.call("POST", DEVICES, { endpoint, keys, name: "Phone" });
  return { person, added };
}

describe("devices for web push", () => {
  it("a person adds a device, sees it without its address, and removes it", async () => {
    await using test = await testServer();
    const { person, added } = await personWithDevice(test);
    const shown = { name: "Phone", person: "lin", service: "127.0.0.1:9" };
    expect(added).toMatchObject({ status: 201, body: shown });
    const listed = await person.call("GET", DEVICES);
    expect(listed.body.devices).toMatchObject([shown]);
    expect(JSON.stringify(listed.body)).not.toContain("/send/1");
    expect((await person.call("DELETE", `${DEVICES}/${added.body.id}`)).status).toBe(200);
    expect((await person.call("GET", DEVICES)).body.devices).toEqual([]);
    await personWithDevice(test);
    expect((await person.call("GET", DEVICES)).body.devices).toHaveLength(1);
  });

  it("an agent or an app with the name of a person does not see the person's devices", async () => {
    await using test = await testServer();
    await personWithDevice(test);
    for (const role of ["agent", "app"]) {
      const made = await test.call("POST", "/v1/keys", { key: test.keys.admin, body: { name: "lin", role } });
      expect(made.status).toBe(201);
      expect((await test.call("GET", DEVICES, { key: made.body.secret })).status).toBe(403);
    }
  });

  it("a browser that subscribes again is still one device", async () => {
    await using test = await testServer();
    await personWithDevice(test);
    const { person } = await personWithDevice(test);
    expect((await person.call("GET", DEVICES)).body.devices).toHaveLength(1);
  });

  it("all servers of a database use one key, and its private part is in no reply and no log (G9)", async () => {
    await using test = await testServer();
    const { person } = await personWithDevice(test);
    const { public_key: first } = (await person.call("GET", DEVICES)).body;
    const [row] = await test.server.engine.store.query({ workspace: "_log", kind: "push_key", limit: 1 });
    expect(row?.body.publicKey).toBe(first);
    const log = await test.call("GET", "/v1/log", { key: test.keys.admin });
    expect(JSON.stringify(log.body)).not.toContain(row?.body.privateKey);
    expect(JSON.stringify(log.body)).not.toContain("/send/1");
  });
});

describe("notifications by web push", () => {
  async function phoneOf(test: TestServer, name = "lin") {
    const service = await fakePushService();
    await test.call("POST", "/v1/people", { key: test.keys.admin, body: { id: name, name } });
    const person = await signedInPerson(test, name);
    const { public_key: key } = (await person.call("GET", DEVICES)).body;
    const phone = service.subscribe(key);
    const { endpoint, p256dh, auth } = phone;
    await person.call("POST", DEVICES, { endpoint, keys: { p256dh, auth } });
    return { service, phone, person };
  }

  const ask = async (test: TestServer, more: object) => {
    const body = { type: "approval", prompt: "Refund 40 EUR?", ...more };
    const { body: hold } = await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
    await test.clock.advance(0);
    await test.server.sender.idle();
    return hold;
  };

  it("a rung to a person reaches their phone with the hold's page and without a link that answers", async () => {
    await using test = await testServer();
    const { service, phone } = await phoneOf(test);
    await using _ = service;
    const hold = await ask(test, { ladder: [{ after: "0s", channel: "push", to: "person:lin" }] });
    expect(phone.received.map(({ message }) => JSON.parse(message))).toEqual([
      {
        ...{ title: "refunder asks", body: "Refund 40 EUR?", tag: hold.id },
        url: `${test.server.publicUrl}/console/holds/${hold.id}`,
      },
    ]);
    const { body } = await test.call("GET", `/v1/deliveries?hold_id=${hold.id}`, { key: test.keys.admin });
    expect(body.deliveries).toMatchObject([{ state: "sent" }]);
  });

  it("a rung without a recipient reaches everybody who may answer, and nobody who is suspended", async () => {
    await using test = await testServer();
    const lin = await phoneOf(test);
    const eve = await phoneOf(test, "eve");
    await using _lin = lin.service;
    await using _eve = eve.service;
    await test.call("PATCH", "/v1/people/eve", { key: test.keys.admin, body: { status: "suspended" } });
    await ask(test, { ladder: [{ after: "0s", channel: "push" }] });
    expect([lin.phone.received.length, eve.phone.received.length]).toEqual([1, 0]);
  });

  it("a device that is gone is removed, and the delivery says that the person has no device", async () => {
    await using test = await testServer();
    const { service, phone, person } = await phoneOf(test);
    await using _ = service;
    service.unsubscribe(phone.endpoint);
    await ask(test, { ladder: [{ after: "0s", channel: "push", to: "person:lin" }] });
    expect((await person.call("GET", DEVICES)).body.devices).toEqual([]);
    const hold = await ask(test, { ladder: [{ after: "0s", channel: "push", to: "person:lin" }] });
    const { body } = await test.call("GET", `/v1/deliveries?hold_id=${hold.id}`, { key: test.keys.admin });
    expect(body.deliveries).toMatchObject([{ state: "failed", reason: "no_device" }]);
  });

  it("a person who prefers web push is notified by it when a team is asked", async () => {
    await using test = await testServer();
    const { service, phone, person } = await phoneOf(test);
    await using _ = service;
    await test.call("POST", "/v1/teams", { key: test.keys.admin, body: { id: "crew", members: ["lin"] } });
    const changed = await person.call("PATCH", "/v1/people/lin", { preferred_channel: "push" });
    expect(changed.status).toBe(200);
    await ask(test, { ladder: [{ after: "0s", to: "team:crew" }] });
    expect(phone.received).toHaveLength(1);
  });
});
