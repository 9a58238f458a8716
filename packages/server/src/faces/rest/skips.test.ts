/** What went on without a person is on record, for people to see. */

import { hitlService } from "@holdpoint/hitl/service";
import { Holdpoint } from "@holdpoint/sdk";
import { describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const record = (test: TestServer, what: string, key = test.keys.agent) =>
  test.call("POST", "/v1/skips", { key, body: { what } });

describe("skips", () => {
  it("HP-185 a service's choice gate leaves each in the log and in an admin's list", async () => {
    await using test = await testServer();
    const holds = new Holdpoint({
      url: "http://test",
      apiKey: test.keys.app,
      runtime: { fetch: async (input, init) => test.server.app.request(input, init) },
    });
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

  it("come newest first, a page at a time, and to nobody of another workspace", async () => {
    await using test = await testServer();
    for (const what of ["one", "two", "three"]) {
      await record(test, what);
      await test.clock.advance(1);
    }
    const read = async (path: string, key = test.keys.auditor) =>
      (await test.call("GET", path, { key })).body;
    const first = await read("/v1/skips?limit=2");
    expect(first.skips.map(({ what }: { what: string }) => what)).toEqual(["three", "two"]);
    const second = await read(`/v1/skips?limit=2&cursor=${first.next_cursor}`);
    expect(second.skips.map(({ what }: { what: string }) => what)).toEqual(["one"]);
    expect(second.next_cursor).toBeUndefined();
    expect(await read("/v1/skips", test.keys.elsewhere)).toEqual({ skips: [] });
  });

  it("say something", async () => {
    await using test = await testServer();
    expect(await record(test, "")).toMatchObject({ status: 422, body: { code: "invalid_body" } });
    expect(await record(test, "x".repeat(501))).toMatchObject({ status: 422 });
  });
});
