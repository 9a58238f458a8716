/** Whole flows of the console by keyboard alone, in a real browser. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stage } from "./shared.ts";
import { ASKS, DESKTOP, type Stage, tabTo } from "./support.ts";

let on: Stage;
let page: Page;
beforeAll(async () => {
  on = await stage();
  await on.call("POST", "/v1/people", { id: "ada", name: "Ada Obi" });
  page = await on.page(DESKTOP);
  await on.signIn(page);
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

function undoSeconds(seconds: string): Promise<void> {
  return page.evaluate((value) => localStorage.setItem("holdpoint.undo-seconds", value), seconds);
}

/** Finds it with Tab, as somebody without a mouse does, and presses Enter. */
async function press(role: "button" | "link", name: string): Promise<void> {
  await page.getByRole(role, { name }).first().waitFor();
  await tabTo(page, name);
  await page.keyboard.press("Enter");
}

test("a hold is found in the inbox, answered, taken back with undo, and answered again", async () => {
  await undoSeconds("30");
  const hold = await on.place({ ...ASKS.approval, prompt: "By keyboard?" });
  await page.getByRole("link", { name: "By keyboard?" }).waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { name: "By keyboard?" }).waitFor();
  await page.keyboard.press("a");
  await page.keyboard.press("Enter");
  const pending = page.getByRole("region", { name: "Answers on their way" });
  await pending.getByText("By keyboard?").waitFor();
  await page.keyboard.press("u");
  await page.locator(`#row-${hold.id}`).waitFor();
  expect((await on.read(hold.id)).status).toBe("open");
  await undoSeconds("0");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/console/holds/${hold.id}`);
  await press("button", "Approve");
  await page.getByRole("heading", { name: "Approved" }).waitFor();
  expect((await on.read(hold.id)).outcome).toMatchObject({ action: "approve", door: "console" });
});

test("rules are changed and published", async () => {
  await press("link", "Rules");
  await press("button", "Change the rules");
  await tabTo(page, "Rules, as JSON");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText('{ "rules": [{ "tools": ["report"], "verdict": "allow" }] }');
  await page.getByText("Allow calls of report.").waitFor();
  await press("button", "Publish");
  await press("button", "Yes, publish");
  await page.getByRole("heading", { name: "Version 1" }).waitFor();
});

test("a person is added and invited", async () => {
  await press("link", "People and keys");
  await page.getByLabel("Person's name").waitFor();
  await tabTo(page, "Person's name");
  await page.keyboard.insertText("Lin Wu");
  await press("button", "Add the person");
  await page.getByRole("heading", { name: "Lin Wu", level: 1 }).waitFor();
  await press("button", "Make a one-time link");
  await page.getByText("/signin/link?token=").waitFor();
});

test("no page above had an error or a policy violation", () => {
  expect(on.trouble).toEqual([]);
});
