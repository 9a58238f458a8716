import { expect, test } from "vitest";
import { connect } from "./connect.ts";

async function said(kind: string): Promise<string> {
  let out = "";
  const io = {
    env: {},
    folder: "/",
    out: (text: string) => {
      out += text;
    },
    err: () => undefined,
    isTerminal: false,
    now: () => 0,
  };
  await expect(connect.run([kind], io)).rejects.toThrow(`${kind.toUpperCase()}_BOT_TOKEN`);
  return out;
}

test("`connect slack` without tokens prints a manifest that turns Socket Mode and buttons on, and what to click", async () => {
  const out = await said("slack");
  expect(JSON.parse(out.slice(0, out.indexOf("\n\n")))).toMatchObject({
    oauth_config: {
      scopes: { bot: expect.arrayContaining(["chat:write", "im:write", "im:history", "users:read"]) },
    },
    settings: {
      socket_mode_enabled: true,
      interactivity: { is_enabled: true },
      event_subscriptions: { bot_events: ["message.im"] },
    },
    features: { app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: false } },
  });
  expect(out).toContain("connections:write");
});

test("`connect discord` and `connect telegram` without a token say where to get one", async () => {
  expect(await said("discord")).toContain("Reset Token");
  expect(await said("telegram")).toContain("@BotFather");
});
