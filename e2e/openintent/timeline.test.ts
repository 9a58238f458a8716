/**
 * The protocol's own example, row by row: a compliance review that needs a signature, a report that waits for it, an e-mail an
 * hour later, an answer after another half hour. Over HTTP, with a real mail server; only the hours are the test's.
 */

import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { OpenIntentAgent } from "@holdpoint/openintent";
import { createAdaptorServer } from "@hono/node-server";
import { expect, test } from "vitest";
import type { Channel } from "../../packages/server/src/channels/channel.ts";
import { channelsFrom, outgoingFrom, platformFrom } from "../../packages/server/src/configured.ts";
import { MailServer } from "../../packages/server/src/testing/mail-server.ts";
import { ManualClock } from "../../packages/server/src/testing/manual-clock.ts";
import { type TestServer, testServer } from "../../packages/server/src/testing/test-server.ts";

const HOUR = 3_600_000;
const LEAD = "lead@example.com";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries and asserts on it.
type Wire = any;

interface World extends AsyncDisposable {
  readonly test: TestServer;
  readonly mail: MailServer;
  readonly url: string;
  call(method: string, path: string, body?: object, how?: { key?: string; ifMatch?: number }): Promise<Wire>;
}

async function world(): Promise<World> {
  const mail = await MailServer.start();
  let idle: () => Promise<void> = () => Promise.resolve();
  const clock = new ManualClock({ settle: () => idle() });
  const outgoing = outgoingFrom("", true, clock);
  const config = {
    channels: {
      email: { kind: "email" as const, url: mail.url, from: "Holdpoint <holdpoint@example.com>", to: [LEAD] },
    },
    ...{ people: {}, notifyAllow: [], defaultChannel: undefined, defaultRetryPolicy: null },
  };
  // Slack takes the first attempt: an attempt that reaches nobody would bring the next one forward.
  const slack: Channel = { kind: "webhook", deliver: async () => ({ kind: "sent" }) };
  const channels = { ...channelsFrom(config, { env: {}, outgoing, clock }), slack };
  // The port before the server: it is part of the links that the server makes.
  let fetchFrom: (request: Request) => Response | Promise<Response> = () =>
    new Response(null, { status: 503 });
  const http = createAdaptorServer({ fetch: (request) => fetchFrom(request) }) as HttpServer;
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const platform = platformFrom({ ...config, agentLinks: "always" });
  const test = await testServer({ clock, outgoing, channels, platform, publicUrl: url });
  fetchFrom = test.server.app.fetch;
  idle = () => test.server.sender.idle();
  return {
    test,
    mail,
    url,
    async call(method, path, body, { key = test.keys.agent, ifMatch } = {}) {
      const reply = await fetch(`${url}/api/v1/${path}`, {
        method,
        headers: {
          "x-api-key": key,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(ifMatch === undefined ? {} : { "if-match": String(ifMatch) }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const said = (await reply.json()) as Wire;
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(said)}`);
      return said;
    },
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
      await mail[Symbol.asyncDispose]();
    },
  };
}

/** Three phases, of which the first is done; one portfolio, and a task for each phase that is still to come. */
async function workflow({ call }: World) {
  const portfolio = await call("POST", "portfolios", { name: "Q1 compliance" });
  const phase = async (name: string, more: object) => {
    const made = await call("POST", "intents", {
      title: name,
      status: "active",
      ...more,
      state: { _phase_name: name, ...("state" in more ? (more.state as object) : {}) },
    });
    await call("POST", `portfolios/${portfolio.id}/intents`, { intent_id: made.id });
    return made.id as string;
  };
  const fetched = await phase("fetch_data", { state: { rows: 42 } });
  await call("POST", `intents/${fetched}/status`, { status: "completed" }, { ifMatch: 1 });
  const review = await phase("compliance_review", { depends_on: [fetched] });
  const report = await phase("generate_report", {
    depends_on: [review],
    state: { _io_inputs: { verdict: "compliance_review.verdict" } },
  });
  const reviewing = await call("POST", "tasks", { intent_id: review, name: "review" });
  await call("PATCH", `tasks/${reviewing.id}`, { status: "running" }, { ifMatch: reviewing.version });
  const reporting = await call("POST", "tasks", { intent_id: report, name: "report" });
  return {
    portfolio: portfolio.id as string,
    review,
    report,
    reviewing: reviewing.id,
    reporting: reporting.id,
  };
}

/** What members of the portfolio and the portfolio itself were told, in the order it happened. */
async function timeline({ test }: World, names: Readonly<Record<string, string>>) {
  const events = await test.store.events({ workspace: "default", after: 0, limit: 1000 });
  return events
    .filter(({ stream }) => stream.startsWith("intent:"))
    .map(({ stream, type, data, at }) => {
      const payload = JSON.parse(data).payload ?? {};
      const what = type === "status_changed" ? `${type} ${payload.to}` : type;
      return { seconds: (at - Date.UTC(2026, 0, 1)) / 1000, who: names[stream.slice(7)] ?? "?", what };
    });
}

test("OI-197 the timeline of RFC-0026 §9 happens in order, and the e-mail of attempt 2 opens the page", async () => {
  await using it = await world();
  const { call, test: server, mail } = it;
  const { portfolio, review, report, reviewing, reporting } = await workflow(it);
  const heard: unknown[] = [];
  const runtime = {
    now: () => server.clock.now(),
    after: (ms: number, wake: () => void) => server.clock.at(server.clock.now() + ms, wake),
  };
  const agent = new OpenIntentAgent({
    ...{ url: it.url, apiKey: server.keys.agent, agentId: "refunder", runtime, pollMs: 60_000 },
    hooks: {
      onInputRequested: (_intent, { context, channel_hint }) =>
        void heard.push([context["_attempt"], channel_hint]),
    },
  });

  // T+0: the agent asks.
  const asking = agent.requestInput(review, {
    suspensionId: "sign-off",
    question: "Sign off the compliance review?",
    responseType: "confirm",
    channelHint: "slack",
    retryPolicy: {
      max_attempts: 3,
      interval_seconds: 3600,
      escalation_ladder: [{ attempt: 2, channel_hint: "email" }],
    },
  });
  while (heard.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(await call("GET", `intents/${review}`)).toMatchObject({ status: "suspended_awaiting_input" });
  expect(await call("GET", `tasks/${reviewing}`)).toMatchObject({
    status: "blocked",
    blocked_reason: "intent_suspended",
  });
  expect(await call("GET", `intents/${report}`)).toMatchObject({ status: "blocked" });
  expect(await call("GET", `portfolios/${portfolio}`)).toMatchObject({
    has_suspended_members: true,
    suspended_member_count: 1,
  });
  await expect(call("POST", `tasks/${reporting}/claim`, {})).rejects.toThrow("UpstreamIntentSuspendedError");

  // T+3600: nobody answered; the lead gets an e-mail with a link of their own.
  await server.clock.advance(HOUR);
  await mail.received(1);
  expect(mail.mails).toHaveLength(1);
  expect(mail.mails[0]?.to).toEqual([LEAD]);
  expect(mail.mails[0]?.headers["subject"]).toBe("Reminder 2: Sign off the compliance review?");
  const link = /http:\/\/\S+/.exec(mail.mails[0]?.text ?? "")?.[0] ?? "";
  for (const method of ["HEAD", "GET", "GET"]) {
    const page = await fetch(link, { method });
    expect(page.status).toBe(200);
    if (method === "GET") expect(await page.text()).toContain("Sign off the compliance review?");
  }
  expect(await call("GET", `intents/${review}`), "looking decides nothing").toMatchObject({
    status: "suspended_awaiting_input",
  });

  // T+5400: the operator answers, and all that waited goes on.
  await server.clock.advance(HOUR / 2);
  const response = { suspension_id: "sign-off", value: "yes", responded_by: "lead@example.com" };
  await call("POST", `intents/${review}/suspend/respond`, response, { key: server.keys.operator });
  // The agent hears of it at once, or looks again within a minute.
  await server.clock.advance(60_000);
  expect(await asking).toBe("yes");
  const { version } = await call("GET", `intents/${review}`);
  const patches = [{ op: "set", path: "/verdict", value: "approved" }];
  await call("POST", `intents/${review}/state`, { patches }, { ifMatch: version });
  await call("POST", `tasks/${reviewing}/complete`, {});
  await call("POST", `intents/${review}/status`, { status: "completed" }, { ifMatch: version + 1 });
  expect(await call("GET", `intents/${report}`)).toMatchObject({ status: "active" });
  expect(await call("POST", `tasks/${reporting}/claim`, {})).toMatchObject({ status: "claimed" });
  expect(heard).toEqual([
    [1, "slack"],
    [2, "email"],
  ]);

  const rows = await timeline(it, { [review]: "review", [report]: "report" });
  const from = rows.findIndex(({ what }) => what === "status_changed suspended_awaiting_input");
  expect(rows.slice(from).map(({ seconds, who, what }) => `${seconds} ${who} ${what}`)).toEqual([
    "0 review status_changed suspended_awaiting_input",
    "0 review task.blocked",
    "0 report status_changed blocked",
    "0 review intent.suspended",
    "0 review portfolio.member_suspended",
    "3600 review intent.suspension_renotified",
    "3600 review intent.suspension_escalated",
    "5400 review intent.resumed",
    "5400 review status_changed active",
    "5400 review task.unblocked",
    "5400 review portfolio.member_resumed",
    "5460 review state_patched",
    "5460 review task.completed",
    "5460 review status_changed completed",
    "5460 report status_changed active",
    "5460 report task.claimed",
  ]);
});
