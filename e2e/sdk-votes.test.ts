/** What the SDK shows of a hold on which two people must agree. */

import { Holdpoint } from "@holdpoint/sdk";
import { testServer } from "holdpoint/testing";
import { expect, test } from "vitest";

test("the SDK's outcome has the votes, both while one is missing and when both agree", async () => {
  await using server = await testServer();
  const { admin, agent, operator, otherOperator } = server.keys;
  const post = (path: string, key: string, body: object) => server.call("POST", path, { key, body });
  for (const id of ["ada", "grace"]) await post("/v1/people", admin, { id, name: id, role: "operator" });
  await post("/v1/teams", admin, { id: "finance", members: ["ada", "grace"] });
  const fetch = async (input: string, init: RequestInit) => server.server.app.request(input, init);
  const hp = new Holdpoint({ url: "http://test", apiKey: agent, runtime: { fetch }, streaming: false });
  const decision = { approve: [{ need: 2, from: ["team:finance"] }] };
  const { id } = (await post("/v1/holds", agent, { type: "approval", prompt: "Wire 10,000 EUR?", decision }))
    .body;
  await post(`/v1/holds/${id}/answer`, operator, { action: "approve" });
  expect((await hp.outcome(id)).votes).toMatchObject([{ person: "ada" }]);
  await post(`/v1/holds/${id}/answer`, otherOperator, { action: "approve" });
  const outcome = await hp.outcome(id);
  expect(outcome).toMatchObject({ kind: "decided" });
  expect(outcome.votes).toMatchObject([{ person: "ada" }, { person: "grace" }]);
});
