/** The console with many open holds: bounds that do not depend on the machine. */

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { type CrowdedInbox, crowdedInbox } from "../../packages/server/bench/crowded-inbox.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { DESKTOP, PHONE, type Stage, stageOn, violations, widthLeft } from "./support.ts";

const ELEMENTS_MAX = 6_000;
/** Of one page that is opened: the list, the hold beside it, counts, filters, people, who looks. */
const REQUESTS_PER_PAGE_MAX = 12;

export function testCrowdedInbox(holds: number): void {
  let inbox: CrowdedInbox;
  let on: Stage;
  beforeAll(async () => {
    inbox = await crowdedInbox(holds);
    on = stageOn({ url: inbox.url, key: "" }, await openBrowser());
  }, 600_000);
  afterAll(async () => {
    await on?.[Symbol.asyncDispose]();
    await inbox?.[Symbol.asyncDispose]();
  });

  // Left for the next test, whose page then has its scripts already.
  let opened: Page | undefined;
  afterEach(async () => {
    if (opened !== undefined) await on.leave(opened);
    opened = undefined;
  });

  async function signedIn(look: typeof DESKTOP | typeof PHONE = DESKTOP): Promise<Page> {
    const page = await on.page(look);
    opened = page;
    await page.goto(await inbox.signIn());
    await page.locator(".app-row").first().waitFor();
    return page;
  }

  /** Counts what a page asks the API for, from now on. */
  function counted(page: Page) {
    const paths: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith("/v1/") && pathname !== "/v1/events") paths.push(pathname + search);
    });
    return paths;
  }

  const elements = (page: Page) => page.evaluate(() => document.querySelectorAll("*").length);

  test("the inbox opens with a bounded number of elements and requests, however many holds wait", async () => {
    const page = await signedIn();
    const asked = counted(page);
    await page.goto(`${inbox.url}/console`);
    await page.locator(".app-look").getByRole("button", { name: "Approve" }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await elements(page)).toBeLessThan(ELEMENTS_MAX);
    expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(REQUESTS_PER_PAGE_MAX);
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.getByText("1,000+ waiting").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("scrolling fetches further pages and keeps the number of elements bounded; the place survives a reload", async () => {
    const page = await signedIn();
    for (let round = 0; round < 8; round += 1) {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await expect.poll(() => page.locator(".app-row").count()).toBeGreaterThan(0);
      await page.waitForFunction(
        (n) => document.documentElement.scrollHeight > n * 5_000,
        Math.min(round, 5),
      );
    }
    expect(await elements(page)).toBeLessThan(ELEMENTS_MAX);
    await expect.poll(() => new URL(page.url()).searchParams.get("at")).not.toBeNull();
    const first = await page.locator(".app-row strong").first().innerText();
    await page.reload();
    await page.getByText("You are further down the list.", { exact: false }).waitFor();
    const again = await page.locator(".app-row strong").first().innerText();
    expect(orderIn(again)).toBeGreaterThan(150);
    expect(orderIn(first)).toBeGreaterThan(150);
    await page.getByText("Back to the most urgent", { exact: false }).click();
    await page.getByText("order 1?").first().waitFor();
  });

  test("filters, marks and the open hold are in the address and survive a reload", async () => {
    const page = await signedIn();
    await page.getByText("Filters, order and groups").click();
    await page.getByLabel("Tool", { exact: true }).selectOption("refund");
    await expect.poll(() => new URL(page.url()).searchParams.get("tool")).toBe("refund");
    await page.locator(".app-row").getByText("Allow refund for order 5?").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    const { searchParams } = new URL(page.url());
    expect(searchParams.get("hold")).toMatch(/^hold_/);
    expect(searchParams.get("marked")).toBe(searchParams.get("hold"));
    await page.reload();
    await page.locator(".app-row.app-current").waitFor();
    expect(await page.locator(".app-row input:checked").count()).toBe(1);
    await page.getByText("1 marked").waitFor();
    for (const name of await page.locator(".app-row code").allInnerTexts()) expect(name).toBe("refund");
  });

  test("typing a search does not flood the server, and finds one hold among all", async () => {
    const page = await signedIn();
    const asked = counted(page);
    await page.keyboard.press("/");
    // The last: what is typed also finds words that begin with it.
    await page.keyboard.type(`order ${holds - 1}?`);
    const rows = () => page.locator(".app-row strong").allInnerTexts();
    await expect.poll(rows, { timeout: 8_000 }).toHaveLength(1);
    expect(asked.filter((path) => path.includes("q=")).length).toBeLessThanOrEqual(3);
    expect(await page.locator(".app-row").innerText()).toContain(`order ${holds - 1}?`);
  });

  test("fifty events a second cause a few requests a second, not one for each event", async () => {
    const page = await signedIn();
    await page.getByText("Live", { exact: true }).waitFor();
    const asked = counted(page);
    const from = Date.now();
    const sent: Promise<unknown>[] = [];
    for (let n = 0; n < (inject("isFull") ? 100 : 50); n += 1) {
      sent.push(placeAndCancel(inbox));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await Promise.all(sent);
    const seconds = Math.ceil((Date.now() - from) / 1_000) + 1;
    expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(seconds * 8);
    expect(await elements(page)).toBeLessThan(ELEMENTS_MAX);
  });

  test("groups by agent and by tool open to their most urgent holds", async () => {
    const page = await signedIn(PHONE);
    await page.goto(`${inbox.url}/console?group=agent`);
    await page
      .getByRole("button", { name: /^agent-\d+/ })
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: /^agent-\d+/ }).count()).toBe(12);
    await expect.poll(() => page.locator(".app-row").count()).toBe(10);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  });

  test("no page above had an error or a policy violation", () => {
    expect(on.trouble).toEqual([]);
  });
}

function orderIn(text: string): number {
  return Number(/order (\d+)/.exec(text)?.[1] ?? -1);
}

/** Two events. */
async function placeAndCancel(inbox: CrowdedInbox): Promise<void> {
  const ask = { type: "approval", prompt: "Passing by?" };
  const { id } = (await (await inbox.call("POST", "/v1/holds", ask)).json()) as { id: string };
  await inbox.call("POST", `/v1/holds/${id}/cancel`, {});
}
