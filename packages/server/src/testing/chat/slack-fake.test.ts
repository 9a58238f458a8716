/** Slack's own clients run their normal calls against the fake, so that the fake cannot lie about Slack. */

import { LogLevel, SocketModeClient } from "@slack/socket-mode";
import { type WebAPIPlatformError, WebAPIRateLimitedError, WebClient } from "@slack/web-api";
import { expect, test } from "vitest";
import { SlackFake } from "./slack-fake.ts";

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setLevel: () => undefined,
  setName: () => undefined,
};

async function stage() {
  let now = Date.UTC(2027, 0, 5);
  const fake = await SlackFake.start({ now: () => now });
  const ada = fake.addUser({ id: "U0ADA", name: "ada", email: "ada@example.com" });
  const finance = fake.addChannel("C0FIN", "finance", [ada]);
  const web = new WebClient(fake.botToken, {
    slackApiUrl: fake.apiUrl,
    logger: SILENT,
    rejectRateLimitedCalls: true,
    retryConfig: { retries: 0 },
  });
  return { fake, ada, finance, web, advance: (ms: number) => (now += ms) };
}

/** A client of Slack's own that acknowledges as the test says. It waits this long before it connects again. */
async function connected(fake: SlackFake, clientPingTimeout = 10_000) {
  const client = new SocketModeClient({
    appToken: fake.appToken,
    logger: SILENT,
    clientPingTimeout,
    clientOptions: { slackApiUrl: fake.apiUrl },
  });
  await client.start();
  return { client, [Symbol.asyncDispose]: async () => void (await client.disconnect()) };
}

const button = (label: string, value: string) => ({
  type: "button" as const,
  text: { type: "plain_text" as const, text: label },
  action_id: `act:${value}`,
  value,
});
const section = (text: string) => ({ type: "section" as const, text: { type: "mrkdwn" as const, text } });
const BLOCKS = [
  section("Refund?"),
  { type: "actions" as const, elements: [button("Approve", "a"), button("Reject", "r")] },
];
const MODAL = {
  type: "modal" as const,
  callback_id: "reject",
  private_metadata: "opaque",
  title: { type: "plain_text" as const, text: "Reject" },
  submit: { type: "plain_text" as const, text: "Reject" },
  blocks: [
    {
      type: "input" as const,
      block_id: "reason",
      label: { type: "plain_text" as const, text: "Reason" },
      element: { type: "plain_text_input" as const, action_id: "value", multiline: true },
    },
  ],
};

async function errorOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason as WebAPIPlatformError,
  );
  const { error: word, response_metadata: more } = error?.data ?? {};
  return [word, ...(more?.messages ?? [])].join(" ");
}

test("Slack's web client posts, updates and finds people", async () => {
  const { fake, web, finance, ada } = await stage();
  await using _ = fake;
  expect((await web.auth.test()).team_id).toBe(fake.team);
  const sent = await web.chat.postMessage({ channel: "#finance", text: "Refund?", blocks: BLOCKS });
  expect(sent).toMatchObject({ channel: finance.id, message: { text: "Refund?" } });
  await web.chat.update({
    channel: finance.id,
    ts: sent.ts ?? "",
    text: "Approved by Ada",
    blocks: [section("Done")],
  });
  expect(fake.in(finance)[0]).toMatchObject({
    text: "Approved by Ada",
    blocks: [{ type: "section" }],
    edited: true,
  });
  await web.chat.postMessage({ channel: finance.id, text: "Still open", thread_ts: sent.ts ?? "" });
  expect(fake.in(finance)[1]?.thread_ts).toBe(sent.ts);
  await web.chat.postEphemeral({ channel: finance.id, user: ada.id, text: "Only you" });
  expect(fake.in(finance)[2]?.ephemeralFor).toBe(ada.id);
  const opened = await web.conversations.open({ users: ada.id });
  expect(opened.channel?.id).toBe("D0ADA");
  expect((await web.users.info({ user: ada.id })).user).toMatchObject({
    is_restricted: false,
    team_id: fake.team,
  });
});

test("a press reaches Slack's socket client, and its acknowledgement reaches the fake", async () => {
  const { fake, web, finance, ada } = await stage();
  await using _ = fake;
  await using socket = await connected(fake);
  await web.chat.postMessage({ channel: finance.id, text: "Refund?", blocks: BLOCKS });
  const seen: unknown[] = [];
  socket.client.on("interactive", async ({ ack, body }) => {
    seen.push(body);
    await ack();
  });
  const message = fake.in(finance)[0];
  if (message === undefined) throw new Error("nothing was posted");
  const delivery = await fake.acknowledged(fake.press(ada, message, "Reject"));
  expect(delivery.ack).toMatchObject({ isLate: false });
  expect(seen).toMatchObject([
    {
      type: "block_actions",
      user: { id: ada.id, team_id: fake.team },
      container: { channel_id: finance.id, message_ts: message.ts },
      actions: [{ action_id: "act:r", value: "r", type: "button" }],
    },
  ]);
});

