import { describe, expect, test } from "vitest";
import { APPROVAL, openCase } from "../../testing/hitl-cases.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const at = (url: string) => url.replace(/^https?:\/\/[^/]+/, "");
const opened = (server: TestServer, body: object = {}, key = server.keys.app) =>
  openCase(server, { ...APPROVAL, ...body }, { key });

describe("a service that hands the 202 on to an agent without a key", () => {
  test("HP-037 finding 5: the poll_url of an app's case reads that case without a credential, to the end", async () => {
    await using server = await testServer();
    const { hitl, respond } = bound(await opened(server));
    const poll = () => server.call("GET", at(hitl.poll_url));
    expect(await poll()).toMatchObject({ status: 200, body: { status: "pending", case_id: hitl.case_id } });
    await respond({ action: "approve" });
    expect((await poll()).body).toMatchObject({ status: "completed", result: { action: "approve" } });
    const events = await server.call("GET", at(hitl.events_url));
    expect(events.body).toContain("event: review.completed");
  });

  test("HP-037 finding 5: a case made with an agent's key has addresses that only that key opens", async () => {
    await using server = await testServer();
    const { hitl } = await opened(server, {}, server.keys.agent);
    expect(hitl.poll_url).not.toContain("token=");
    expect(hitl.events_url).not.toContain("token=");
    expect((await server.call("GET", at(hitl.poll_url))).status).toBe(401);
  });

  test("finding 5: the token reads one case only, and answers, cancels or opens nothing", async () => {
    await using server = await testServer();
    const [one, other] = [await opened(server), await opened(server)];
    const { search } = new URL(one.hitl.poll_url);
    const token = search.slice("?token=".length);
    const call = (method: string, path: string, headers: Record<string, string> = {}, body: object = {}) =>
      server.call(method, path, { headers, ...(method === "GET" ? {} : { body }) });
    expect((await call("GET", `/reviews/${other.id}/status${search}`)).body.error).toBe("invalid_token");
    expect((await call("GET", `/reviews/${one.id}/status?token=wrong`)).body.error).toBe("invalid_token");
    expect((await call("GET", `/reviews/${one.id}/status?token=`)).status).toBe(401);
    const bearer = { authorization: `Bearer ${token}` };
    for (const what of ["respond", "submit", "cancel", "progress"]) {
      const byUrl = await call("POST", `/reviews/${one.id}/${what}${search}`, {}, { action: "approve" });
      const byHeader = await call("POST", `/reviews/${one.id}/${what}`, bearer, { action: "approve" });
      expect([401, 403]).toContain(byUrl.status);
      expect([400, 401, 403]).toContain(byHeader.status);
    }
    const page = await call("GET", `/review/${one.id}${search}`);
    expect(page.body).not.toContain("Publish version 2?");
    expect((await call("GET", `/v1/holds/${one.holdId}`, bearer)).status).toBe(401);
    expect((await one.poll()).body.status).toBe("pending");
  });

  test("finding 5: only a hash of the token is kept, and a repeated request gives another one that works too", async () => {
    await using server = await testServer();
    const again = () =>
      server.call("POST", "/hitl/v1/cases", {
        key: server.keys.app,
        body: APPROVAL,
        headers: { "idempotency-key": "order-1" },
      });
    const [first, second] = [await again(), await again()];
    const urls = [first, second].map(({ body }) => body.hitl.poll_url);
    expect(new Set(urls).size).toBe(2);
    const { body: links } = await server.call(
      "GET",
      `/v1/holds/${first.body.hitl.case_id.replace("review_", "hold_")}/links`,
      {
        key: server.keys.operator,
      },
    );
    expect(links.links.filter((link: { purpose: string }) => link.purpose === "read")).toHaveLength(2);
    for (const url of urls) {
      expect(JSON.stringify(links)).not.toContain(new URL(url).searchParams.get("token"));
      expect((await server.call("GET", at(url))).status).toBe(200);
    }
  });

  test("finding 5: a case whose links go to people through the server has a poll_url that reads too", async () => {
    await using server = await testServer({ platform: { agentLinks: "never" } });
    const { hitl } = await opened(server, { answerers: ["ada"] });
    expect(hitl.review_url).not.toContain("token=");
    expect((await server.call("GET", at(hitl.poll_url))).body.status).toBe("pending");
  });

  test("G9 finding 5: a revoked token reads nothing", async () => {
    await using server = await testServer();
    const { hitl, holdId } = await opened(server);
    const { body } = await server.call("GET", `/v1/holds/${holdId}/links`, { key: server.keys.operator });
    const { id } = body.links.find((link: { purpose: string }) => link.purpose === "read");
    const revoked = await server.call("DELETE", `/v1/holds/${holdId}/links/${id}`, {
      key: server.keys.operator,
    });
    expect(revoked.status).toBe(200);
    expect((await server.call("GET", at(hitl.poll_url))).body.error).toBe("invalid_token");
  });
});

/** A case whose methods can be taken off it. */
function bound(opened: Awaited<ReturnType<typeof openCase>>) {
  return { hitl: opened.hitl, respond: (body: object) => opened.respond(body) };
}
