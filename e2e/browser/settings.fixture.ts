/** The settings page of a server in this process, for tests of its forms. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { NO_PLATFORM, type Platform } from "../../packages/server/src/kernel/platform.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { type Served, served } from "./served.ts";
import { DESKTOP, type Stage, stageOn } from "./support.ts";

export const DAY_MS = 86_400_000;
export let site: Served;
export let on: Stage;

/** Call it once in a test file: files of one process share this module, and each needs its hooks. */
export function withSettings(): void {
  beforeAll(async () => {
    const notify = { allow: [], channels: { mail: [] }, kinds: { mail: "email" } };
    const kept = { retainMs: 30 * DAY_MS, inlineAnswers: true };
    site = await served(() => ({ platform: { ...NO_PLATFORM, notify, ...kept }, redact: ["\\d{16}"] }));
    on = stageOn({ url: site.url, key: site.server.keys.admin }, await openBrowser());
    await on.call("POST", "/v1/people", { id: "ada", name: "Ada Obi", role: "admin" });
    await on.call("POST", "/v1/people", { id: "kim", name: "Kim Lee" });
  });
  afterAll(async () => {
    await on?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    on.trouble.length = 0;
  });
}

export const platform = (): Platform => site.server.server.engine.platform;

export async function settings(look: object = DESKTOP): Promise<Page> {
  const page = await on.page(look);
  await on.signIn(page, { path: "/console/settings" });
  await page.getByRole("heading", { name: "Settings of the server" }).waitFor();
  return page;
}

export async function save(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByText("Saved.", { exact: true }).waitFor();
}

export async function history(page: Page, words: string): Promise<void> {
  const changes = page.locator("details", { hasText: "What changed here" });
  if ((await changes.getAttribute("open")) === null) await changes.getByText("What changed here").click();
  await changes.getByText(words).waitFor();
}
