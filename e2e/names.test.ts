/** Whoever acted is named on every face that says who acted, and nobody is where nobody decided (G5); the terminal: `cli/names.test.ts`. */

import { createAgUiHandler } from "@holdpoint/adapters/ag-ui";
import type { Outcome } from "@holdpoint/protocol/client";
import { deciderWords, fromWire } from "@holdpoint/protocol/client";
import { expect, test } from "vitest";
import { ALLOW_NOTHING } from "../packages/server/src/channels/allow-list.ts";
import { emailChannel } from "../packages/server/src/channels/email/channel.ts";
import { createOutgoing } from "../packages/server/src/channels/outgoing.ts";
import { runHook } from "../packages/server/src/hooks/run-hook.ts";
import { cardOf } from "../packages/server/src/kernel/chat/card.ts";
import type { Entity } from "../packages/server/src/kernel/entity.ts";
import type { Hold } from "../packages/server/src/kernel/hold/hold.ts";
import { questionOut } from "../packages/server/src/mcp/questions.ts";
import { APPROVAL, openCase } from "../packages/server/src/testing/hitl-cases.ts";
import { MailServer } from "../packages/server/src/testing/mail-server.ts";
import { ManualClock } from "../packages/server/src/testing/manual-clock.ts";
import { type OpenIntentServer, openIntentServer } from "../packages/server/src/testing/openintent.ts";
import { Receiver } from "../packages/server/src/testing/receiver.ts";
import { type TestServer, testServer } from "../packages/server/src/testing/test-server.ts";
import { sentenceOf } from "../packages/web/src/app/activity/sentence.ts";

const NAMES = { ada: "Ada Park", grace: "Grace Hopper" };
const ANYBODY = /\b(ada|grace|Ada Park|Grace Hopper)\b/;
const ASK = { type: "approval", prompt: "Refund order 7?" } as const;

type Ending = (oi: OpenIntentServer, holdId: string) => Promise<unknown>;
const ENDINGS: Readonly<Record<string, Ending>> = {
  decided: ({ test: on }, id) =>
    on.call("POST", `/v1/holds/${id}/answer`, { key: on.keys.operator, body: { action: "approve" } }),
  expired: ({ test: on }) => on.clock.advance(3_600_000),
  cancelled: ({ test: on }, id) =>
    on.call("POST", `/v1/holds/${id}/cancel`, { key: on.keys.dev, body: { reason: "no longer needed" } }),
};

async function scene(): Promise<OpenIntentServer> {
  const oi = await openIntentServer();
  await addPeople(oi.test);
  return oi;
}

async function addPeople({ call, keys }: TestServer): Promise<void> {
  for (const [id, name] of Object.entries(NAMES))
    await call("POST", "/v1/people", { key: keys.admin, body: { id, name } });
}

/** An app's AG-UI agent whose run has stopped for a person, and what it tells the app's page later. */
async function aguiRun({ server }: TestServer) {
  const principal = { role: "app", via: "key", id: "k", name: "shop" } as const;
  const handle = createAgUiHandler({
    holdpoint: server.client({ workspace: "default", principal }),
    identify: () => ({ name: "Visitor" }),
    async *agent(run) {
      yield "One moment.";
      const approval = { message: "Refund order 7?", timeout: "10m" };
      await run.tool({ name: "refund", args: {}, execute: () => "refunded", approval });
    },
  });
  const post = async (body: object) => {
    const input = { threadId: "t1", state: {}, messages: [], tools: [], context: [], ...body };
    const json = { method: "POST", body: JSON.stringify(input) };
    const headers = { "content-type": "application/json" };
    return (await handle(new Request("http://app.test/agent", { ...json, headers }))).text();
  };
  const read = async () => (await handle(new Request("http://app.test/interrupts?threadId=t1"))).text();
  await post({ runId: "r1" });
  const { interrupts } = JSON.parse(await read()) as { interrupts: readonly { readonly id: string }[] };
  const interruptId = interrupts[0]?.id ?? "";
  const late = { runId: "r2", resume: [{ interruptId, status: "resolved", payload: { approved: false } }] };
  return { interruptId, words: async () => ({ history: await read(), lateAnswer: await post(late) }) };
}

const PUSH = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "git push" } };
const IN_CURSOR = { hook_event_name: "beforeShellExecution", command: "git push", cwd: "/repo" };

