/**
 * The example that RFC-0026 opens with, running: a workflow of three phases whose second one needs a signature. Nobody answers
 * at first; an interval later an e-mail goes out; half an interval after that somebody answers, and the rest goes on.
 *
 *   npm run ts -- examples/compliance-workflow/main.ts
 *   npm run ts -- examples/compliance-workflow/main.ts --interval 3600  # as in the text
 *   npm run ts -- examples/compliance-workflow/main.ts --wait           # you are the person
 *
 * It needs nothing else: server, mailbox and agents are started here and are gone afterwards.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { OpenIntentAgent, type PhaseHandler, parseWorkflow, runWorkflow } from "@holdpoint/openintent";
import { readConfig, serve } from "holdpoint";
import { openMailbox } from "./mailbox.ts";
import { follow, Timeline } from "./timeline.ts";

const { values } = parseArgs({
  options: { interval: { type: "string", default: "2" }, wait: { type: "boolean", default: false } },
});
const intervalSeconds = Number(values.interval);
const timeline = new Timeline();

const mailbox = await openMailbox(({ to, subject, text }) => {
  const link = /http:\/\/\S+/.exec(text)?.[0] ?? "";
  timeline.print("e-mail", `to ${to}: ${subject}`);
  timeline.print("", link);
  if (!values.wait) void answerLater(link);
});

const folder = mkdtempSync(join(tmpdir(), "compliance-workflow-"));
writeFileSync(
  join(folder, "holdpoint.yaml"),
  `channels:
  email: { kind: email, url: "${mailbox.url}", from: "Holdpoint <holdpoint@example.com>", to: [lead@example.com] }
default_channel: console
`,
);
const env = {
  HOLDPOINT_HOME: join(folder, "home"),
  HOLDPOINT_PORT: "0",
  HOLDPOINT_API_KEYS: "agents-key=agent:*,person-key=operator:lead",
};
const serving = await serve(readConfig(env, folder), env, ({ message }) => console.error(message));
const url = serving.server.publicUrl;
console.log(`A server at ${url}; an interval is ${intervalSeconds} s.\n`);

const agentOf = (agentId: string) => new OpenIntentAgent({ url, apiKey: "agents-key", agentId, pollMs: 500 });

/** Whoever got the mail looks first, which decides nothing, and answers half an interval later. */
async function answerLater(link: string): Promise<void> {
  const page = await fetch(link);
  timeline.print("lead", `opened the page (${page.status}); nothing is decided by looking`);
  await pause((intervalSeconds / 2) * 1000);
  const suspension = { suspension_id: "sign-off", value: "yes", responded_by: "lead@example.com" };
  await fetch(`${url}/api/v1/intents/${reviewId}/suspend/respond`, {
    method: "POST",
    headers: { "x-api-key": "person-key", "content-type": "application/json" },
    body: JSON.stringify(suspension),
  });
}

/** Starts the workflow, so the intents of all phases are its own. */
const starter = agentOf("starter");
let reviewId = "";
const enough = new AbortController();

/** From the first phase on: names of the phases, then every event of the portfolio they belong to. */
async function watch({ client }: OpenIntentAgent, intentId: string): Promise<void> {
  type Portfolios = { portfolios: readonly { id: string }[] };
  const { portfolios } = await client.transport.call<Portfolios>("GET", `/intents/${intentId}/portfolios`);
  const portfolio = portfolios[0]?.id;
  type Members = { intents: readonly { id: string; state: Record<string, unknown> }[] };
  const { intents } = await client.transport.call<Members>("GET", `/portfolios/${portfolio}/intents`);
  for (const { id, state } of intents) timeline.name(id, String(state["_phase_name"]));
  const stream = follow(`${url}/api/v1/subscribe/portfolios/${portfolio}`, "person-key", enough.signal);
  void (async () => {
    for await (const told of stream) timeline.tell(told);
  })().catch(() => undefined);
}

const handlers: Readonly<Record<string, PhaseHandler>> = {
  "data-bot": async ({ intentId }) => {
    await watch(starter, intentId);
    return { transactions: 1742 };
  },
  "compliance-bot": async ({ agent, intentId, input }) => {
    reviewId = intentId;
    await agent.requestInput(intentId, {
      suspensionId: "sign-off",
      question: `Sign off the review of ${String(input["transactions"])} transactions?`,
      responseType: "confirm",
      channelHint: "slack",
      retryPolicy: {
        max_attempts: 3,
        interval_seconds: intervalSeconds,
        escalation_ladder: [{ attempt: 2, channel_hint: "email" }],
        final_fallback_policy: "fail",
      },
    });
    return { verdict: "signed off" };
  },
  "report-bot": ({ input }) => ({ report: `Transactions of the quarter: ${String(input["verdict"])}.` }),
};

try {
  const workflow = await parseWorkflow(readFileSync(new URL("workflow.yaml", import.meta.url), "utf8"));
  const agents = Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [name, { agent: agentOf(name), handle }]),
  );
  const { status, phases } = await runWorkflow(workflow, { starter, agents });
  const { report = "no report" } = phases["generate_report"]?.output ?? {};
  console.log(`\nWorkflow ${status}. ${String(report)}`);
} finally {
  enough.abort();
  await serving.close();
  mailbox.close();
  rmSync(folder, { recursive: true, force: true });
}