test("a trigger opens one modal within three seconds, and its submission comes back with the values", async () => {
  const { fake, web, finance, ada, advance } = await stage();
  await using _ = fake;
  await using socket = await connected(fake);
  await web.chat.postMessage({ channel: finance.id, text: "Refund?", blocks: BLOCKS });
  const message = fake.in(finance)[0];
  if (message === undefined) throw new Error("nothing was posted");
  const bodies: { trigger_id: string; view?: { state: { values: unknown } } }[] = [];
  socket.client.on("interactive", async ({ ack, body }) => {
    bodies.push(body);
    await ack(
      body.type === "view_submission"
        ? { response_action: "errors", errors: { reason: "Say more" } }
        : undefined,
    );
  });
  await fake.acknowledged(fake.press(ada, message, "Reject"));
  const trigger_id = bodies[0]?.trigger_id ?? "";
  await web.views.open({ trigger_id, view: MODAL });
  expect(await errorOf(web.views.open({ trigger_id, view: MODAL }))).toBe("exchanged_trigger_id");
  const [view] = fake.views;
  if (view === undefined) throw new Error("no modal is open");
  const submitted = await fake.acknowledged(fake.submit(ada, view, { reason: "Too much" }));
  expect(submitted.ack?.payload).toEqual({ response_action: "errors", errors: { reason: "Say more" } });
  expect(bodies[1]?.view?.state.values).toEqual({
    reason: { value: { type: "plain_text_input", value: "Too much" } },
  });
  await fake.acknowledged(fake.press(ada, message, "Reject"));
  advance(3001);
  expect(await errorOf(web.views.open({ trigger_id: bodies[2]?.trigger_id ?? "", view: MODAL }))).toBe(
    "expired_trigger_id",
  );
});

test("Slack's client replaces a socket that is announced to go, and one that breaks; what it had is lost", async () => {
  const { fake, ada } = await stage();
  await using _ = fake;
  await using socket = await connected(fake, 400);
  const texts: string[] = [];
  let acknowledges = false;
  const arrived = Promise.withResolvers<void>();
  socket.client.on("message", async ({ ack, event }) => {
    texts.push(event.text);
    arrived.resolve();
    if (acknowledges) await ack();
  });
  const first = fake.write(ada, "one");
  await arrived.promise;
  fake.sockets.announce("refresh_requested");
  await fake.until(() => first.isLost && fake.sockets.count === 1);
  acknowledges = true;
  await fake.acknowledged(fake.again(first));
  expect(texts).toEqual(["one", "one"]);
  fake.sockets.close();
  await fake.until(() => fake.sockets.count === 0);
  expect(fake.write(ada, "two").socket).toBeUndefined();
  // Stopped before it is connected again, this version of the client rejects a promise that nobody waits for.
  await new Promise<void>((resolve) => socket.client.once("connected", () => resolve()));
});

test("each event goes to one of the open sockets, and an address works once", async () => {
  const { fake, ada } = await stage();
  await using _ = fake;
  await using one = await connected(fake);
  await using two = await connected(fake);
  const got = [0, 0];
  for (const [index, { client }] of [one, two].entries()) {
    client.on("message", async ({ ack }) => {
      got[index] = (got[index] ?? 0) + 1;
      await ack();
    });
  }
  for (const text of ["a", "b", "c", "d"]) await fake.acknowledged(fake.write(ada, text));
  expect(got).toEqual([2, 2]);
  const open = await fetch(`${fake.apiUrl}apps.connections.open`, {
    method: "POST",
    headers: { authorization: `Bearer ${fake.appToken}` },
  });
  const { url } = (await open.json()) as { url: string };
  await new Promise((resolve) => new WebSocket(url).addEventListener("message", resolve, { once: true }));
  await new Promise((resolve) => new WebSocket(url).addEventListener("error", resolve, { once: true }));
  expect(fake.sockets.count).toBe(3);
});

test("Block Kit's limits are Slack's, and name the place", async () => {
  const { fake, web, finance } = await stage();
  await using _ = fake;
  const post = (blocks: readonly object[]) =>
    errorOf(web.chat.postMessage({ channel: finance.id, text: "x", blocks: blocks as never }));
  const actions = (elements: readonly object[]) => [{ type: "actions", elements }];
  expect(await post([section("x".repeat(3001))])).toMatch(
    /invalid_blocks .*less than 3001 characters \[json-pointer:\/blocks\/0\/text\/text\]/,
  );
  expect(await post([{ type: "header", text: { type: "plain_text", text: "x".repeat(151) } }])).toMatch(
    /less than 151/,
  );
  expect(await post(Array.from({ length: 51 }, () => section("x")))).toMatch(/no more than 50 items/);
  expect(await post(actions([button("x".repeat(76), "a")]))).toMatch(/less than 76/);
  expect(await post(actions([{ ...button("x", "a"), value: "x".repeat(2001) }]))).toMatch(/less than 2001/);
  expect(await post(actions([{ ...button("x", "a"), action_id: "x".repeat(256) }]))).toMatch(/less than 256/);
  expect(await post(actions(Array.from({ length: 26 }, (_, n) => button("x", `${n}`))))).toMatch(
    /no more than 25/,
  );
  expect(await post(actions([button("x", "a"), button("y", "a")]))).toMatch(/already exists/);
  expect(await post(MODAL.blocks)).toMatch(/unsupported type: input/);
  expect(await errorOf(web.chat.postMessage({ channel: "C0NONE", text: "x" }))).toBe("channel_not_found");
  expect(await errorOf(web.chat.update({ channel: finance.id, ts: "1.2", text: "x" }))).toBe(
    "message_not_found",
  );
  expect(await errorOf(new WebClient("xoxb-wrong", { slackApiUrl: fake.apiUrl }).auth.test())).toBe(
    "invalid_auth",
  );
});

test("429 carries Retry-After, as Slack's client reads it", async () => {
  const { fake, web, finance } = await stage();
  await using _ = fake;
  fake.fail("chat.postMessage", {
    kind: "reply",
    reply: { status: 429, headers: { "retry-after": "7" }, body: { ok: false, error: "ratelimited" } },
  });
  const error = await web.chat
    .postMessage({ channel: finance.id, text: "x" })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WebAPIRateLimitedError);
  expect((error as WebAPIRateLimitedError).retryAfter).toBe(7);
});
