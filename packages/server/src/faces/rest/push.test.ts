import { describe, expect, it } from "vitest";
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
