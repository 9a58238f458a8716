/** A service of its own, over the client in the server's process: work that went on without a person is on record. */

import { hitlService } from "@holdpoint/hitl/service";
import { testServer } from "holdpoint/testing";
import { expect, it } from "vitest";

it("HP-185 a request that a service lets pass without a person is in the log and in the admin's list of skips", async () => {
  await using test = await testServer();
  const principal = { role: "app", via: "key", id: "shop", name: "shop" } as const;
  const holds = test.server.client({ workspace: "default", principal });
  const service = hitlService(
    { baseUrl: "https://shop.example", name: "Shop", description: "Sells.", choiceRequired: true },
    { holds, holdpoint: { url: "https://holdpoint.example" }, identify: () => "buyer-7" },
  );
  const order = (body: object) =>
    new Request("https://shop.example/orders?for=ada", { method: "POST", body: JSON.stringify(body) });
  expect(await service.choose(order({ skip_hitl: true }))).toEqual({ kind: "skip" });
  expect(await service.choose(order({ prefer_hitl: true }))).toEqual({ kind: "review" });

  const key = test.keys.admin;
  const { skips } = (await test.call("GET", "/v1/skips", { key })).body;
  expect(skips).toEqual([
    {
      id: expect.stringMatching(/^skip_/),
      what: "POST /orders",
      agent: "buyer-7",
      recorded_by: "shop",
      recorded_at: new Date(test.clock.now()).toISOString(),
    },
  ]);
  const { events } = (await test.call("GET", "/v1/log", { key })).body;
  expect(events).toMatchObject([
    {
      type: "skip.recorded",
      stream: `skip:${skips[0].id}`,
      actor: "key:shop",
      data: { what: "POST /orders", agent: "buyer-7" },
    },
  ]);
  expect((await test.call("POST", "/v1/log/verify", { key })).body).toMatchObject({
    events: 1,
    breaks: [],
  });
  expect((await test.call("GET", "/v1/holds", { key })).body.holds).toEqual([]);
});
