import { HITL_SCHEMAS } from "@holdpoint/protocol/hitl";
import { ASK_TYPES } from "@holdpoint/protocol/rules";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newResultSigner } from "../../system/signing.ts";
import { APPROVAL, create } from "../../testing/hitl-cases.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ resultSigner: newResultSigner() });
});
afterAll(() => server[Symbol.asyncDispose]());

const read = async (query = "", headers = {}) =>
  server.call("GET", `/.well-known/hitl.json${query}`, { headers });

describe("the discovery document", () => {
  test("HP-175 the discovery document is public and may be cached for a day", async () => {
    const { status, headers } = await read();
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("public, max-age=86400");
    expect(headers.get("content-type")).toBe("application/json");
  });

  test("HP-176 the discovery document fits the schema of the requested version", async () => {
    for (const [version, replies] of [
      ["0.7", [await read(), await read("?spec_version=0.7")]],
      ["0.8", [await read("?spec_version=0.8"), await read("", { "hitl-version": "0.8" })]],
    ] as const)
      for (const { body, headers } of replies) {
        expect(HITL_SCHEMAS[version].discovery.safeParse(body)).toMatchObject({ success: true });
        expect(body.hitl_protocol.spec_version).toBe(version);
        expect(headers.get("hitl-version")).toBe(version);
        expect(headers.get("hitl-versions")).toBe("0.7, 0.8");
      }
  });

  test("HP-177 the discovery document describes what the server does", async () => {
    const { capabilities, endpoints } = (await read()).body.hitl_protocol;
    expect(capabilities).toEqual({
      review_types: ASK_TYPES,
      transports: ["polling", "sse", "callback"],
      default_timeout: "PT24H",
      max_timeout: "P7D",
      supports_reminders: true,
      supports_multi_round: true,
      supports_signatures: true,
      supports_inline_submit: true,
      supports_surface: true,
      surface_formats: ["json-render"],
      surface_profiles: ["hitl-surface-interop/v0.1"],
    });
    const status = async (timeout: string) => (await create(server, { ...APPROVAL, timeout })).status;
    expect(await status(capabilities.max_timeout)).toBe(202);
    expect(await status("P8D")).toBe(400);
    const { hitl } = (await create(server, APPROVAL)).body;
    expect(hitl.poll_url.startsWith(`${endpoints.reviews_base}/`)).toBe(true);
    expect(hitl.events_url.startsWith(`${endpoints.events_base}/`)).toBe(true);
    expect(hitl.review_url.startsWith(`${endpoints.review_page_base}/`)).toBe(true);
    await using unsigned = await testServer();
    const { body } = await unsigned.call("GET", "/.well-known/hitl.json");
    expect(body.hitl_protocol.capabilities.supports_signatures).toBe(false);
  });

  test("HP-178 the discovery document has the polling limits that the server applies", async () => {
    expect((await read()).body.hitl_protocol.rate_limits).toEqual({
      poll_recommended_interval_seconds: 30,
      max_requests_per_minute: 60,
    });
  });

  test("HP-179 the discovery document has the retention time of cases", async () => {
    expect((await read()).body.hitl_protocol.policies.data_retention_days).toBe(30);
  });
});