/** A coding agent whose hook has asked about a command, and what the hook prints when the agent tries again. */
async function hookCall({ server, call, keys }: TestServer, agent: "claude" | "cursor") {
  const principal = { role: "agent", via: "key", id: `k-${agent}`, name: agent } as const;
  const client = () => server.client({ workspace: "default", principal });
  const { signal: deadline } = new AbortController();
  const input = JSON.stringify(agent === "claude" ? { ...PUSH, cwd: "/repo" } : IN_CURSOR);
  const words = async () =>
    (await runHook(agent, input, { client, waitMs: 0, deadline, isUnattended: true })).out;
  await words();
  const { holds } = (await call("GET", "/v1/holds?status=open", { key: keys.operator })).body;
  const mine = holds.find(({ created_by: by }: { created_by: string }) => by === agent);
  return { holdId: mine.id as string, words };
}

/** What each face says about the end of a hold of its own. */
async function wordsOf(oi: OpenIntentServer, end: Ending): Promise<Readonly<Record<string, string>>> {
  const { test: on } = oi;
  const { agent, operator, dev } = on.keys;
  await using hooks = await Receiver.start();
  await using calls = await Receiver.start();
  const events = ["hold.decided", "hold.expired", "hold.cancelled"];
  await on.call("POST", "/v1/webhooks", { key: on.keys.admin, body: { url: hooks.url(), events } });
  const placed = await on.call("POST", "/v1/holds", {
    key: dev,
    body: { ...ASK, timeout: "10m", callback_url: calls.url() },
  });
  const { id } = placed.body;
  const hitl = await openCase(on, APPROVAL);
  const intent = await oi.create({ governance_policy: { completion_mode: "require_approval" } });
  const asked = (await oi.status(intent.id, "completed")).body;
  const agui = await aguiRun(on);
  const rules = [{ tools: ["Bash"], verdict: "ask", timeout: "10m" }];
  await on.call("PUT", "/v1/rules", { key: on.keys.admin, body: { rules } });
  const [claude, cursor] = [await hookCall(on, "claude"), await hookCall(on, "cursor")];
  for (const one of [id, hitl.holdId, agui.interruptId, claude.holdId, cursor.holdId]) await end(oi, one);
  if (asked.hold_id !== undefined) await end(oi, asked.hold_id);
  await on.server.sender.idle();
  const read = async (path: string, key = agent) => (await on.call("GET", path, { key })).body;
  const hold = await read(`/v1/holds/${id}`, dev);
  const [row] = (await on.store.load([
    { workspace: "default", kind: "hold", id, read: true },
  ])) as readonly Entity<Hold>[];
  const { activities } = await read(`/v1/activity?hold_id=${id}`, operator);
  const message = { id: "m1", buttons: [] };
  const card = { ask: null, message, notes: [], isFull: false, isReminder: false, names: NAMES };
  const ended = fromWire("HoldOut", hold);
  const outcome = ended.outcome as Outcome;
  const { history, lateAnswer } = await agui.words();
  expect(history).toContain('"interrupts":[]');
  const log = await read(`/v1/holds/${id}/events`, operator);
  const requests = await read(`/api/v1/intents/${intent.id}/approvals`, dev);
  return {
    "native API": JSON.stringify(hold.outcome),
    log: JSON.stringify(log),
    "timeline and audit": activities.map((one: never) => sentenceOf(one)).join(" "),
    webhook: hooks.requests.map(({ body }) => body).join(" "),
    callback: calls.requests.map(({ body }) => body).join(" "),
    HITL: JSON.stringify((await hitl.poll()).body),
    OpenIntent: JSON.stringify([requests, await oi.events(intent.id)]),
    "chat card": JSON.stringify(cardOf({ ...card, hold: row?.body as Hold }).state),
    SDK: outcome.kind === "decided" ? deciderWords(outcome.by) : JSON.stringify(outcome),
    MCP: JSON.stringify(questionOut(ended)),
    "hook of Claude Code": await claude.words(),
    "hook of Cursor": await cursor.words(),
    "AG-UI history": history,
    "AG-UI reply to a late answer": lateAnswer,
  };
}

