/** The Channels page sets a chat up and links a person's account; the person's page unlinks it, and says how and when they are asked. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TelegramFake } from "../../packages/server/src/testing/chat/telegram-fake.ts";
import { serverProcess } from "../support/server-process.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { DESKTOP, goInConsole, PHONE, type Stage, stageOn, violations, widthLeft } from "./support.ts";

let on: Stage;
let fake: TelegramFake;
/** The platform of the bot that is connected in the console. */
let other: TelegramFake;
let folder: string;
beforeAll(async () => {
  fake = await TelegramFake.start();
  fake.supergroup(-1001, "Finance", []);
  other = await TelegramFake.start();
  other.supergroup(-2002, "Ops", []);
  folder = mkdtempSync(join(tmpdir(), "holdpoint-chats-"));
  const path = join(folder, "holdpoint.yaml");
  const bot = { kind: "telegram", token_env: "CHATS_BOT_TOKEN", api_url: fake.origin, to: ["-1001"] };
  writeFileSync(
    path,
    JSON.stringify({ channels: { telegram: bot }, chat_api_urls: { telegram: other.origin } }),
  );
  const env = { HOLDPOINT_CONFIG: path, CHATS_BOT_TOKEN: fake.token };
  on = stageOn(await serverProcess(env), await openBrowser());
  await on.call("POST", "/v1/people", { id: "ada", name: "Ada Obi" });
  await on.call("POST", "/v1/people", { id: "kim", name: "Kim Lee" });
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
  await fake?.[Symbol.asyncDispose]();
  await other?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function channels(page: Page): Promise<void> {
  await on.signIn(page, { path: "/console/channels" });
  await page.getByRole("heading", { name: "Chats" }).waitFor();
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries and asserts on it.
async function ada(): Promise<any> {
  const { people } = (await (await on.call("GET", "/v1/people")).json()) as { people: { id: string }[] };
  return people.find(({ id }) => id === "ada");
}

async function second(): Promise<{ readonly to: readonly string[] } | undefined> {
  const { channels: list } = (await (await on.call("GET", "/v1/channels")).json()) as {
    channels: { name: string; to: string[] }[];
  };
  return list.find(({ name }) => name === "second");
}

test("a person links their account with the code that the Channels page makes, and an admin unlinks it after a second press", async () => {
  const page = await on.page(DESKTOP);
  await channels(page);
  await page.getByText(`@${fake.bot.username}`).waitFor();
  await page.getByRole("button", { name: "Link your account" }).click();
  const code = await page.locator(".app-secret code").innerText();
  const chat = fake.privateChat(fake.user(1, "Ada"));
  fake.write(fake.user(1, "Ada"), chat, code);
  await fake.until(() => fake.fromBot(chat).length > 0);
  await page.reload();
  await page.getByText("Your accounts: Telegram.").waitFor();
  await goInConsole(page, "/console/people/ada");
  const account = page.getByRole("listitem").filter({ hasText: "telegram" });
  await account.getByRole("button", { name: "Unlink" }).click();
  expect((await ada()).accounts).toMatchObject([{ platform: "telegram", user_id: "1" }]);
  await account.getByRole("button", { name: "Yes, unlink" }).click();
  await page.getByText("No accounts are linked.").waitFor();
  expect((await ada()).accounts).toEqual([]);
  await on.leave(page);
});

test("an admin connects a bot by its token, sends a test message, changes and disconnects it; no token stays on the page", async () => {
  const page = await on.page(DESKTOP);
  await channels(page);
  await page.getByText("Connect Telegram", { exact: true }).click();
  const form = page.locator("details[open] form");
  await form.getByLabel("Name of the channel").fill("second");
  await form.getByLabel("Token of the bot").fill("123456:wrong-token");
  await form.getByLabel("Chats to ask").fill("-2002");
  await form.getByRole("button", { name: "Connect the bot" }).click();
  await page.getByText("telegram refused the token", { exact: false }).waitFor();
  await form.getByLabel("Token of the bot").fill(other.token);
  await form.getByRole("button", { name: "Connect the bot" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "second" }).first();
  await row.getByText(`@${other.bot.username}`).waitFor();
  await row.getByText("listening").waitFor();
  expect(await page.content()).not.toContain(other.token);
  expect(await form.getByLabel("Token of the bot").inputValue()).toBe("");

  await row.getByRole("button", { name: "Send a test message by second" }).click();
  await row.getByText("nobody has answered it yet", { exact: false }).waitFor();
  const group = other.supergroup(-2002, "Ops", []);
  await other.until(() => other.fromBot(group).length === 1);
  expect(other.fromBot(group)[0]?.text).toContain("Does this button work?");

  await row.getByText("Change second").click();
  await row.getByLabel("Chats to ask").fill("");
  await row.getByRole("button", { name: "Save the chat" }).click();
  await expect.poll(async () => (await second())?.to).toEqual([]);
  await page.getByText("What changed here").click();
  await page.getByText("Ada Obi connected second on telegram").waitFor();
  await row.getByRole("button", { name: "Disconnect second" }).click();
  await row.getByRole("button", { name: "Yes, disconnect second" }).click();
  await expect.poll(second).toBeUndefined();
  await on.leave(page);
});

test("an operator reads who may connect chats and see webhooks, links an account, and is offered nothing that is refused", async () => {
  const page = await on.page(DESKTOP);
  await on.signIn(page, { name: "kim", role: "operator", path: "/console/channels" });
  await page.getByText("Admins of the workspace default connect and change chats.").waitFor();
  await page.getByText("Admins see and change the webhooks.").waitFor();
  await page.getByRole("button", { name: "Link your account" }).waitFor();
  for (const words of ["Connect Telegram", "Connect Slack", "Connect Discord", "Send a test message"])
    expect(await page.getByText(words).count()).toBe(0);
  expect(await page.getByLabel("Address of a webhook").count()).toBe(0);
  expect(await page.getByRole("alert").count()).toBe(0);
  await on.leave(page);
});

test("the page says how to make a bot on each platform, and fits a phone", async () => {
  const page = await on.page(PHONE);
  await channels(page);
  await page.getByText("Connect Slack", { exact: true }).click();
  await page.getByText("connections:write").waitFor();
  expect(await page.locator("details[open] pre").allInnerTexts()).toEqual([
    expect.stringContaining("socket_mode_enabled"),
  ]);
  await page.getByLabel("App-level token").waitFor();
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  await on.leave(page);
});

test("the person's page keeps the preferred channel, the quiet hours and an absence, and ends them again", async () => {
  const page = await on.page(DESKTOP);
  await on.signIn(page, { path: "/console/people/ada" });
  await page.getByLabel("Preferred channel").fill("telegram");
  await page.getByLabel("Quiet from").fill("22:00");
  await page.getByLabel("Quiet until").fill("07:00");
  await page.getByRole("button", { name: "Save the notifications" }).click();
  const wanted = { preferred_channel: "telegram", quiet_hours: { from: "22:00", until: "07:00" } };
  await expect.poll(ada).toMatchObject(wanted);
  await page.getByLabel("Preferred channel").fill("");
  await page.getByLabel("Quiet from").fill("");
  await page.getByRole("button", { name: "Save the notifications" }).click();
  await expect.poll(async () => Object.keys(await ada())).not.toContain("quiet_hours");
  expect(await ada()).not.toHaveProperty("preferred_channel");

  await page.getByLabel("Away from").fill("2030-01-02T08:00");
  await page.getByLabel("Back at").fill("2030-01-09T08:00");
  await page.getByLabel("Who stands in").selectOption("kim");
  await page.getByRole("button", { name: "Save the absence" }).click();
  await page.getByText("Kim Lee stands in.", { exact: false }).waitFor();
  expect((await ada()).out_of_office).toMatchObject({ delegate: "kim" });
  await page.getByRole("button", { name: "End the absence" }).click();
  await expect.poll(async () => Object.keys(await ada())).not.toContain("out_of_office");
  await on.leave(page);
});

test("no page above had an error or a policy violation", () => {
  expect(on.trouble).toEqual([]);
});
