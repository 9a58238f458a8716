/** Webhook channels are connected in the console of a real browser, tried, used, changed and removed, with history. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Receiver } from "../../packages/server/src/testing/receiver.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { type Served, served } from "./served.ts";
import { DESKTOP, PHONE, type Stage, stageOn, violations, widthLeft } from "./support.ts";

const TITLE = "Teams, PagerDuty, ntfy and your own receivers";
let receiver: Receiver;
let site: Served;
let on: Stage;
beforeAll(async () => {
  receiver = await Receiver.start();
  site = await served(() => ({}));
  on = stageOn({ url: site.url, key: site.server.keys.admin }, await openBrowser());
  await on.call("POST", "/v1/people", { id: "ada", name: "Ada Obi", role: "admin" });
  await on.call("POST", "/v1/people", { id: "kim", name: "Kim Lee" });
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});

async function history(page: Page, words: string): Promise<void> {
  const changes = page.locator("details", { hasText: "What changed here" });
  if ((await changes.getAttribute("open")) === null) await changes.getByText("What changed here").click();
  await changes.getByText(words).waitFor();
}

test("an admin connects PagerDuty on a phone; a wrong key is named, a test alert is delivered, and no key stays on the page", async () => {
  const page = await on.page(PHONE);
  await on.signIn(page, { path: "/console/channels" });
  const panel = page.getByRole("region", { name: TITLE });
  const form = panel.locator("details", { hasText: "Connect PagerDuty" });
  await form.getByText("Connect PagerDuty").click();
  await form.getByRole("textbox", { name: "Address" }).fill(receiver.url("/v2/enqueue"));
  await form.getByRole("textbox", { name: "Integration key" }).fill("R0UTING-KEY");
  receiver.answer = () => 400;
  await form.getByRole("button", { name: "Connect it" }).click();
  await form.getByText("did not take the trial message: http_400", { exact: false }).waitFor();
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  receiver.answer = () => 202;
  await form.getByRole("button", { name: "Connect it" }).click();
  await panel.getByText("PagerDuty at http://127.0.0.1", { exact: false }).waitFor();
  expect(await page.content()).not.toContain("R0UTING-KEY");
  expect(receiver.requests.map(({ body }) => JSON.parse(body).event_action)).toEqual(["resolve", "resolve"]);

  receiver.answer = () => 503;
  await panel.getByRole("button", { name: "Send a test message by pagerduty" }).click();
  await panel.getByText("it was not delivered yet (http 503) and is tried again", { exact: false }).waitFor();
  receiver.answer = () => 202;
  await panel.getByRole("button", { name: "Send a test message by pagerduty" }).click();
  await panel.getByText("it was delivered; nobody has answered it yet", { exact: false }).waitFor();
  expect(JSON.parse(receiver.requests.at(-1)?.body ?? "")).toMatchObject({ event_action: "trigger" });

  const row = panel.getByRole("listitem").filter({ hasText: "PagerDuty at" });
  await row.getByText("Change pagerduty").click();
  await row.getByRole("textbox", { name: "New address" }).fill(receiver.url("/elsewhere"));
  await row.getByRole("button", { name: "Save the channel" }).click();
  await row.getByText("give the secret again", { exact: false }).waitFor();
  await history(page, "Ada Obi connected pagerduty for PagerDuty");
  await row.getByRole("button", { name: "Disconnect pagerduty" }).click();
  await row.getByRole("button", { name: "Yes, disconnect pagerduty" }).click();
  await panel.getByText("None is connected yet.").waitFor();
  await history(page, "Ada Obi disconnected the channel pagerduty");
  await on.leave(page);
});

test("an operator sees the channels and is offered nothing that would be refused", async () => {
  const hook = { platform: "webhook", url: receiver.url("/hook") };
  expect((await on.call("PUT", "/v1/channels/hook", hook)).status).toBe(200);
  const page = await on.page(DESKTOP);
  await on.signIn(page, { name: "kim", role: "operator", path: "/console/channels" });
  await page.getByText("a webhook at http://127.0.0.1", { exact: false }).waitFor();
  await page.getByText("Admins of the workspace default connect and change these.").waitFor();
  for (const words of [/^Connect /, /^Change /])
    expect(await page.locator("summary", { hasText: words }).count()).toBe(0);
  for (const words of [/^Disconnect /, /^Send a test/])
    expect(await page.getByRole("button", { name: words }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await on.leave(page);
});
