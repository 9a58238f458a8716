import { expect, it } from "vitest";
import { seedPeople } from "../../people-seed.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

async function withFinance(): Promise<TestServer> {
  const test = await testServer();
  const people = { ada: {}, grace: {}, root: {} };
  await seedPeople(test.server.engine, { people, teams: { finance: { members: ["ada", "grace"] } } });
  return test;
}

async function placed(test: TestServer, intentId: string) {
  const decision = { approve: [{ need: 2, from: ["team:finance"] }] };
  const body = { type: "approval", prompt: "Wire 10,000 EUR?", decision, intent_id: intentId };
  return (await test.call("POST", "/v1/holds", { key: test.keys.agent, body })).body;
}

it("OpenIntent replies 202 pending to a vote, keeps the intent suspended, and resumes it with the last one", async () => {
  await using test = await withFinance();
  const { agent, operator, otherOperator, admin } = test.keys;
  const intent = await test.call("POST", "/api/v1/intents", { key: agent, body: { title: "Wire" } });
  const { id } = await placed(test, intent.body.id);
  const at = `/api/v1/intents/${intent.body.id}`;
  const shown = async () => (await test.call("GET", at, { key: agent })).body;
  const suspension = (await shown()).state._suspension.id;
  const respond = (key: string) =>
    test.call("POST", `${at}/suspend/respond`, {
      key,
      body: { suspension_id: suspension, value: "approve" },
    });
  expect(await respond(admin)).toMatchObject({ status: 403 });
  expect(await respond(operator)).toMatchObject({ status: 202, body: { resolution: "pending" } });
  expect((await shown()).status).toBe("suspended_awaiting_input");
  expect(await respond(otherOperator)).toMatchObject({ status: 200, body: { resolution: "responded" } });
  expect((await shown()).status).toBe("active");
  expect((await test.call("GET", `/v1/holds/${id}`, { key: agent })).body.votes).toHaveLength(2);
});
