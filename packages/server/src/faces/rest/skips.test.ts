/** What went on without a person is on record, for people to see. */

import { describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const record = (test: TestServer, what: string, key = test.keys.agent) =>
  test.call("POST", "/v1/skips", { key, body: { what } });

describe("skips", () => {
  it("skips are listed newest first, by page, and only in their own workspace", async () => {
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

  it("a skip without a reason is refused", async () => {
    await using test = await testServer();
    expect(await record(test, "")).toMatchObject({ status: 422, body: { code: "invalid_body" } });
    expect(await record(test, "x".repeat(501))).toMatchObject({ status: 422 });
  });
});
