import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { Hono } from "hono";
import { afterEach, describe, expect, test } from "vitest";
import { framesOf } from "../agent/event-stream.ts";
import { detectReview } from "../agent/review.ts";
import { HOLDPOINT_URL, MemoryHolds } from "../testing/memory-holds.ts";
import { expressHitl, sendResponse, toRequest } from "./express.ts";
import { honoHitl } from "./hono.ts";
import { nextHitl } from "./next.ts";
import { hitlService } from "./service.ts";

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

function setUp(baseUrl: string) {
  const holds = new MemoryHolds();
  const seen: Request[] = [];
  const service = hitlService(
    { baseUrl, name: "Shop", description: "Sells things." },
    {
      holds,
      holdpoint: {
        url: HOLDPOINT_URL,
        fetch: async (request) => {
          seen.push(request);
          return Response.json({ status: "completed" });
        },
      },
      identify: (request) => request.headers.get("x-agent") ?? undefined,
    },
  );
  return { holds, seen, service };
}

const ASK = { type: "confirmation", prompt: "Send three letters?" } as const;
const AGENT = { "x-agent": "a1", "content-type": "application/json" };
const DECIDED = {
  kind: "decided",
  action: "confirm",
  data: {},
  by: { kind: "link", id: "l" },
  door: "page",
  at: "2026-03-01T10:05:00.000Z",
} as const;

describe("Hono", () => {
  test("Hono serves the protocol's addresses and leaves the others to the app", async () => {
    const { service } = setUp("https://shop.example");
    const app = new Hono();
    app.use(honoHitl(service));
    app.post("/orders", (c) => service.requireHuman(c.req.raw, ASK));
    app.get("/other", (c) => c.text("mine"));
    const asked = await app.request("https://shop.example/orders", {
      method: "POST",
      headers: AGENT,
      body: "{}",
    });
    const detected = await detectReview(asked);
    const pollUrl = detected.kind === "review" ? detected.review.pollUrl : "";
    expect(await (await app.request(pollUrl, { headers: AGENT })).json()).toMatchObject({
      status: "pending",
    });
    expect(await (await app.request("https://shop.example/other")).text()).toBe("mine");
    expect((await app.request("https://shop.example/none")).status).toBe(404);
  });
});

describe("Next.js", () => {
  test("Next.js serves the protocol from one catch-all route", async () => {
    const { service } = setUp("https://shop.example");
    const { GET, POST, PUT, HEAD } = nextHitl(service);
    expect((await GET(new Request("https://shop.example/.well-known/hitl.json"))).status).toBe(200);
    expect((await HEAD(new Request("https://shop.example/none", { method: "HEAD" }))).status).toBe(404);
    const respond = new Request("https://shop.example/reviews/review_a/respond?token=t", {
      method: "POST",
      body: "{}",
    });
    expect((await POST(respond)).status).toBe(200);
    const session = new Request("https://shop.example/reviews/review_a/session?token=t", {
      method: "PUT",
      body: "{}",
    });
    expect((await PUT(session)).status).toBe(200);
  });
});

describe("Express", () => {
  async function listening(withParser: boolean, before?: express.RequestHandler) {
    const app = express();
    if (before !== undefined) app.use(before);
    if (withParser) app.use(express.json(), express.urlencoded({ extended: false }));
    const server = createServer(app);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const parts = setUp(base);
    app.use(expressHitl(parts.service));
    app.post("/orders", async (req, res) => {
      await sendResponse(await parts.service.requireHuman(toRequest(req, base), ASK), res);
    });
    app.get("/other", (_req, res) => {
      res.send("mine");
    });
    return { base, ...parts };
  }

  test.each([false, true])(
    "Express serves the protocol over a socket (body parser first: %s)",
    async (withParser) => {
      const { base, seen } = await listening(withParser);
      const asked = await fetch(`${base}/orders`, {
        method: "POST",
        headers: AGENT,
        body: JSON.stringify({ hitl_spec_version: "0.8" }),
      });
      expect(asked.headers.get("hitl-version")).toBe("0.8");
      const detected = await detectReview(asked);
      const review = detected.kind === "review" ? detected.review : undefined;
      expect(await (await fetch(review!.pollUrl, { headers: AGENT })).json()).toMatchObject({
        status: "pending",
      });
      expect(await (await fetch(`${base}/other`)).text()).toBe("mine");
      const respond = `${base}/reviews/${review!.caseId}/respond?token=t`;
      await fetch(respond, { method: "POST", headers: AGENT, body: '{"action":"confirm"}' });
      expect(await seen[0]?.json()).toEqual({ action: "confirm" });
      await fetch(respond, { method: "POST", body: new URLSearchParams({ action: "confirm" }) });
      expect(await seen[1]?.text()).toBe("action=confirm");
      const page = await fetch(review!.reviewUrl, { redirect: "manual" });
      expect(page.status).toBe(302);
    },
  );

  test("Express forwards the whole body although a parser left an empty object for it", async () => {
    const { base, seen } = await listening(false, (req, _res, next) => {
      req.body = {};
      next();
    });
    const respond = `${base}/reviews/review_a/respond?token=t`;
    await fetch(respond, { method: "POST", body: new URLSearchParams({ action: "confirm" }) });
    expect(await seen[0]?.text()).toBe("action=confirm");
    await fetch(respond, { method: "POST", headers: AGENT, body: '{"action":"confirm"}' });
    expect(await seen[1]?.json()).toEqual({ action: "confirm" });
  });

  test("Express forwards an empty object that the client sent", async () => {
    const { base, seen } = await listening(true);
    await fetch(`${base}/reviews/review_a/respond?token=t`, { method: "POST", headers: AGENT, body: "{}" });
    expect(await seen[0]?.json()).toEqual({});
  });

  test("Express streams events until the case has ended", async () => {
    const { base, holds } = await listening(false);
    const asked = await fetch(`${base}/orders`, { method: "POST", headers: AGENT, body: "{}" });
    const detected = await detectReview(asked);
    const stream = await fetch(detected.kind === "review" ? detected.review.eventsUrl! : "", {
      headers: AGENT,
    });
    holds.open(holds.latest().id);
    const events: string[] = [];
    for await (const frame of framesOf(stream.body!, () => undefined)) {
      events.push(frame.event);
      if (frame.event === "review.opened") holds.end(holds.latest().id, DECIDED);
    }
    expect(events).toEqual(["review.opened", "review.completed"]);
  });

  test("a client of Express that disconnects ends the stream behind it", async () => {
    const { base, holds } = await listening(false);
    const asked = await fetch(`${base}/orders`, { method: "POST", headers: AGENT, body: "{}" });
    const detected = await detectReview(asked);
    const stop = new AbortController();
    const url = detected.kind === "review" ? detected.review.eventsUrl! : "";
    const stream = await fetch(url, { headers: AGENT, signal: stop.signal });
    holds.open(holds.latest().id);
    await stream.body?.getReader().read();
    expect(holds.following).toBe(1);
    stop.abort();
    while (holds.following > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(holds.following).toBe(0);
  });
});
