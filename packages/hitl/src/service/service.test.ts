import { RetryableError, TerminalError } from "@holdpoint/protocol/client";
import { HitlObject07, HitlObject08, HumanInputRequired, PollResponse08 } from "@holdpoint/protocol/hitl";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import type { MemoryHolds } from "../testing/memory-holds.ts";
import { ASK, BASE, decide, setUp, trigger } from "../testing/shop.ts";
import { caseKey, type ServiceAsk } from "./ask.ts";

const S_TOKEN = "s".repeat(43);
const R_TOKEN = "r".repeat(43);

describe("asking for a person", () => {
  test("HP-001 asking for a person replies 202 with JSON", async () => {
    const { response } = await setUp().ask();
    expect(response.status).toBe(202);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("HP-002 the 202 has the literal status and the hitl object", async () => {
    const { body } = await setUp().ask();
    expect(body["status"]).toBe("human_input_required");
    expect(HumanInputRequired.parse(body)).toEqual(body);
  });

  test("HP-008 the 202 has no member that the schema does not name", async () => {
    const { hitl } = await setUp().ask({
      timeout: "2h",
      remindAt: ["2026-03-01T10:30:00.000Z"],
      inline: true,
    });
    expect(HitlObject07.parse(hitl)).toEqual(hitl);
  });

  test("HP-003 the 202 has a message, which is the prompt by default", async () => {
    expect((await setUp().ask()).body["message"]).toBe("Send three letters?");
    expect((await setUp().ask({ message: "They are ready." })).body["message"]).toBe("They are ready.");
  });

  test("HP-004 the 202 has the author's own data unchanged", async () => {
    const data = { letters: [{ id: 1 }], note: null };
    expect((await setUp().ask({ data })).body["data"]).toEqual(data);
  });

  test("HP-006 the 202 has Retry-After", async () => {
    expect((await setUp().ask()).response.headers.get("retry-after")).toBe("30");
  });

  test("HP-009 the reply is in version 0.7, or in 0.8 if the header or the body asks for it", async () => {
    const { ask } = setUp();
    const old = await ask();
    expect(old.hitl["spec_version"]).toBe("0.7");
    expect(old.response.headers.get("hitl-version")).toBe("0.7");
    for (const request of [trigger({}, { "hitl-version": "0.8" }), trigger({ hitl_spec_version: "0.8" })]) {
      const fresh = await ask({ inline: true }, request);
      expect(HitlObject08.parse(fresh.hitl)).toEqual(fresh.hitl);
      expect(fresh.response.headers.get("hitl-version")).toBe("0.8");
      expect(fresh.hitl["submit_url"]).toMatch(/\/submit$/);
    }
  });

  test("the 202 says that the hold is a case, and offers nothing inline where the operator gives agents no links", async () => {
    const { ask, holds } = setUp();
    const place = holds.place.bind(holds);
    holds.place = async (given) => {
      const { reviewUrl: _withheld, ...hold } = await place(given);
      return { ...hold, links: "server" };
    };
    const { response, hitl } = await ask({ inline: true });
    expect(response.status).toBe(202);
    expect(holds.placed).toMatchObject([{ links: "agent", hitlCase: true }]);
    expect(hitl["review_url"]).toBe(`${BASE}/review/${hitl["case_id"]}`);
    expect(hitl).not.toHaveProperty("submit_token");
    expect(holds.links).toEqual([]);
  });

  test("HP-029 every address in the 202 is under the author's own domain, and the link has Holdpoint's token", async () => {
    const { hitl } = await setUp({ baseUrl: `${BASE}/hitl/` }).ask({ inline: true });
    const id = hitl["case_id"];
    expect(hitl).toMatchObject({
      review_url: `${BASE}/hitl/review/${id}?token=${R_TOKEN}`,
      poll_url: `${BASE}/hitl/reviews/${id}/status`,
      events_url: `${BASE}/hitl/reviews/${id}/events`,
      submit_url: `${BASE}/hitl/reviews/${id}/respond`,
      callback_url: null,
    });
    expect(JSON.stringify(hitl)).not.toContain("holdpoint.example");
  });

  test("HP-016 the case has the requested timeout, or a day by default", async () => {
    const lasts = async (more: Partial<ServiceAsk>) => {
      const { hitl } = await setUp().ask(more);
      return (
        (Date.parse(hitl["expires_at"] as string) - Date.parse(hitl["created_at"] as string)) / 3_600_000
      );
    };
    expect(await lasts({})).toBe(24);
    expect(await lasts({ timeout: "PT2H" })).toBe(2);
    expect(await lasts({ timeout: "7d" })).toBe(168);
    await expect(lasts({ timeout: "banana" })).rejects.toThrow("no duration");
  });

  test("HP-017 a case lasts at most seven days", async () => {
    await expect(setUp().ask({ timeout: "8d" })).rejects.toThrow("7 days at most");
    expect(() => setUp({ defaultTimeout: "P8D" })).toThrow("7 days at most");
  });

  test("HP-018 the 202 has an explicit default action", async () => {
    expect((await setUp().ask()).hitl["default_action"]).toBe("skip");
    expect((await setUp().ask({ defaultAction: "abort" })).hitl["default_action"]).toBe("abort");
  });

  test("HP-160 a callback address that is neither https nor local is refused", async () => {
    const { ask } = setUp();
    for (const url of ["http://agent.example/hook", "ftp://x", 7]) {
      const { response, body } = await ask({}, trigger({ hitl_callback_url: url }));
      expect(response.status).toBe(400);
      expect(body["error"]).toBe("invalid_request");
    }
    const { hitl } = await ask({}, trigger({ hitl_callback_url: "https://agent.example/hook" }));
    expect(hitl["callback_url"]).toBeNull();
  });

  test("HP-012 a service at an unsafe address does not start", () => {
    expect(() => setUp({ baseUrl: "http://shop.example" })).toThrow("https");
    expect(() => setUp({ baseUrl: "http://localhost:3000" })).not.toThrow();
    expect(() => setUp({}, { holdpoint: { url: "http://holdpoint.example" } })).toThrow("https");
  });

  test("a request without credentials is refused, and nothing is placed", async () => {
    const { ask, holds } = setUp();
    const request = new Request(`${BASE}/orders`, { method: "POST", body: "{}" });
    expect((await ask({}, request)).response.status).toBe(401);
    expect(holds.placed).toHaveLength(0);
  });

  test("HP-028 the same key of the same agent finds the same case; another agent's does not", async () => {
    const { ask } = setUp();
    const first = await ask({}, trigger({}, { "idempotency-key": "k1" }));
    const again = await ask({}, trigger({}, { "idempotency-key": "k1" }));
    const other = await ask({}, trigger({}, { "idempotency-key": "k1", "x-agent": "a2" }));
    expect(again.hitl["case_id"]).toBe(first.hitl["case_id"]);
    expect(other.hitl["case_id"]).not.toBe(first.hitl["case_id"]);
  });

  test.each([
    ["a", "b:c", "a:b", "c"],
    ["a", 'b","c', 'a","b', "c"],
    ["a%3Ab", "c", "a:b", "c"],
  ])(
    "HP-028 agent %j with the key %j and agent %j with the key %j have different cases",
    async (agent, key, otherAgent, otherKey) => {
      const { ask, holds } = setUp();
      const first = await ask({ inline: true }, trigger({}, { "idempotency-key": key, "x-agent": agent }));
      const other = await ask(
        { inline: true },
        trigger({}, { "idempotency-key": otherKey, "x-agent": otherAgent }),
      );
      expect(other.hitl["case_id"]).not.toBe(first.hitl["case_id"]);
      expect(holds.placed.map((place) => place.key)).toEqual([
        await caseKey(agent, key),
        await caseKey(otherAgent, otherKey),
      ]);
    },
  );

  test("HP-028 agent names and keys of any length make a key that Holdpoint accepts", async () => {
    const { ask, holds } = setUp();
    await ask({}, trigger({}, { "idempotency-key": "k".repeat(600), "x-agent": "a".repeat(500) }));
    expect(holds.placed[0]?.key?.length).toBeLessThanOrEqual(255);
  });

  test("HP-028 HP-192 a key whose case was erased is refused, and the reply has no addresses", async () => {
    const { ask, holds } = setUp();
    await ask({ key: "k1" });
    decide(holds);
    const place = holds.place.bind(holds);
    holds.place = async (asked) => ({ ...(await place(asked)), erasedAt: "2026-04-01T10:00:00.000Z" });
    const { response, body } = await ask({ key: "k1" });
    expect(response.status).toBe(400);
    expect(body).toMatchObject({ error: "invalid_request", message: expect.stringContaining("new key") });
    expect(body).not.toHaveProperty("hitl");
  });

  test("HP-028 a case that is already over is returned without a token", async () => {
    const { ask, holds } = setUp();
    await ask({ key: "k1" });
    decide(holds);
    const { hitl } = await ask({ key: "k1", inline: true });
    expect(hitl["review_url"]).toBe(`${BASE}/review/${hitl["case_id"]}`);
    expect(hitl).not.toHaveProperty("submit_token");
  });

  test.each([
    ["completed", "already_settled", (holds: MemoryHolds) => decide(holds)],
    ["cancelled", "already_settled", (holds: MemoryHolds) => holds.cancel(holds.latest().id)],
    [
      "expired",
      "hold_expired",
      (holds: MemoryHolds) =>
        holds.end(holds.latest().id, {
          kind: "expired",
          at: "2026-03-02T10:00:00.000Z",
          default: { action: "skip" },
        }),
    ],
  ] as const)(
    "HP-001 HP-028 a case that is %s while its 202 is made is returned without buttons",
    async (status, code, end) => {
      const { ask, get, holds } = setUp();
      holds.makeLink = async () => {
        await end(holds);
        throw new TerminalError({ code, status: 409, message: "over" });
      };
      const { response, hitl } = await ask({ inline: true });
      expect(response.status).toBe(202);
      expect(HitlObject07.parse(hitl)).toEqual(hitl);
      for (const member of ["submit_url", "submit_token", "inline_actions"])
        expect(hitl).not.toHaveProperty(member);
      const polled = await get(`/reviews/${hitl["case_id"]}/status`);
      expect(await polled.json()).toMatchObject({ status });
    },
  );

  test("HP-005 a case whose buttons cannot be made now is not returned, and a retry with its key finds it", async () => {
    const { ask, holds } = setUp();
    const makeLink = holds.makeLink.bind(holds);
    holds.makeLink = () => Promise.reject(new RetryableError({ message: "no route", retryAfterMs: 1_000 }));
    const { response } = await ask({ key: "k1", inline: true });
    expect(response.status).toBe(503);
    holds.makeLink = makeLink;
    expect((await ask({ key: "k1", inline: true })).hitl["submit_token"]).toBe(S_TOKEN);
  });

  test("a handler can still read the body after it asked for a person, or pass on the body that it has read", async () => {
    const { service } = setUp();
    const request = trigger({ order: 7, hitl_spec_version: "0.8" });
    const response = await service.requireHuman(request, ASK);
    expect(response.headers.get("hitl-version")).toBe("0.8");
    expect(await request.json()).toMatchObject({ order: 7 });
    const given = await service.requireHuman(request, { ...ASK, body: { hitl_spec_version: "0.8" } });
    expect(given.headers.get("hitl-version")).toBe("0.8");
    expect((await service.requireHuman(request, ASK)).headers.get("hitl-version")).toBe("0.7");
  });

  test("HP-005 a failure of Holdpoint or a refused key is not reported as a review", async () => {
    const { ask, holds } = setUp();
    const failing = (error: Error) => {
      holds.place = () => Promise.reject(error);
      return ask();
    };
    const down = await failing(new RetryableError({ message: "no route", retryAfterMs: 1_500 }));
    expect(down.response.status).toBe(503);
    expect(down.response.headers.get("retry-after")).toBe("2");
    const limited = await failing(new RetryableError({ message: "slow down", status: 429 }));
    expect(limited.body["error"]).toBe("rate_limited");
    const reused = await failing(new TerminalError({ code: "key_reused", status: 409, message: "other" }));
    expect(reused.response.status).toBe(400);
    const wrong = new TerminalError({ code: "invalid_ask", status: 422, message: "no prompt" });
    await expect(failing(wrong)).rejects.toBe(wrong);
  });

  test("an ask for something that was not declared throws at once", async () => {
    await expect(setUp({ types: ["approval"] }).ask()).rejects.toThrow("declared types");
    await expect(setUp({ inline: false }).ask({ inline: true })).rejects.toThrow("not declared");
    expect(() => setUp({ info: "x".repeat(201) })).toThrow("200 characters");
  });
});

describe("inline answers", () => {
  const inlineOf = async (more: Partial<ServiceAsk>) => (await setUp().ask(more)).hitl["inline_actions"];

  test("HP-127 inline answers are offered only where the author says so", async () => {
    const { hitl } = await setUp().ask();
    for (const member of ["submit_url", "submit_token", "inline_actions"])
      expect(hitl).not.toHaveProperty(member);
    expect(await inlineOf({ inline: true })).toEqual(["confirm", "cancel"]);
    expect(await inlineOf({ type: "escalation", inline: true })).toEqual(["retry", "skip", "abort"]);
    expect(await inlineOf({ type: "escalation", inline: ["skip", "abort"] })).toEqual(["skip", "abort"]);
    expect(await inlineOf({ type: "input", inline: true })).toBeUndefined();
    expect(await inlineOf({ type: "selection", inline: true, options: [] })).toBeUndefined();
  });

  test("HP-128 inline answers to an approval leave out requesting changes", async () => {
    expect(await inlineOf({ type: "approval", inline: true })).toEqual(["approve", "reject"]);
    await expect(inlineOf({ type: "approval", inline: ["edit"] })).rejects.toThrow(
      "cannot be answered inline",
    );
  });

  test("HP-129 inline answers are never offered for a case with high risk", async () => {
    expect(await inlineOf({ inline: true, risk: "high" })).toBeUndefined();
  });

  test("HP-033 inline answers have a token of their own, made by Holdpoint for these actions only", async () => {
    const { ask, holds } = setUp();
    const { hitl } = await ask({ inline: ["confirm"] });
    expect(hitl["submit_token"]).toBe(S_TOKEN);
    expect(hitl["review_url"]).not.toContain(S_TOKEN);
    expect(holds.links).toEqual([{ purpose: "submit", actions: ["confirm"] }]);
  });
});

describe("chains", () => {
  test("HP-169 a case that follows another names it, and the other one's poll names the new case", async () => {
    const { ask, get, holds } = setUp();
    const first = await ask({ type: "approval" });
    decide(holds, "edit");
    const id = first.hitl["case_id"] as string;
    const second = await ask({ type: "approval" }, trigger({ previous_case_id: id }));
    expect(second.hitl["previous_case_id"]).toBe(id);
    const poll = await (await get(`/reviews/${id}/status`)).json();
    expect(poll).toMatchObject({ result: { action: "edit" }, next_case_id: second.hitl["case_id"] });
  });

  test("HP-172 a request that continues an unknown case, another agent's case or an invalid id is refused", async () => {
    const { ask } = setUp();
    const foreign = await ask({}, trigger({}, { "x-agent": "a2" }));
    for (const id of ["review_none", foreign.hitl["case_id"] as string, "a b", 7]) {
      const { response } = await ask({}, trigger({ previous_case_id: id }));
      expect(response.status).toBe(400);
    }
  });
});

describe("polling", () => {
  test("HP-087 a poll returns the state of the case, in a body that fits the schema", async () => {
    const { ask, get, holds } = setUp();
    const { hitl } = await ask();
    const path = `/reviews/${hitl["case_id"]}/status`;
    const read = async () => (await (await get(path)).json()) as JsonObject;
    expect(await read()).toMatchObject({ status: "pending" });
    holds.open(holds.latest().id);
    expect(await read()).toMatchObject({ status: "opened" });
    holds.progress(holds.latest().id);
    expect(await read()).toMatchObject({ status: "in_progress" });
    decide(holds);
    const body = await read();
    expect(body).toMatchObject({ status: "completed", result: { action: "confirm", data: {} } });
    expect(PollResponse08.parse(body)).toEqual(body);
  });

  test("HP-100 only the agent that asked can poll, and others get not_found", async () => {
    const { ask, get } = setUp();
    const { hitl } = await ask();
    const path = `/reviews/${hitl["case_id"]}/status`;
    expect((await get(path, { "x-agent": "a2" })).status).toBe(404);
    const nobody = await get(path, { "x-agent": "" });
    expect(nobody.status).toBe(404);
    expect((await get("/reviews/review_none/status")).status).toBe(404);
  });

  test("HP-037 neither the review token nor the submit token allows polling", async () => {
    const { service, ask } = setUp();
    const { hitl } = await ask({ inline: true });
    const url = `${BASE}/reviews/${hitl["case_id"]}/status?token=${R_TOKEN}`;
    const response = await service.handle(
      new Request(url, { headers: { authorization: `Bearer ${S_TOKEN}` } }),
    );
    expect(response?.status).toBe(401);
    expect(await response?.json()).toMatchObject({ error: "unauthorized" });
  });

  test("HP-101 a poll has an ETag that changes with the case", async () => {
    const { ask, get, holds } = setUp();
    const path = `/reviews/${(await ask()).hitl["case_id"]}/status`;
    const tags = [(await get(path)).headers.get("etag")];
    for (const move of ["open", "progress", "remind"] as const) {
      holds[move](holds.latest().id);
      tags.push((await get(path)).headers.get("etag"));
    }
    expect(new Set(tags).size).toBe(4);
    expect((await get(path)).headers.get("etag")).toBe(tags[3]);
  });

  test("HP-102 a poll with the current ETag gets an empty 304", async () => {
    const { ask, get } = setUp();
    const path = `/reviews/${(await ask()).hitl["case_id"]}/status`;
    const tag = (await get(path)).headers.get("etag")!;
    for (const header of [tag, `"x", ${tag}`, `W/${tag}`, "*"]) {
      const response = await get(path, { "if-none-match": header });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe("");
      expect(response.headers.get("etag")).toBe(tag);
    }
    expect((await get(path, { "if-none-match": '"x"' })).status).toBe(200);
  });

  test("HP-103 a poll has Retry-After while the case is open, and none after its end", async () => {
    const { ask, get, holds } = setUp();
    const path = `/reviews/${(await ask()).hitl["case_id"]}/status`;
    expect((await get(path)).headers.get("retry-after")).toBe("30");
    decide(holds);
    expect((await get(path)).headers.get("retry-after")).toBeNull();
  });

  test("aliases of the polling address behave the same", async () => {
    const { ask, get } = setUp();
    const id = (await ask()).hitl["case_id"];
    for (const prefix of ["", "/v1", "/api"])
      expect((await get(`${prefix}/reviews/${id}/status`)).status).toBe(200);
  });

  test("other methods on the polling address are refused with the allowed ones", async () => {
    const { get } = setUp();
    const response = await get("/reviews/review_a/status", {}, "DELETE");
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD");
    expect((await get("/.well-known/hitl.json", {}, "POST")).status).toBe(405);
  });
});

test("HP-104 HP-105 a case can be polled 60 times a minute, as discovery says", async () => {
  const clock = manualClock();
  const { ask, get, service } = setUp({}, { timer: clock });
  const one = String((await ask()).hitl["case_id"]);
  const other = String((await ask()).hitl["case_id"]);
  const poll = (caseId: string, headers = {}) => get(`/reviews/${caseId}/status`, headers);
  const first = await poll(one);
  expect(first.headers.get("x-ratelimit-limit")).toBe("60");
  expect(first.headers.get("x-ratelimit-remaining")).toBe("59");
  const etag = first.headers.get("etag") ?? "";
  for (let n = 1; n < 60; n += 1) expect((await poll(one, { "if-none-match": etag })).status).toBe(304);
  expect((await poll(one, { "x-agent": "a2" })).status).toBe(404);
  const refused = await poll(one);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(await refused.json()).toMatchObject({ error: "rate_limited" });
  expect((await poll(other)).status).toBe(200);
  await clock.advance(60_000);
  expect((await poll(one)).status).toBe(200);
  expect(service.discovery()["hitl_protocol"]).toMatchObject({
    rate_limits: { max_requests_per_minute: 60 },
  });
});

test("HP-172 a request that continues a case must give exactly its id", async () => {
  const { ask } = setUp();
  const { hitl } = await ask();
  const odd = String(hitl["case_id"]).replace("review_", "abcdefg");
  expect((await ask({}, trigger({ previous_case_id: odd }))).response.status).toBe(400);
  expect((await ask({}, trigger({ previous_case_id: hitl["case_id"]! }))).response.status).toBe(202);
});

test("HP-005 a request to an address outside the protocol is left to the author's app", async () => {
  const { service } = setUp({ baseUrl: `${BASE}/hitl` });
  for (const path of [
    "/orders",
    "/",
    "/reviews/a/status",
    "/hitl",
    "/hitl/reviews",
    "/hitl/review/../x",
    "/hitlx/SKILL.md",
  ])
    expect(await service.handle(new Request(`${BASE}${path}`))).toBeUndefined();
});
