/** The Channels page sets a chat up: what to click, whether the bot listens, and the code that links a person's own account. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TelegramFake } from "../../packages/server/src/testing/chat/telegram-fake.ts";
import { serverProcess } from "../support/server-process.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { DESKTOP, PHONE, type Stage, stageOn, violations, widthLeft } from "./support.ts";

let on: Stage;
let fake: TelegramFake;
let folder: string;
beforeAll(async () => {
  fake = await TelegramFake.start();
  fake.supergroup(-1001, "Finance", []);
  folder = mkdtempSync(join(tmpdir(), "holdpoint-chats-"));
  const path = join(folder, "holdpoint.yaml");
  const bot = { kind: "telegram", token_env: "CHATS_BOT_TOKEN", api_url: fake.origin, to: ["-1001"] };
  writeFileSync(path, JSON.stringify({ channels: { telegram: bot } }));
  const env = { HOLDPOINT_CONFIG: path, CHATS_BOT_TOKEN: fake.token };
  on = stageOn(await serverProcess(env), await openBrowser());
  await on.call("POST", "/v1/people", { id: "ada", name: "Ada Obi" });
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
  await fake?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function channels(page: Page): Promise<void> {
  const made = await on.call("POST", "/v1/sign-ins", { name: "ada", role: "operator" });
  const { pathname, search } = new URL(((await made.json()) as { url: string }).url);
  await page.goto(on.server.url + pathname + search);
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  await page.goto(`${on.server.url}/console/channels`);
  await page.getByRole("heading", { name: "Chats" }).waitFor();
}

test("a person links their account with the code that the Channels page makes", async () => {
  const page = await on.page(DESKTOP);
  await channels(page);
  await page.getByText(`@${fake.bot.username}`).waitFor();
  await page.getByRole("button", { name: "Link your account" }).click();
  const code = await page.locator(".app-secret code").innerText();
  const ada = fake.user(1, "Ada");
  fake.write(ada, fake.privateChat(ada), code);
  await fake.until(() => fake.fromBot(fake.privateChat(ada)).length > 0);
  await page.reload();
  await page.getByText("Your accounts: Telegram.").waitFor();
});

test("the page says how to connect another platform, never asks for a token, and fits a phone", async () => {
  const page = await on.page(PHONE);
  await channels(page);
  await page.getByText("Connect Slack").click();
  await page.getByText("connections:write").waitFor();
  expect(await page.locator("details[open] pre").allInnerTexts()).toEqual([
    expect.stringContaining("socket_mode_enabled"),
    expect.stringContaining("app_token_env: SLACK_APP_TOKEN"),
  ]);
  expect(await page.getByText("Connect Telegram").count()).toBe(0);
  expect(await page.locator("section", { hasText: "Chats" }).first().locator("input").count()).toBe(0);
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
});
