import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { HOLDPOINT_URL, MemoryHolds } from "../testing/memory-holds.ts";
import { type HitlServiceOptions, hitlService } from "./service.ts";

const BASE = "https://shop.example";

function setUp(reply: Response, options: Partial<HitlServiceOptions> = {}, baseUrl = BASE) {
  const seen: Request[] = [];
  const service = hitlService(
    { baseUrl, name: "Shop", description: "Sells things." },
    {
      holds: new MemoryHolds(),
      holdpoint: {
        url: HOLDPOINT_URL,
        fetch: async (request) => {
          seen.push(request);
          return reply.clone();
        },
      },
      identify: () => undefined,
      ...options,
    },
  );
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await service.handle(new Request(`${BASE}${path}`, init));
    if (response === undefined) throw new Error("not ours");
    return response;
  };
  return { seen, send };
}

const done: JsonObject = { status: "completed", case_id: "review_a", completed_at: "2026-03-01T10:05:00Z" };
const post = (body: JsonObject, headers: HeadersInit = {}): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers },
});

describe("answers with a token", () => {
  test("HP-117 a page's answer reaches Holdpoint with its token, and its reply comes back", async () => {
    const { seen, send } = setUp(Response.json(done));
    const response = await send("/reviews/review_a/respond?token=tok", post({ action: "approve", data: {} }));
    expect(await response.json()).toEqual(done);
    expect(seen[0]?.url).toBe(`${HOLDPOINT_URL}/reviews/review_a/respond?token=tok`);
    expect(await seen[0]?.json()).toEqual({ action: "approve", data: {} });
  });

  test("HP-130 an inline answer keeps its bearer token, and nothing else of the caller goes along", async () => {
    const { seen, send } = setUp(Response.json(done));
    const headers = {
      authorization: "Bearer submit",
      cookie: "session=1",
      "x-api-key": "own",
      "x-agent": "a1",
    };
    await send("/reviews/review_a/submit", post({ action: "confirm" }, headers));
    expect(seen[0]?.headers.get("authorization")).toBe("Bearer submit");
    expect(seen[0]?.headers.get("cookie")).toBeNull();
    expect(seen[0]?.headers.get("x-api-key")).toBeNull();
    expect(seen[0]?.redirect).toBe("manual");
  });

  test.each([
    ["/reviews/review_a/respond", "POST"],
    ["/review/review_a/respond", "POST"],
    ["/v1/reviews/review_a/respond", "POST"],
    ["/api/reviews/review_a/submit", "POST"],
    ["/reviews/review_a/cancel?token=t", "POST"],
    ["/reviews/review_a/progress?token=t", "POST"],
    ["/reviews/review_a/session?token=t", "PUT"],
    ["/reviews/review_a/session?token=t", "GET"],
  ])("a request to %s by %s is forwarded to Holdpoint", async (path, method) => {
    const { seen, send } = setUp(Response.json(done));
    await send(path, { method, ...(method === "GET" ? {} : { body: "{}" }) });
    expect(seen[0]?.method).toBe(method);
    expect(new URL(seen[0]!.url).pathname).toMatch(/^\/reviews\/review_a\/\w+$/);
  });

  test.each([401, 409, 410, 422, 429])("a refusal with %s is returned unchanged", async (status) => {
    const reply = Response.json({ error: "x", message: "y" }, { status, headers: { "retry-after": "7" } });
    const { send } = setUp(reply);
    const response = await send("/reviews/review_a/submit", post({ action: "confirm" }));
    expect(response.status).toBe(status);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await response.json()).toEqual({ error: "x", message: "y" });
  });

  test("HP-135 the review link in a 403 points to the author's service", async () => {
    const refusal = {
      error: "action_not_inline",
      message: "No.",
      case_id: "review_a",
      review_url: `${HOLDPOINT_URL}/review/review_a`,
    };
    const { send } = setUp(Response.json(refusal, { status: 403 }), {}, `${BASE}/hitl`);
    const response = await send("/hitl/reviews/review_a/submit", post({ action: "retry" }));
    expect(await response.json()).toEqual({ ...refusal, review_url: `${BASE}/hitl/review/review_a` });
  });

  test("HP-124 a form without script redirects the browser back to the author's service", async () => {
    for (const location of ["/review/review_a?token=t", `${HOLDPOINT_URL}/review/review_a?token=t`]) {
      const { send } = setUp(new Response(null, { status: 303, headers: { location, "set-cookie": "x=1" } }));
      const response = await send("/reviews/review_a/respond?token=t", {
        method: "POST",
        body: "action=approve",
      });
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toBe(`${BASE}/review/review_a?token=t`);
      expect(response.headers.get("set-cookie")).toBeNull();
    }
  });

  test("HP-124 a browser's form is redirected to Holdpoint's page, unless the service shows that page itself", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded", accept: "text/html,*/*" };
    const form = { method: "POST", body: "action=approve", headers };
    const elsewhere = setUp(new Response("page"));
    const sent = await elsewhere.send("/reviews/review_a/respond?token=t", form);
    expect(sent.status).toBe(307);
    expect(sent.headers.get("location")).toBe(`${HOLDPOINT_URL}/reviews/review_a/respond?token=t`);
    expect(elsewhere.seen).toHaveLength(0);
    const page = new Response("<p>You may not</p>", {
      status: 403,
      headers: { "content-type": "text/html" },
    });
    const here = setUp(page, { reviewPage: "proxy" });
    const shown = await here.send("/reviews/review_a/respond?token=t", form);
    expect(shown.status).toBe(403);
    expect(await shown.text()).toBe("<p>You may not</p>");
  });

  test("HP-125 a body of two megabytes is refused and not forwarded", async () => {
    const { seen, send } = setUp(Response.json(done));
    const response = await send("/reviews/review_a/respond?token=t", {
      method: "POST",
      body: "x".repeat(2_000_000),
    });
    expect(response.status).toBe(413);
    expect(seen).toHaveLength(0);
  });
});

describe("the review page of a service", () => {
  test("HP-029 the review page is a redirect to Holdpoint, which sends no referrer and is not cached or indexed", async () => {
    const { send, seen } = setUp(Response.json({}));
    const response = await send("/review/review_a?token=tok");
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(`${HOLDPOINT_URL}/review/review_a?token=tok`);
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-robots-tag")).toBe("noindex");
    expect(seen).toHaveLength(0);
    expect((await send("/review/review_a/answer?token=t", { method: "POST" })).status).toBe(405);
  });

  test("HP-042 the review page in proxy mode has all of Holdpoint's security headers", async () => {
    const headers = {
      "content-type": "text/html",
      "content-security-policy": "default-src 'self'",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    };
    const { send, seen } = setUp(new Response("<p>page</p>", { headers }), { reviewPage: "proxy" });
    const response = await send("/review/review_a?token=tok", { headers: { "user-agent": "Slackbot" } });
    expect(await response.text()).toBe("<p>page</p>");
    for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name)).toBe(value);
    expect(seen[0]?.url).toBe(`${HOLDPOINT_URL}/review/review_a?token=tok`);
    expect(seen[0]?.headers.get("user-agent")).toBe("Slackbot");
    await send("/review/review_a/answer?token=t", { method: "POST", body: "action=approve" });
    expect(seen[1]?.url).toBe(`${HOLDPOINT_URL}/review/review_a/answer?token=t`);
  });

  test("a service below a path of its domain cannot show the page in proxy mode, and fails at once", () => {
    expect(() => setUp(Response.json({}), { reviewPage: "proxy" }, `${BASE}/hitl`)).toThrow("root");
  });
});
