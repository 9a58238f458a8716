import { isJsonRender, surfaceToShow } from "@holdpoint/protocol/hitl";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { expect, test } from "vitest";
import { APPROVAL, INPUT, openCase, pathOf, type TestCase } from "../../testing/hitl-cases.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const known = { "json-render": isJsonRender };
const surfacesOf = async (server: TestServer, opened: TestCase) => server.call("GET", opened.at("surfaces"));

test("HP-210 HP-244 a client draws the surface of a case, and its submitReview answers the case", async () => {
  await using server = await testServer();
  const opened = await openCase(server, APPROVAL);
  const { body } = await surfacesOf(server, opened);
  const shown = surfaceToShow(body, opened.hitl.review_url, known);
  if (shown.kind !== "surface") throw new Error("the page is shown");
  expect(shown.surface.fallback_review_url).toBe(opened.hitl.review_url);
  const { elements } = shown.surface.payload as JsonObject as unknown as {
    elements: Record<string, { on?: { press: Press } }>;
  };
  const { action, params } = elements["action-reject"]?.on?.press ?? { action: "", params: { url: "/" } };
  expect(action).toBe("submitReview");
  const { url, ...answer } = params;
  const reply = await server.call("POST", pathOf(url), { body: answer });
  expect(reply.status).toBe(200);
  expect((await opened.poll()).body).toMatchObject({ status: "completed", result: { action: "reject" } });
  expect((await surfacesOf(server, opened)).status).toBe(409);
});

interface Press {
  readonly action: string;
  readonly params: { readonly url: string; readonly action?: string };
}

test("HP-244 a surface has no buttons where only the page may be answered, and no surface opens without the link", async () => {
  await using server = await testServer();
  for (const body of [INPUT, { ...APPROVAL, risk: "high" }]) {
    const opened = await openCase(server, body);
    const text = JSON.stringify((await surfacesOf(server, opened)).body);
    expect(text).not.toContain("submitReview");
    expect(text).toContain("Open the review page");
  }
  const opened = await openCase(server, APPROVAL);
  expect((await server.call("GET", opened.at("surfaces", "wrong"))).body.error).toBe("invalid_token");
});
