/** A mail server and a rota are connected in the console of a real browser, tried, used, changed and removed, with history. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MailServer } from "../../packages/server/src/testing/mail-server.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { type Served, served } from "./served.ts";
import { DESKTOP, PHONE, type Stage, stageOn, violations, widthLeft } from "./support.ts";

const LOGIN = { user: "holdpoint", password: "SMTP-PASSWORD" };
let mail: MailServer;
let site: Served;
let on: Stage;
beforeAll(async () => {
  mail = await MailServer.start({ login: LOGIN });
  site = await served(() => ({}));
  on = stageOn({ url: site.url, key: site.server.keys.admin }, await openBrowser());
  const ada = { id: "ada", name: "Ada Obi", role: "admin", email: "ada@example.com" };
  await on.call("POST", "/v1/people", ada);
  await on.call("POST", "/v1/people", { id: "kim", name: "Kim Lee" });
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

async function history(page: Page, words: string): Promise<void> {
  const changes = page.locator("details", { hasText: "What changed here" });
  if ((await changes.getAttribute("open")) === null) await changes.getByText("What changed here").click();
  await changes.getByText(words).waitFor();
}

test("an admin connects a mail server on a phone; a wrong password is named, a test mail arrives, and no password stays on the page", async () => {
  const page = await on.page(PHONE);
  await on.signIn(page, { path: "/console/channels" });
  const panel = page.getByRole("region", { name: "E-mail" });
  await panel.getByText("Connect a mail server").click();
  await panel.getByRole("textbox", { name: "Host" }).fill("127.0.0.1");
  await panel.getByRole("textbox", { name: "Port" }).fill(new URL(mail.url).port);
  await panel.getByLabel("Encryption").selectOption("optional");
  await panel.getByRole("textbox", { name: "User" }).fill(LOGIN.user);
  await panel.getByRole("textbox", { name: "Password" }).fill("GUESSED");
  await panel.getByLabel("Sender").fill("Holdpoint <holdpoint@example.com>");
  await panel.getByRole("button", { name: "Connect it" }).click();
  await panel.getByText("refused the user and the password", { exact: false }).waitFor();
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  await panel.getByRole("textbox", { name: "Password" }).fill(LOGIN.password);
  await panel.getByRole("button", { name: "Connect it" }).click();
  await panel.getByText("from Holdpoint <holdpoint@example.com> by 127.0.0.1").waitFor();
  expect(await page.content()).not.toContain(LOGIN.password);
  await panel.getByRole("button", { name: "Send a test message by mail" }).click();
  await panel.getByText("nobody has answered it yet", { exact: false }).waitFor();
  await mail.received(1);
  expect(mail.mails[0]?.to).toEqual(["ada@example.com"]);

  await panel.getByText("Change mail").click();
  await panel.getByLabel("Address to ask").first().fill("team@example.com");
  await panel.getByRole("button", { name: "Save the mail server" }).click();
  await panel.getByText("asks team@example.com", { exact: false }).waitFor();
  await history(page, "Ada Obi connected mail for e-mail");
  await panel.getByRole("button", { name: "Disconnect mail" }).click();
  await panel.getByRole("button", { name: "Yes, disconnect mail" }).click();
  await panel.getByText("No mail server is connected yet.").waitFor();
  await history(page, "Ada Obi disconnected the channel mail");
  await on.leave(page);
});

test("an admin adds a rota, sees who is on call now and next, changes and removes it; an operator only reads it", async () => {
  const page = await on.page(DESKTOP);
  await on.signIn(page, { path: "/console/people" });
  const panel = page.getByRole("region", { name: "On call" });
  await panel.getByText("Add a rota").click();
  await panel.getByLabel("Name, as ladders").fill("ops");
  await panel.getByLabel("People in the order").fill("kim\nada");
  await panel.getByLabel("A turn lasts").fill("weekly");
  await panel.getByLabel("The first turn begins").fill("2026-01-05T08:00:00Z");
  await panel.getByRole("button", { name: "Save the rota" }).click();
  await panel.getByRole("alert").getByText("duration", { exact: false }).waitFor();
  await panel.getByLabel("A turn lasts").fill("3650d");
  await panel.getByRole("button", { name: "Save the rota" }).click();
  await panel.getByText("now Kim Lee", { exact: false }).waitFor();
  await panel.getByText("next Ada Obi", { exact: false }).waitFor();
  expect(await violations(page)).toEqual([]);

  const row = panel.getByRole("listitem").filter({ hasText: "ops" });
  await row.getByText("Change ops").click();
  await row.getByLabel("People in the order").fill("lin");
  await row.getByRole("button", { name: "Save the rota" }).click();
  await row.getByText("not a person here", { exact: false }).first().waitFor();
  await history(
    page,
    "Ada Obi changed the rota ops from Kim Lee, Ada Obi, every 3650 d to lin, every 3650 d",
  );
  const reader = await on.page(PHONE);
  await on.signIn(reader, { name: "kim", role: "operator", path: "/console/people" });
  await reader.getByText("Admins of the workspace default change rotas.").waitFor();
  expect(await reader.getByText("Change ops").count()).toBe(0);
  expect(await widthLeft(reader)).toBeLessThanOrEqual(0);
  await on.leave(reader);
  await row.getByRole("button", { name: "Remove ops" }).click();
  await row.getByRole("button", { name: "Yes, remove ops" }).click();
  await panel.getByText("No rotas yet").waitFor();
  await on.leave(page);
});
