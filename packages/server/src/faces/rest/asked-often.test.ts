import { expect, it } from "vitest";
import { Receiver } from "../../testing/receiver.ts";
import { testServer } from "../../testing/test-server.ts";

/** An agent in a crash loop asks again and again; every time there is a new link, and an event about it. */
it("a hold that was placed a thousand times under its key still calls its creator back, and each of its links can be revoked", {
  timeout: 60_000,
}, async () => {
  await using receiver = await Receiver.start();
  await using test = await testServer();
  const body = { type: "approval", prompt: "Go?", key: "again", callback_url: receiver.url("/told") };
  const place = () => test.call("POST", "/v1/holds", { key: test.keys.agent, body });
  const { body: hold } = await place();
  for (let i = 0; i < 11; i += 1) await Promise.all(Array.from({ length: 100 }, place));
  const at = `/v1/holds/${hold.id}`;
  const { links } = (await test.call("GET", `${at}/links`, { key: test.keys.operator })).body;
  expect(links).toHaveLength(1101);
  for (const { id } of [links.at(0), links.at(-1)]) {
    const revoked = await test.call("DELETE", `${at}/links/${id}`, { key: test.keys.operator });
    expect(revoked.body).toMatchObject({ id, revoked_at: expect.any(String) });
  }
  await test.call("POST", `${at}/answer`, { key: test.keys.operator, body: { action: "approve" } });
  await test.server.sender.idle();
  expect(receiver.requests.map((request) => JSON.parse(request.body))).toMatchObject([
    { type: "hold.decided", data: { hold: { id: hold.id }, event: { seq: 1104 } } },
  ]);
});
