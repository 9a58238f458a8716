import type { Card } from "@holdpoint/protocol/chat";
import { expect, test } from "vitest";
import { SYSTEM } from "../../kernel/principal.ts";
import { testServer } from "../../testing/test-server.ts";
import type { ChatAnswer, ChatHandlers, ChatPlatform } from "./platform.ts";

const REF = { chat: "#ops", message: "1" };
const by = { userId: "u-ada", name: "Ada" };

/** A server whose bot shows one message. `isLost`: the server is never told that it was sent. */
async function stage({ isLost = false } = {}) {
  let shown: Card | undefined;
  const listening = Promise.withResolvers<ChatHandlers>();
  const platform: ChatPlatform = {
    kind: "chat",
    limits: { buttons: 10, buttonLabel: 64, dialogFields: 5, replyLength: 1_000 },
    identify: async () => ({ kind: "ok", value: { id: "bot", name: "bot" } }),
    fits: () => true,
    async send(card) {
      shown = card;
      return isLost ? { kind: "failed", error: "timed_out", retry: true } : { kind: "ok", value: REF };
    },
    async edit(_ref, card) {
      shown = card;
      return { kind: "ok", value: null };
    },
    tell: async () => ({ kind: "ok", value: REF }),
    listen(handlers, signal) {
      listening.resolve(handlers);
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    },
  };
  const at = await testServer({
    chats: { chat: { name: "chat", platform, isFull: true, isAlways: false, isByEmail: false } },
    platform: { notify: { allow: [], channels: { chat: ["#ops"] }, kinds: { chat: "chat" } } },
  });
  const base = { workspace: "default", by: SYSTEM } as const;
  const person = {
    id: "ada",
    name: "Ada",
    role: "operator",
    teams: [],
    isVerified: true,
    source: "api",
  } as const;
  await at.server.engine.run({ ...base, kind: "add_person", person });
  const account = { platform: "chat", userId: "u-ada" };
  await at.server.engine.run({ ...base, kind: "link_account", personId: "ada", account });
  const ladder = [{ after: "0s", channel: "chat" }];
  const body = { type: "approval", prompt: "Refund?", ladder };
  const { body: hold } = await at.call("POST", "/v1/holds", { key: at.keys.agent, body });
  await at.server.sender.idle();
  const handlers = await listening.promise;
  const button = (label: string) => shown?.buttons.find((one) => one.label.startsWith(label))?.id ?? "";
  return {
    ...{ at, handlers, hold, button, shown: () => shown },
    press: (id: string, button: string): Promise<ChatAnswer> =>
      handlers.onPress({ id, button, message: REF, by }),
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

test("a reply that is delivered again, after its question was answered, is told what it was told before", async () => {
  await using at = await stage();
  const asked = await at.press("p1", at.button("Reject"));
  if (asked.kind !== "ask") throw new Error(`expected a question, got ${asked.kind}`);
  const reply = { id: "r1", to: { question: asked.question.id }, values: { text: "too much" }, by };
  const first = await at.handlers.onReply(reply);
  expect(first).toEqual({ kind: "done", text: "Rejected." });
  expect(await at.handlers.onReply(reply)).toEqual(first);
  expect(await at.handlers.onReply({ ...reply, id: "r2" })).toMatchObject({ kind: "refused" });
});

test("a press on Details that is delivered again, after the hold has ended, is refused and not delivered for ever", async () => {
  await using at = await stage();
  const details = at.button("Details");
  expect(await at.press("p1", details)).toMatchObject({ kind: "private" });
  await at.at.call("POST", `/v1/holds/${at.hold.id}/cancel`, { key: at.at.keys.agent, body: {} });
  expect(await at.press("p1", details)).toEqual({
    kind: "refused",
    text: "Somebody has already answered this request.",
  });
});

test("a press on a message that was sent without the server hearing of it closes it, once the hold has ended", async () => {
  await using at = await stage({ isLost: true });
  const approve = at.button("Approve");
  await at.at.call("POST", `/v1/holds/${at.hold.id}/cancel`, { key: at.at.keys.agent, body: {} });
  expect(at.shown()?.buttons).not.toEqual([]);
  expect(await at.press("p1", approve)).toMatchObject({ kind: "refused" });
  await at.at.server.sender.idle();
  expect(at.shown()).toMatchObject({ buttons: [], state: { kind: "closed", ending: "cancelled" } });
});
