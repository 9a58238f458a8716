/** Whoever acted is named on every face that says who acted, and nobody is where nobody decided (G5). */

import type { Outcome } from "@holdpoint/protocol/client";
import { deciderWords, fromWire } from "@holdpoint/protocol/client";
import { expect, test } from "vitest";
import { cardOf } from "../packages/server/src/kernel/chat/card.ts";
import type { Entity } from "../packages/server/src/kernel/entity.ts";
import type { Hold } from "../packages/server/src/kernel/hold/hold.ts";
import { APPROVAL, openCase } from "../packages/server/src/testing/hitl-cases.ts";
import { type OpenIntentServer, openIntentServer } from "../packages/server/src/testing/openintent.ts";
import { Receiver } from "../packages/server/src/testing/receiver.ts";
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
  for (const [id, name] of Object.entries(NAMES))
    await oi.test.call("POST", "/v1/people", { key: oi.test.keys.admin, body: { id, name } });
  return oi;
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
  await end(oi, id);
  await end(oi, hitl.holdId);
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
  const outcome = fromWire("HoldOut", hold).outcome as Outcome;
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
    "SDK and CLI": outcome.kind === "decided" ? deciderWords(outcome.by) : JSON.stringify(outcome),
  };
}

test("G5 a person who decides is named by every face", async () => {
  await using oi = await scene();
  const words = await wordsOf(oi, ENDINGS["decided"] as Ending);
  for (const [face, said] of Object.entries(words)) expect(said, face).toMatch(ANYBODY);
  expect(words["timeline and audit"]).toContain("Ada Park approved");
  expect(words["chat card"]).toContain("by Ada Park");
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
