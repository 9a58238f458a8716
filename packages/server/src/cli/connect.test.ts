import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localCredentials } from "../local-credentials.ts";
import { serve } from "../serve.ts";
import { readConfig } from "../system/config.ts";
import { TelegramFake } from "../testing/chat/telegram-fake.ts";
import { channel } from "./channel.ts";
import { connect } from "./connect.ts";
import type { Io } from "./io.ts";

let home: string;
let fake: TelegramFake;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "holdpoint-connect-"));
  fake = await TelegramFake.start();
});

afterEach(async () => {
  await fake[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

/** A real server over a file, with or without the channel. */
async function started(isConfigured: boolean) {
  const lines = [
    ...["channels:", "  telegram:", "    kind: telegram", "    token_env: TELEGRAM_BOT_TOKEN"],
    ...[`    api_url: ${fake.origin}`, '    to: "-5"', "default_channel: telegram"],
  ];
  // Channels of other kinds are listed too, and are no chats.
  const others = {
    hook: { kind: "webhook", url: "https://hooks.example.com/" },
    mail: { kind: "email", url: "smtp://mail.example.com", from: "hp@example.com" },
  };
  const file = isConfigured ? lines.join("\n") : JSON.stringify({ channels: others });
  writeFileSync(join(home, "holdpoint.yaml"), file);
  const env = { HOLDPOINT_HOME: home, HOLDPOINT_PORT: "0", TELEGRAM_BOT_TOKEN: fake.token };
  const serving = await serve(readConfig(env, home), env, () => undefined);
  await localCredentials(serving.server, home, serving.address);
  const said: string[] = [];
  const io: Io = {
    ...{ env, folder: home, isTerminal: false, now: () => 1, err: (text) => said.push(text) },
    out: (text) => {
      said.push(text);
      heard();
    },
  };
  let heard = () => {};
  const hear = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      heard = () => {
        const [found] = pattern.exec(said.join("")) ?? [];
        if (found !== undefined) resolve(found);
      };
      heard();
    });
  return { serving, io, hear, text: () => said.join("") };
}

test("connect tests the token, shows what the bot sees and what to write, and never shows the token", async () => {
  const { serving, io, text } = await started(false);
  const ada = fake.user(1, "Ada");
  fake.write(ada, fake.group(-5, "Finance", [ada]), "/start");
  expect(await connect.run(["telegram", "--api-url", fake.origin], io)).toBe(0);
  expect(text()).toContain("The bot is @holdpoint_test_bot.");
  expect(text()).toContain("It sees the group Finance: -5");
  expect(text()).toContain("token_env: TELEGRAM_BOT_TOKEN");
  expect(text()).not.toContain(fake.token);
  await serving.close();
});

test("connect prints no escape sequences that somebody wrote into the title of a chat", async () => {
  const { serving, io, text } = await started(false);
  const ada = fake.user(1, "Ada");
  fake.write(ada, fake.group(-5, "Fin\u001b[2K\u001b[1Gance\u202e", [ada]), "/start");
  expect(await connect.run(["telegram", "--api-url", fake.origin], io)).toBe(0);
  expect(text()).toContain("It sees the group Fin⟦U+001B⟧[2K");
  for (const sign of ["\u001b", "\u202e"]) expect(text()).not.toContain(sign);
  await serving.close();
});

test("connect links the person with a code, sends a test hold and waits for the press", async () => {
  const { serving, io, hear, text } = await started(true);
  const ada = fake.user(1, "Ada");
  const running = connect.run(["telegram", "--api-url", fake.origin, "--person", "ada"], io);
  const url = await hear(/start=\w+/);
  fake.startBot(ada, url.slice("start=".length));
  await hear(/I sent you a test message/);
  const chat = fake.privateChat(ada);
  const asked = () => fake.fromBot(chat).find(({ reply_markup: markup }) => markup !== undefined);
  await fake.until(() => asked() !== undefined);
  const message = asked();
  if (message !== undefined) fake.press(ada, message, "Confirm");
  expect(await running).toBe(0);
  expect(text()).toContain('It works: ada pressed "confirm".');
  expect(text()).not.toContain(fake.token);
  await serving.close();
});

test("channel check goes through the calls once and says what fails, without the token", async () => {
  const { serving, io, text } = await started(true);
  await serving.close();
  fake.group(-5, "Finance", []);
  expect(await channel.run(["check", "telegram"], io)).toBe(0);
  expect(fake.fromBot()[0]?.text).toContain("The channel works.");
  expect(await channel.run(["check", "telegram", "--to=-6"], io)).toBe(1);
  expect(text()).toContain("wrong send a message with a button: chat_not_found");
  await expect(channel.run(["check", "nothing"], io)).rejects.toThrow("there is no chat channel nothing");
  await expect(channel.run(["check"], io)).rejects.toThrow("usage");
  await expect(connect.run(["pigeon"], io)).rejects.toThrow("usage");
  await expect(connect.run(["telegram"], { ...io, env: {} })).rejects.toThrow(
    /TELEGRAM_BOT_TOKEN.*@BotFather/s,
  );
  await expect(connect.run(["slack"], { ...io, env: {} })).rejects.toThrow(/socket_mode_enabled.*xoxb-/s);
  expect(text()).not.toContain(fake.token);
});
