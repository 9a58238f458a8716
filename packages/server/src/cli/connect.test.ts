import { expect, test } from "vitest";
import { parse } from "yaml";
import { DiscordFake } from "../testing/chat/discord-fake.ts";
import { SlackFake } from "../testing/chat/slack-fake.ts";
import { TelegramFake } from "../testing/chat/telegram-fake.ts";
import { connect } from "./connect.ts";

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  let out = "";
  const io = {
    env,
    folder: "/",
    out: (text: string) => {
      out += text;
    },
    err: () => undefined,
    isTerminal: false,
    now: () => 0,
  };
  return { code: await connect.run(args, io), out };
}

test("`connect slack` without tokens prints a manifest that turns Socket Mode and buttons on, and what to click", async () => {
  const { code, out } = await run(["slack"]);
  expect(code).toBe(1);
  const manifest = JSON.parse(out.slice(0, out.indexOf("\n1. ")));
  expect(manifest).toMatchObject({
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

test("with tokens it asks the platform who the bot is and prints a channel that the server reads", async () => {
  await using slack = await SlackFake.start();
  await using discord = await DiscordFake.start();
  await using telegram = await TelegramFake.start();
  const cases = [
    [
      "slack",
      `${slack.origin}/api`,
      { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken },
      "holdpoint",
    ],
    ["discord", discord.apiUrl, { DISCORD_TOKEN: discord.token }, "Holdpoint"],
    ["telegram", telegram.origin, { TELEGRAM_TOKEN: telegram.token }, telegram.bot.username],
  ] as const;
  for (const [kind, apiUrl, env, bot] of cases) {
    const { code, out } = await run([kind, "--api-url", apiUrl, "--to", "one", "--to", "two"], env);
    expect(code).toBe(0);
    expect(out).toContain(`the bot is ${bot}`);
    const text = out.slice(out.indexOf("# holdpoint.yaml"), out.indexOf("\nThen start"));
    expect(parse(text).channels[kind]).toMatchObject({
      kind,
      to: ["one", "two"],
      show: "full",
      api_url: apiUrl,
    });
    for (const secret of Object.values(env)) expect(out).not.toContain(secret);
  }
});

test("a refused token is said in plain words, and an unknown platform gets the usage", async () => {
  await using discord = await DiscordFake.start();
  const wrong = run(["discord", "--api-url", discord.apiUrl], { DISCORD_TOKEN: "wrong" });
  await expect(wrong).rejects.toThrow(/refused the token/);
  await expect(run(["irc"])).rejects.toThrow(/usage: holdpoint connect/);
});