test("G5 a person who decides is named by every face", async () => {
  await using oi = await scene();
  const words = await wordsOf(oi, ENDINGS["decided"] as Ending);
  for (const [face, said] of Object.entries(words)) expect(said, face).toMatch(ANYBODY);
  expect(words["timeline and audit"]).toContain("Ada Park approved");
  expect(words["chat card"]).toContain("by Ada Park");
  expect(words["AG-UI reply to a late answer"]).toContain("approve by ada, through rest");
});

test.each(["expired", "cancelled"])("G5 no face names a person for a hold that was %s", async (ending) => {
  await using oi = await scene();
  const words = await wordsOf(oi, ENDINGS[ending] as Ending);
  for (const [face, said] of Object.entries(words)) {
    expect(said, face).not.toBe("");
    expect(said, face).not.toMatch(ANYBODY);
  }
});

test("the timeline names who opened, voted, took a vote back, assigned and withdrew, and whom it was given to", async () => {
  await using oi = await scene();
  const { test: on } = oi;
  const { operator, otherOperator, dev, admin } = on.keys;
  const decision = { approve: [{ need: 2, from: ["person:ada", "person:grace"] }] };
  const { id } = (await on.call("POST", "/v1/holds", { key: dev, body: { ...ASK, decision } })).body;
  const at = `/v1/holds/${id}`;
  await on.call("POST", `${at}/answer`, { key: otherOperator, body: { action: "approve" } });
  await on.call("DELETE", `${at}/vote`, { key: otherOperator });
  await on.call("POST", `${at}/assign`, { key: operator, body: { to: "grace" } });
  await on.call("POST", `${at}/cancel`, { key: operator, body: {} });
  await on.call("PATCH", "/v1/people/grace", { key: admin, body: { status: "suspended" } });
  const { activities } = (await on.call("GET", "/v1/activity?limit=100", { key: operator })).body;
  const said = activities.map((one: never) => sentenceOf(one)).join("\n");
  for (const sentence of [
    "Grace Hopper voted “approve” on “Refund order 7?”.",
    "The vote of Grace Hopper on “Refund order 7?” was taken back.",
    "Ada Park gave “Refund order 7?” to Grace Hopper.",
    "Ada Park withdrew “Refund order 7?”.",
    "Root suspended Grace Hopper.",
  ])
    expect(said).toContain(sentence);
});

test("e-mails name who asks, and no person: when they are sent nobody has decided", async () => {
  await using mail = await MailServer.start();
  const { hostname, port } = new URL(mail.url);
  const server = { host: hostname, port: Number(port), isSecure: false, requireTls: false };
  const from = { name: "Holdpoint", address: "holdpoint@example.com" };
  const clock = new ManualClock();
  const to = "lead@example.com";
  await using on = await testServer({
    ...{ clock, outgoing: createOutgoing({ policy: { allow: ALLOW_NOTHING, loopback: true }, clock }) },
    channels: { mail: emailChannel({ server, from, addressOf: () => undefined }) },
    platform: {
      agentLinks: "never",
      notify: { allow: [], channels: { mail: [to] }, kinds: {}, defaultChannel: "mail" },
    },
  });
  await addPeople(on);
  const { operator, otherOperator, agent } = on.keys;
  const decision = { approve: [{ need: 2, from: ["person:ada", "person:grace"] }] };
  const ladder = [
    { after: "0s", channel: "mail", to },
    { after: "5m", channel: "mail", to },
  ];
  const body = { ...ASK, decision, ladder, timeout: "10m" };
  const placed = await on.call("POST", "/v1/holds", { key: agent, body });
  expect(placed.body).toMatchObject({ status: "open" });
  const { id } = placed.body;
  await on.call("POST", `/v1/holds/${id}/answer`, { key: otherOperator, body: { action: "approve" } });
  await on.call("POST", `/v1/holds/${id}/assign`, { key: operator, body: { to: "grace" } });
  await mail.received(1);
  await clock.advance(6 * 60_000);
  await mail.received(2);
  await clock.advance(6 * 60_000);
  await on.server.sender.idle();
  expect(mail.mails.map(({ headers }) => headers["subject"])).toEqual([
    "Your answer is needed: Refund order 7?",
    "Reminder 2: Refund order 7?",
  ]);
  for (const { headers, text, html } of mail.mails) {
    expect(text).toContain("refunder asks:");
    expect(`${headers["subject"]} ${text} ${html}`).not.toMatch(ANYBODY);
  }
});
