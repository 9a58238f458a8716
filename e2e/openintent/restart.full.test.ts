/** A ladder on a server that is killed twice on the way: every attempt is made once, and it ends when it should. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IntentEvent, OpenIntentAgent } from "@holdpoint/openintent";
import { expect, test } from "vitest";
import { MailServer } from "../../packages/server/src/testing/mail-server.ts";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";

/** Long enough for a server to start again and send an attempt before the next one is due. */
const INTERVAL_SECONDS = 3;
const KEYS = "agent-key=agent:auditor-bot,operator-key=operator:ada";

const CONFIG = (smtp: string) => `
channels:
  email: { kind: email, url: "${smtp}", from: "Holdpoint <holdpoint@example.com>", to: [team@example.com] }
`;

function agentOf(server: ServerProcess): OpenIntentAgent {
  return new OpenIntentAgent({ url: server.url, apiKey: "agent-key", agentId: "auditor-bot" });
}

/** As soon as the server itself says so, over as many connections as it takes. */
async function heard(server: ServerProcess, id: string, type: string): Promise<void> {
  const { client } = agentOf(server);
  const known = async () => (await client.events(id)).some(({ event_type }) => event_type === type);
  for (let isKnown = false; !isKnown; ) {
    const stop = new AbortController();
    const { promise: isOpen, resolve: onOpen } = Promise.withResolvers<void>();
    const frames = client.stream(id, { signal: stop.signal, onOpen });
    // Who has heard enough hangs up on a frame that is still to come.
    const frame = () => frames.next().catch(() => ({ done: true }));
    let coming = frame();
    // What happened before the stream was open is not told in it.
    await Promise.race([isOpen, coming]);
    isKnown = await known();
    while (!isKnown && (await coming).done !== true) {
      coming = frame();
      isKnown = await known();
    }
    stop.abort();
  }
}

/** Attempts that were made, in order; those that a standing server missed are only told. */
async function made(server: ServerProcess, id: string): Promise<readonly IntentEvent[]> {
  const events = await agentOf(server).client.events(id);
  return events
    .toSorted((a, b) => a.sequence - b.sequence)
    .filter(({ event_type: type, payload }) => ATTEMPTS.has(type) && payload["delivery"] === undefined);
}

const ATTEMPTS: ReadonlySet<string> = new Set(["intent.suspended", "intent.suspension_renotified"]);

/** Every attempt so far has left, however many a slow machine has come to by now. */
async function settled(server: ServerProcess, id: string): Promise<void> {
  for (;;) {
    const { length } = await made(server, id);
    const reply = await fetch(`${server.url}/v1/deliveries`, {
      headers: { authorization: "Bearer operator-key" },
    });
    const { deliveries } = (await reply.json()) as { deliveries: { state: string }[] };
    if (deliveries.length >= length && deliveries.every(({ state }) => state === "sent")) return;
  }
}

const attemptOf = (subject: string | undefined) => Number(/^Reminder (\d+)/.exec(subject ?? "")?.[1] ?? 1);

test("OI-177 G3 a server that is killed in the middle of a ladder makes every attempt once and ends the ladder", {
  timeout: 120_000,
}, async () => {
  await using mail = await MailServer.start();
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-ladder-"));
  try {
    const config = join(folder, "holdpoint.yaml");
    writeFileSync(config, CONFIG(mail.url));
    await using server = await serverProcess({ HOLDPOINT_CONFIG: config, HOLDPOINT_API_KEYS: KEYS });
    const { client } = agentOf(server);
    const { id } = await client.createIntent({ title: "Quarterly report", status: "active" });
    await client.suspend(id, {
      id: "sign-off",
      question: "Sign off the report?",
      response_type: "confirm",
      context: {},
      channel_hint: "email",
      fallback_policy: "fail",
      retry_policy: { max_attempts: 3, interval_seconds: INTERVAL_SECONDS },
    });
    await settled(server, id);
    await server.kill();
    await server.start();

    await heard(server, id, "intent.suspension_renotified");
    await settled(server, id);
    await server.kill();
    await server.start();

    await heard(server, id, "intent.suspension_expired");
    const events = await agentOf(server).client.events(id);
    const told = events
      .toSorted((a, b) => a.sequence - b.sequence)
      .filter(({ event_type: t }) => /susp/.test(t));
    expect(told.map(({ event_type, payload }) => [event_type, payload["attempt"]])).toEqual([
      ["intent.suspended", undefined],
      ["intent.suspension_renotified", 2],
      ["intent.suspension_renotified", 3],
      ["intent.suspension_expired", undefined],
    ]);
    expect((await agentOf(server).client.getIntent(id)).status).toBe("abandoned");
    const delivered = await made(server, id);
    const attempts = mail.mails.map(({ headers }) => attemptOf(headers["subject"]));
    expect(attempts, "one mail for each attempt that was not missed").toEqual(
      delivered.map(({ payload }) => payload["attempt"] ?? 1),
    );
    expect(new Set(mail.mails.map(({ headers }) => headers["message-id"])).size).toBe(attempts.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
