import { describe, expect, it } from "vitest";
import { EVERY_FIELD } from "../../testing/every-field.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const PERSON = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };

async function placed(test: TestServer, ask: object = {}) {
  const body = { type: "approval", prompt: "Refund 40 EUR?", ...ask };
  const reply = await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
  expect(reply.status).toBe(201);
  const { pathname, search } = new URL(reply.body.review_url);
  return { hold: reply.body, at: pathname, query: search, url: pathname + search };
}

const look = (test: TestServer, url: string, headers: Record<string, string> = PERSON, method = "GET") =>
  test.server.app.request(url, { method, headers });

const send = (
  test: TestServer,
  url: string,
  form: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
) =>
  test.server.app.request(url, {
    method: "POST",
    headers: { ...PERSON, "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(form).toString(),
  });

const read = async (test: TestServer, id: string) =>
  (await test.call("GET", `/v1/holds/${id}`, { key: test.keys.agent })).body;

const GIVEN: [string, string][] = [
  ["name", "Ada"],
  ["why", "two\r\nlines"],
  ["amount", "40"],
  ["on", "2026-03-01"],
  ["mail", "ada@example.com"],
  ["site", "https://example.com/"],
  ["sure", "true"],
  ["size", "l"],
  ["days", "mo"],
  ["days", "tu"],
  ["level", "50"],
  ["pin", "4711"],
];

describe("answers on the plain review page", () => {
  const CASES: readonly (readonly [string, object, [string, string][], object])[] = [
    [
      "approval",
      {},
      [
        ["_action", "approve"],
        ["feedback", "fine"],
      ],
      { action: "approve", data: { feedback: "fine" } },
    ],
    ["approval", {}, [["_action", "reject"]], { action: "reject", data: {} }],
    [
      "selection",
      {
        options: [
          { id: "a", label: "A" },
          { id: "b", label: "B" },
        ],
      },
      [
        ["_action", "select"],
        ["selected", "b"],
      ],
      { action: "select", data: { selected: ["b"] } },
    ],
    [
      "confirmation",
      { context: { items: [{ id: "i1", label: "One" }] } },
      [
        ["_action", "confirm"],
        ["confirmed_items", "i1"],
      ],
      { action: "confirm" },
    ],
    ["confirmation", {}, [["_action", "cancel"]], { action: "cancel" }],
    [
      "escalation",
      { context: { params: { n: 1 } } },
      [
        ["_action", "retry"],
        ["reason", "again"],
        ["modified_params", '{"n":2}'],
      ],
      { action: "retry", data: { reason: "again", modified_params: { n: 2 } } },
    ],
    [
      "input",
      {},
      [
        ["_action", "submit"],
        ["value", "Bonn"],
      ],
      { action: "submit", data: { value: "Bonn" } },
    ],
    [
      "input",
      { form: { fields: EVERY_FIELD } },
      [["_action", "submit"], ...GIVEN],
      {
        action: "submit",
        data: {
          name: "Ada",
          why: "two\nlines",
          amount: 40,
          sure: true,
          days: ["mo", "tu"],
          level: 50,
          pin: "4711",
        },
      },
    ],
    [
      "input",
      {
        form: {
          steps: [
            { title: "One", fields: EVERY_FIELD.slice(0, 2) },
            { title: "Two", fields: EVERY_FIELD.slice(2, 3) },
          ],
        },
      },
      [
        ["_action", "submit"],
        ["name", "Ada"],
      ],
      { data: { name: "Ada" } },
    ],
    ["x-own", { actions: [{ id: "go" }, { id: "stop" }] }, [["_action", "go"]], { action: "go" }],
  ];

  it.each(CASES)("the plain review page posts %s %j", async (type, ask, form, outcome) => {
    await using test = await testServer();
    const { hold, at, query, url } = await placed(test, { type, ...ask });
    const page = await (await look(test, url)).text();
    for (const { id } of hold.actions) expect(page).toContain(`name="_action" value="${id}"`);
    for (const [name] of form) expect(page).toContain(`name="${name}"`);
    const reply = await send(test, `${at}/answer${query}`, [...form, ["_shown", hold.digest]]);
    expect(reply.status).toBe(303);
    expect(reply.headers.get("location")).toBe(`${url}&done`);
    const settled = await read(test, hold.id);
    expect(settled.outcome).toMatchObject({
      kind: "decided",
      door: "page",
      shown: hold.digest,
      by: { kind: "link" },
      ...outcome,
    });
    expect(await (await look(test, `${url}&done`)).text()).toContain("Your answer was recorded");
    expect(await (await look(test, url)).text()).toContain("Already answered");
  });

  it("the plain review page shows an error at its field and keeps the entered values, except sensitive ones", async () => {
    await using test = await testServer();
    const { hold, at, query } = await placed(test, { type: "input", form: { fields: EVERY_FIELD } });
    const form: [string, string][] = [
      ["_action", "submit"],
      ["why", "because"],
      ["amount", "400"],
      ["size", "l"],
      ["days", "tu"],
      ["sure", "true"],
      ["pin", "4711"],
    ];
    const reply = await send(test, `${at}/answer${query}`, form);
    expect(reply.status).toBe(422);
    const page = await reply.text();
    expect(page).toContain('id="name-problem"');
    expect(page).toContain('id="amount-problem"');
    expect(page).not.toContain('id="why-problem"');
    expect(page).toMatch(/<textarea id="why"[^>]*>because<\/textarea>/);
    expect(page).toMatch(/<input type="number" id="amount"[^>]*aria-invalid="true"[^>]*value="400"/);
    expect(page).toMatch(/<option value="l" selected>/);
    expect(page).toMatch(/<input type="checkbox" name="days" value="tu" checked>/);
    expect(page).toMatch(/<input type="checkbox" name="sure" value="true" checked/);
    expect(page).not.toContain("4711");
    expect((await read(test, hold.id)).status).toBe("open");
  });

  it("the plain review page shows the default of a field that is named like a member of every object", async () => {
    await using test = await testServer();
    const field = { key: "constructor", label: "Builder", type: "text", default: "Ada & Sons" };
    const { url } = await placed(test, { type: "input", form: { fields: [field] } });
    expect(await (await look(test, url)).text()).toMatch(/id="constructor"[^>]*value="Ada &amp; Sons"/);
  });

  it("the review page fetches prefilled values from this server only, so that its token goes nowhere else", async () => {
    await using test = await testServer();
    const here = "http://localhost:4100";
    const refs = {
      own: `${here}/hitl/v1/prefill/own#part`,
      slashes: `${here}//evil.example/x`,
      backslash: `${here}/\\evil.example/x`,
      dots: `${here}/.//evil.example/x`,
      tab: `${here}/\t/evil.example/x`,
      port: "http://localhost:41001/x",
      host: "http://localhost:4100@evil.example/x",
      query: `${here}/x?a=1`,
      relative: "//evil.example/x",
    };
    const fields = Object.entries(refs).map(([key, ref]) => ({
      ...{ key, label: key, type: "text", default_ref: ref },
    }));
    const { at, query } = await placed(test, { type: "input", form: { fields } });
    const reply = await look(test, at + query, { ...PERSON, accept: "application/json" });
    const { prefillPaths } = (await reply.json()) as { readonly prefillPaths: Record<string, string> };
    expect(Object.keys(prefillPaths)).toEqual(["own"]);
    expect(prefillPaths["own"]).toMatch(/^\/hitl\/v1\/prefill\/own\?token=[^#]+&case_id=/);
  });

  it("the plain review page reports that nothing was sent if no button or an unknown one was pressed", async () => {
    await using test = await testServer();
    const { hold, at, query } = await placed(test);
    const pressed = await send(test, `${at}/answer${query}`, {});
    expect(pressed.status).toBe(400);
    expect(await pressed.text()).toContain("answer with one of the buttons");
    expect((await send(test, `${at}/answer${query}`, { _action: "explode" })).status).toBe(422);
    expect(
      (await send(test, `${at}/answer${query}`, { _action: "approve", _shown: "sha256:old" })).status,
    ).toBe(409);
    expect((await read(test, hold.id)).status).toBe("open");
  });

  it("G11 the plain review page refuses values that cannot be stored, also inside JSON in a field", async () => {
    await using test = await testServer();
    const { hold, at, query } = await placed(test, { type: "escalation", context: { params: {} } });
    const answer = `${at}/answer${query}`;
    expect((await send(test, answer, { _action: "retry", reason: "a\u0000b" })).status).toBe(400);
    expect((await send(test, answer, { _action: "retry", modified_params: '{"a":"\\u0000"}' })).status).toBe(
      422,
    );
    expect(
      (await send(test, answer, { _action: "retry", modified_params: '{"__proto__":{"a":1}}' })).status,
    ).toBe(422);
    expect((await send(test, answer, { _action: "retry", reason: "x".repeat(1024 * 1024) })).status).toBe(
      413,
    );
    expect((await read(test, hold.id)).status).toBe("open");
  });

  it("dismissing on the plain review page cancels the hold and decides nothing (G5)", async () => {
    await using test = await testServer();
    const { hold, at, query, url } = await placed(test);
    const reply = await send(test, `${at}/dismiss${query}`, {});
    expect({ status: reply.status, to: reply.headers.get("location") }).toEqual({ status: 303, to: url });
    expect((await read(test, hold.id)).outcome).toMatchObject({
      kind: "cancelled",
      cancelled_by: { kind: "link" },
    });
    expect(await (await look(test, url)).text()).toContain("Cancelled");
  });
});

describe("what the plain review page reports", () => {
  it("the plain review page tells a person whose answer lost a race who answered first (G1)", async () => {
    await using test = await testServer();
    const { at, query } = await placed(test);
    await send(test, `${at}/answer${query}`, { _action: "approve" });
    const late = await send(test, `${at}/answer${query}`, { _action: "reject" });
    expect(late.status).toBe(409);
    expect(await late.text()).toContain("Somebody was faster");
    expect((await send(test, `${at}/dismiss${query}`, {})).status).toBe(409);
  });

  it("the plain review page tells a person who is too late what happens instead", async () => {
    await using test = await testServer();
    const { at, query, url } = await placed(test, { timeout: "10s", on_timeout: "reject" });
    expect(await (await look(test, url)).text()).toContain("automatically, nobody decided");
    await test.clock.advance(10_000);
    const late = await send(test, `${at}/answer${query}`, { _action: "approve" });
    expect(late.status).toBe(410);
    expect(await late.text()).toContain("too late");
    const page = await (await look(test, url)).text();
    expect(page).toContain("Expired");
    expect(page).toContain("by default");
    expect(page).not.toContain("<form");
  });

  it("the plain review page tells a person who may only look that they cannot answer", async () => {
    await using test = await testServer();
    const { hold } = await placed(test, { links: "agent", answerers: ["grace"] });
    const url = new URL(hold.review_url);
    const reply = await send(test, `${url.pathname}/answer${url.search}`, { _action: "approve" });
    expect(reply.status).toBe(403);
    expect(await reply.text()).toContain("You may look at this, but not answer it");
  });

  it("the plain review page refuses a wrong, foreign or revoked link", async () => {
    await using test = await testServer();
    const one = await placed(test);
    const other = await placed(test);
    const links = await test.call("GET", `/v1/holds/${one.hold.id}/links`, { key: test.keys.operator });
    for (const url of [
      one.at,
      `${one.at}?token=wrong`,
      `${one.at}${other.query}`,
      `/review/review_nothing${one.query}`,
      `/review/%00${one.query}`,
    ]) {
      const reply = await look(test, url);
      expect(reply.status).toBe(401);
      expect(await reply.text()).not.toContain("Refund");
    }
    await test.call("DELETE", `/v1/holds/${one.hold.id}/links/${links.body.links[0].id}`, {
      key: test.keys.operator,
    });
    expect((await look(test, one.url)).status).toBe(401);
    expect((await send(test, `${one.at}/answer${one.query}`, { _action: "approve" })).status).toBe(401);
  });

  it("the plain review page limits guesses, and never locks out a person with the right link", async () => {
    await using test = await testServer();
    const { at, url } = await placed(test);
    for (let i = 0; i < 30; i += 1) expect((await look(test, `${at}?token=wrong${i}`)).status).toBe(401);
    const blocked = await look(test, `${at}?token=wrong`);
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await look(test, url)).status).toBe(200);
    await test.clock.advance(60_000);
    expect((await look(test, `${at}?token=wrong`)).status).toBe(401);
  });
});

describe("G6 looking at a review page", () => {
  const opened = async (test: TestServer, id: string) => (await read(test, id)).opened_at !== undefined;

  it("a person who opens the page marks the hold as opened, and decides nothing", async () => {
    await using test = await testServer();
    const { hold, url } = await placed(test);
    await look(test, url);
    expect(await opened(test, hold.id)).toBe(true);
    expect((await read(test, hold.id)).status).toBe("open");
  });

  it.each([
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "TelegramBot (like TwitterBot)",
    "WhatsApp/2.23.20.0",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "facebookexternalhit/1.1",
    "LinkedInBot/1.0",
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
    "Mozilla/5.0 (compatible; bingbot/2.0)",
    "Googlebot/2.1",
    "Applebot/0.1",
    "curl/8.5.0",
    "python-requests/2.32",
    "",
  ])("a request by %s does not mark the hold as opened", async (agent) => {
    await using test = await testServer();
    const { hold, url } = await placed(test);
    expect((await look(test, url, { "user-agent": agent })).status).toBe(200);
    expect(await opened(test, hold.id)).toBe(false);
  });

  it.each([
    ["HEAD", {}],
    ["GET", { "sec-purpose": "prefetch;prerender" }],
    ["GET", { purpose: "prefetch" }],
    ["GET", { "x-purpose": "preview" }],
  ])("a prefetch with %s %j does not mark the hold as opened", async (method, more) => {
    await using test = await testServer();
    const { hold, url } = await placed(test);
    expect((await look(test, url, { ...PERSON, ...more }, method)).status).toBe(200);
    expect(await opened(test, hold.id)).toBe(false);
  });
});

describe("headers and escaping of every page", () => {
  it("every page has strict headers", async () => {
    await using test = await testServer();
    const { at, url } = await placed(test);
    for (const one of [url, `${at}?token=wrong`, "/signin?token=wrong", "/console"]) {
      const { headers } = await look(test, one);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(Object.fromEntries(headers)).toMatchObject({
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        "x-robots-tag": "noindex",
        "x-content-type-options": "nosniff",
      });
    }
  });

  const EVIL = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "{{7*7}}",
    "<b>&amp;</b>",
  ];

  it.each(EVIL)("every page shows %s as text, wherever it appears", async (evil) => {
    await using test = await testServer();
    const field = { key: "a", label: evil, type: "text", hint: evil, placeholder: evil, default: evil };
    const select = { key: "b", label: evil, type: "select", options: [{ value: evil, label: evil }] };
    const asks = [
      { type: "approval", prompt: evil, context: { [evil]: evil, list: [evil, { deep: evil }], link: evil } },
      { type: "selection", prompt: evil, options: [{ id: evil, label: evil, description: evil }] },
      {
        type: "input",
        prompt: evil,
        form: { steps: [{ title: evil, description: evil, fields: [field, select] }] },
      },
      {
        type: "input",
        prompt: evil,
        response_schema: { type: "object", title: evil, properties: { a: { const: evil } } },
      },
      { type: "confirmation", prompt: evil, context: { items: [{ id: evil, label: evil }] } },
      { type: "x-own", prompt: evil, actions: [{ id: "go", label: evil }] },
    ];
    for (const ask of asks) {
      const { hold, at, query, url } = await placed(test, { ...ask, timeout: "1h" });
      const refused = await send(test, `${at}/answer${query}`, {
        _action: "nonsense",
        feedback: evil,
        a: evil,
        note: evil,
      });
      for (const page of [await (await look(test, url)).text(), await refused.text()]) expectHarmless(page);
      await test.call("POST", `/v1/holds/${hold.id}/cancel`, {
        key: test.keys.agent,
        body: { reason: evil },
      });
      expectHarmless(await (await look(test, url)).text());
    }
  });
});

/** No tag and no attribute but our own: what somebody sent is between tags or inside quotes. */
function expectHarmless(page: string): void {
  expect(page).not.toContain("<script");
  expect(page).not.toContain("<img");
  expect(page).not.toContain("<b>&amp;");
  expect(page).not.toMatch(/(?:href|src|action)="javascript:/i);
}

describe("the buttons of the plain review page", () => {
  it("G15 say what they do first, whatever the agent labelled them, while the wire keeps its labels", async () => {
    await using test = await testServer();
    const actions = [
      { id: "approve", label: "Reject", style: "danger" },
      { id: "reject", label: "Approve", style: "primary" },
    ];
    const { hold, url } = await placed(test, { actions });
    expect(hold.actions).toEqual(actions);
    const page = await (await look(test, url)).text();
    expect(page).toContain('value="approve" class="primary">Approve: Reject</button>');
    expect(page).toContain('value="reject" class="danger">Reject: Approve</button>');
  });
});
