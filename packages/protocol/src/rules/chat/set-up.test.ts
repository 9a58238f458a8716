import { expect, test } from "vitest";
import { CHAT_PLATFORMS, chatConfig, chatManifest, chatSteps } from "./set-up.ts";

test("Slack's manifest turns Socket Mode, buttons and direct messages on; other platforms have none", () => {
  expect(JSON.parse(chatManifest("slack") ?? "")).toMatchObject({
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
  expect(chatManifest("telegram")).toBeUndefined();
});

test("the steps of every platform say where its token comes from", () => {
  expect(CHAT_PLATFORMS).toEqual(["telegram", "slack", "discord"]);
  expect(chatSteps("slack").join()).toContain("connections:write");
  expect(chatSteps("telegram").join()).toContain("@BotFather");
  expect(chatSteps("discord").join()).toContain("Reset Token");
  expect(chatSteps("pigeon")).toEqual([]);
});

test("the configuration of a chat names the variables that hold its tokens", () => {
  expect(chatConfig("telegram", "-1001")).toBe(
    [
      "channels:",
      "  telegram:",
      "    kind: telegram",
      "    token_env: TELEGRAM_BOT_TOKEN",
      '    to: "-1001"',
      "    show: full",
      "default_channel: telegram\n",
    ].join("\n"),
  );
  expect(chatConfig("slack", "#finance")).toContain("    app_token_env: SLACK_APP_TOKEN\n");
  expect(chatConfig("slack", "#finance", { token: "T", appToken: "A" })).toContain("app_token_env: A\n");
});
