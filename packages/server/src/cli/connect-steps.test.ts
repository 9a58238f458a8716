import { expect, test } from "vitest";
import { stepsFor } from "./connect-steps.ts";

test("the steps for Slack begin with a manifest that turns Socket Mode, buttons and direct messages on", () => {
  const steps = stepsFor("slack");
  expect(JSON.parse(steps.slice(0, steps.indexOf("\n\n")))).toMatchObject({
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
  expect(steps).toContain("connections:write");
});

test("the steps for Telegram and Discord say where the token comes from", () => {
  expect(stepsFor("telegram")).toContain("@BotFather");
  expect(stepsFor("discord")).toContain("Reset Token");
});
