/** Work on holds in the console: taking back, assigning, talking, putting off, comparing, looking offline. */

import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stage } from "./shared.ts";
import { ASKS, DESKTOP, goInConsole, PHONE, type Stage, violations, widthLeft } from "./support.ts";

let on: Stage;
beforeAll(async () => {
  on = await stage();
  await on.call("POST", "/v1/people", { id: "kim", name: "Kim Lee" });
});
afterAll(async () => {
  for (const page of signed.values()) if (!page.isClosed()) await on.leave(page);
  await on?.[Symbol.asyncDispose]();
});

const signed = new Map<string, Page>();

/** Each person signs in once with each look; the next test continues on that page, in the inbox. */
async function signedIn(name = "ada", look: BrowserContextOptions = DESKTOP): Promise<Page> {
  const who = JSON.stringify([name, look]);
  const before = signed.get(who);
  if (before !== undefined && !before.isClosed()) {
    if (look.viewport) await before.setViewportSize(look.viewport);
    await before.evaluate(() => localStorage.clear());
    await goInConsole(before, "/console");
    await before.getByRole("heading", { name: "Inbox" }).waitFor();
    return before;
  }
  const page = await on.page(look);
  signed.set(who, page);
  await on.signIn(page, { name });
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  return page;
}

const REFUND = { tool: "refund", args: { order: "1042", amount: 80, currency: "EUR" } };

test("a row shows amount, tool, risk, votes, time left and who is on it", async () => {
  const decision = { approve: [{ need: 2, from: ["person:kim", "person:ada"] }] };
  await on.call("POST", "/v1/people", { id: "ada", name: "Ada Obi" });
  const context = { ...REFUND, risk: "high" };
  const hold = await on.place({ ...ASKS.approval, prompt: "Refund it?", context, decision, timeout: "2h" });
  await on.call("POST", `/v1/holds/${hold.id}/assign`, { to: "kim" });
  const page = await signedIn();
  const row = page.locator(`#row-${hold.id}`);
  for (const words of ["80.00 EUR", "refund", "high risk", "0 of 2", "Kim Lee is on it"])
    await row.getByText(words, { exact: true }).waitFor();
  await row.getByText(/1 h 59 min left|2 h left/).waitFor();
  await on.call("POST", `/v1/holds/${hold.id}/cancel`, {});
});

test("an answer can be taken back for five seconds, and counts only then", async () => {
  const hold = await on.place({ ...ASKS.approval, prompt: "Undo me?" });
  const page = await signedIn();
  await page.clock.install();
  await page.reload();
  const look = page.getByRole("region", { name: "Selected" });
  await look.getByRole("button", { name: "Approve" }).click();
  const pending = page.getByRole("region", { name: "Answers on their way" });
  await pending.getByText("Undo me?").waitFor();
  expect(await page.locator(`#row-${hold.id}`).count()).toBe(0);
  expect((await on.read(hold.id)).status).toBe("open");
  await page.keyboard.press("u");
  await page.locator(`#row-${hold.id}`).waitFor();
  await page.clock.runFor(10_000);
  expect((await on.read(hold.id)).status).toBe("open");
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await look.getByRole("button", { name: "Approve" }).click();
  await page.clock.runFor(4_900);
  await pending.getByText("counts in 1 s").waitFor();
  expect((await on.read(hold.id)).status).toBe("open");
  await page.clock.runFor(100);
  await page.clock.resume();
  await page.getByText("Recorded:").waitFor();
  expect((await on.read(hold.id)).outcome).toMatchObject({ action: "approve", door: "console" });
  await page.context().close();
});

test("who is sure sends an answer at once", async () => {
  const hold = await on.place({ ...ASKS.approval, prompt: "Sure?" });
  const page = await signedIn();
  await page.evaluate(() => localStorage.setItem("holdpoint.undo-seconds", "30"));
  const look = page.getByRole("region", { name: "Selected" });
  await look.getByRole("button", { name: "Approve" }).click();
  const pending = page.getByRole("region", { name: "Answers on their way" });
  expect(await violations(page)).toEqual([]);
  await pending.getByRole("button", { name: "Send now" }).click();
  await page.getByText("Recorded:").waitFor();
  expect((await on.read(hold.id)).status).toBe("decided");
});

test("a hold is taken, handed over, put off and given more time", async () => {
  const hold = await on.place({ ...ASKS.approval, prompt: "Whose is it?", timeout: "1h" });
  const page = await signedIn();
  const desk = page.getByRole("region", { name: "Work on this hold" });
  await desk.getByText("Nobody is on it yet.").waitFor();
  await desk.getByRole("button", { name: "Take it" }).click();
  await expect.poll(async () => (await on.read(hold.id)).assignee).toBe("ada");
  await desk.getByLabel("Hand over to").selectOption("kim");
  await desk.getByText("Kim Lee is on it.").waitFor();
  const before = Date.parse((await on.read(hold.id)).expires_at);
  await desk.getByLabel("More time").selectOption("4h");
  await expect.poll(async () => Date.parse((await on.read(hold.id)).expires_at) - before).toBe(4 * 3_600_000);
  await desk.getByLabel("Snooze").selectOption("1h");
  await page.getByText("1 hold is snoozed by you.").waitFor();
  expect(await page.locator(`#row-${hold.id}`).count()).toBe(0);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.locator(`#row-${hold.id}`).waitFor();
  await on.call("POST", `/v1/holds/${hold.id}/cancel`, {});
});

test("people comment and ask back, and the agent's reply appears by itself", async () => {
  const hold = await on.place({ ...ASKS.approval, prompt: "Pay it?" });
  const page = await signedIn("ada", PHONE);
  await page.goto(`${on.server.url}/console/holds/${hold.id}`);
  const comments = page.getByRole("region", { name: "Comments" });
  await comments.getByLabel("Write a comment").fill("Which invoice?");
  await comments.getByLabel("Ask the agent.", { exact: false }).check();
  await comments.getByRole("button", { name: "Send" }).click();
  await comments.getByText("asks the agent").waitFor();
  expect((await on.read(hold.id)).comments).toMatchObject([{ text: "Which invoice?", asks_back: true }]);
  await on.call("POST", `/v1/holds/${hold.id}/comments`, { text: "Number 7." });
  await comments.getByText("Number 7.").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  await on.call("POST", `/v1/holds/${hold.id}/cancel`, {});
});

test("who else looks at the same hold is named", async () => {
  const hold = await on.place({ ...ASKS.approval, prompt: "Both look" });
  const [one, other] = [await signedIn("ada"), await signedIn("kim")];
  await one.goto(`${on.server.url}/console/holds/${hold.id}`);
  await one.getByRole("heading", { name: "Both look" }).waitFor();
  await one.getByRole("region", { name: "Work on this hold" }).waitFor();
  await expect
    .poll(async () => {
      await other.goto(`${on.server.url}/console/holds/${hold.id}`);
      await other.getByRole("region", { name: "Work on this hold" }).waitFor();
      return other.getByText("Also looking at this: Ada Obi.").isVisible();
    })
    .toBe(true);
  await on.call("POST", `/v1/holds/${hold.id}/cancel`, {});
});

test("a reason is chosen, or kept for next time, and the agent reads it", async () => {
  const hold = await on.place({ ...ASKS.approval, prompt: "Spend it?" });
  const page = await signedIn();
  const desk = page.getByRole("region", { name: "Work on this hold" });
  await desk.getByText("Reject because").click();
  await desk.getByLabel("A reason of your own").fill("The budget is spent");
  await desk.getByRole("button", { name: "Keep it" }).click();
  await desk.getByRole("button", { name: "The budget is spent" }).click();
  await expect
    .poll(() => page.getByLabel("Why not?", { exact: true }).inputValue())
    .toBe("The budget is spent");
  await page
    .getByRole("region", { name: "Selected" })
    .getByRole("button", { name: "Reject", exact: true })
    .click();
  await page.getByRole("button", { name: "Send now" }).click();
  await page.getByText("Recorded:").waitFor();
  expect((await on.read(hold.id)).outcome).toMatchObject({
    action: "reject",
    data: { feedback: "The budget is spent" },
  });
});

test("marked holds are compared side by side, with what differs marked", async () => {
  const place = (n: number) =>
    on.place({
      ...ASKS.approval,
      prompt: `Compare ${n}`,
      context: { tool: "refund", args: { amount: n, currency: "EUR" } },
    });
  const holds = [await place(1), await place(2)];
  const page = await signedIn();
  for (const n of [1, 2]) await page.getByLabel(`Mark: Compare ${n}`).check();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Side by side" });
  expect(await dialog.locator("mark").allInnerTexts()).toEqual(["1", "2"]);
  expect(await dialog.getByRole("row", { name: /args.currency EUR EUR/ }).count()).toBe(1);
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).click();
  for (const { id } of holds) await on.call("POST", `/v1/holds/${id}/cancel`, {});
});

test("the keys are shown by ? and can be turned off", async () => {
  const hold = await on.place({ ...ASKS.approval, prompt: "Keys" });
  const page = await signedIn();
  await page.locator(`#row-${hold.id}`).waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keys" });
  await dialog.getByText("next hold").waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByLabel("Single keys are on").uncheck();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("x");
  await page.keyboard.press("?");
  expect(await dialog.count()).toBe(0);
  expect(await page.getByText("1 marked").count()).toBe(0);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Single keys are off").check();
  await on.call("POST", `/v1/holds/${hold.id}/cancel`, {});
});

test("focus goes to the heading of the page that somebody goes to, by mouse or by keyboard", async () => {
  const page = await signedIn();
  const focused = () =>
    page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);
  for (const name of ["Overview", "History", "Audit", "Settings"]) {
    await page.getByRole("link", { name, exact: true }).click();
    await expect.poll(focused).toBe(`H1 ${name}`);
  }
  for (const name of ["Playground", "People and keys", "Rules", "Channels", "Inbox"]) {
    await page.getByRole("navigation").getByRole("link", { name }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(focused, { timeout: 8_000 }).toBe(`H1 ${name}`);
  }
});

test("history and audit tell in sentences who did what, and are filtered by the server", async () => {
  const hold = await on.place({ ...ASKS.approval, prompt: "Refund 1042?", context: REFUND });
  const page = await signedIn();
  await page.goto(`${on.server.url}/console/holds/${hold.id}`);
  await page.evaluate(() => localStorage.setItem("holdpoint.undo-seconds", "0"));
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("heading", { name: "Approved" }).waitFor();
  await page.goto(`${on.server.url}/console/audit?ending=approve&tool=refund`);
  const said =
    /^Ada Obi approved “Refund 1042\?”, 80.00 EUR, in the console(?:, \d+ s after it was asked)?\.$/;
  await page.getByText(said).first().waitFor();
  const sentences = await page.locator(".app-timeline summary > span").allInnerTexts();
  for (const sentence of sentences) expect(sentence).not.toMatch(/hold\.|hold_|session|somebody signed in/);
  await page.getByLabel("Ending").selectOption("reject");
  await expect.poll(() => page.getByText(said).count()).toBe(0);
  await page.goto(`${on.server.url}/console/history?tool=refund&door=console`);
  await page.getByRole("row", { name: /Refund 1042\?/ }).waitFor();
  await page.getByLabel("Door").selectOption("page");
  await page.getByText("Nothing decided here").waitFor();
});

test("each number of the overview leads to what it counts", async () => {
  const hold = await on.place({ ...ASKS.approval, prompt: "Soon over", timeout: "30m", context: REFUND });
  const page = await signedIn("ada", PHONE);
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.getByRole("link", { name: /^1 End within an hour/ }).click();
  await page.locator(`#row-${hold.id}`).waitFor();
  expect(new URL(page.url()).searchParams.get("within")).toBe("1 hour");
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.getByRole("table", { name: "By tool" }).getByRole("link", { name: "refund" }).click();
  await page.locator(`#row-${hold.id}`).waitFor();
  await on.call("POST", `/v1/holds/${hold.id}/cancel`, {});
});

test("a round shows what changed since the one before, and an approval what a person changed", async () => {
  const first = await on.place({ ...ASKS.approval, prompt: "Round one", context: REFUND });
  await on.call("POST", `/v1/holds/${first.id}/answer`, { action: "edit", data: { feedback: "Less" } });
  const context = { ...REFUND, args: { ...REFUND.args, amount: 60 } };
  const second = await on.place({ ...ASKS.approval, prompt: "Round two", context, previous: first.id });
  const page = await signedIn("ada", PHONE);
  await page.goto(`${on.server.url}/console/holds/${second.id}`);
  await page.getByRole("row", { name: "/args/amount 80 60" }).waitFor();
  const edited = { action: "approve", data: { edited_args: { ...context.args, amount: 50 } } };
  await on.call("POST", `/v1/holds/${second.id}/answer`, edited);
  await page.getByRole("row", { name: "/amount 60 50" }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
});

test("without a connection the inbox can be read, and an answer is kept, not sent, and shown again with what changed", async () => {
  const hold = await on.place({ ...ASKS.approval, prompt: "Offline?" });
  const page = await signedIn("ada", { ...PHONE, serviceWorkers: "allow" });
  await page.evaluate(async () => {
    localStorage.setItem("holdpoint.undo-seconds", "0");
    await navigator.serviceWorker.ready;
  });
  // Read once with the worker in between, so that it is kept.
  await page.goto(`${on.server.url}/console/holds/${hold.id}`);
  await page.getByRole("heading", { name: "Offline?" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Offline?" }).waitFor();
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole("heading", { name: "Offline?" }).waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Your answer is kept in this browser", { exact: false }).first().waitFor();
  await on.call("POST", `/v1/holds/${hold.id}/comments`, { text: "Wait!" });
  await page.context().setOffline(false);
  await page.reload();
  const unsent = page.getByRole("region", { name: "Answers that were not sent" });
  await unsent.getByText("There is a new comment.").waitFor();
  expect((await on.read(hold.id)).status).toBe("open");
  expect(await violations(page)).toEqual([]);
  await unsent.getByRole("button", { name: "Send “approve” now" }).click();
  await expect.poll(async () => (await on.read(hold.id)).status).toBe("decided");
  await expect.poll(() => unsent.count()).toBe(0);
  await page.context().close();
});

test("after signing out nothing that was read is left in the browser, and other tabs show nothing any more", async () => {
  const hold = await on.place({ ...ASKS.approval, prompt: "Read by Ada" });
  const page = await signedIn("ada", { ...DESKTOP, serviceWorkers: "allow" });
  await page.evaluate(() => navigator.serviceWorker.ready);
  const other = await page.context().newPage();
  await other.goto(`${on.server.url}/console/holds/${hold.id}`);
  await other.evaluate(() => sessionStorage.setItem("holdpoint.playground", "key"));
  await page.goto(`${on.server.url}/console/holds/${hold.id}`);
  await page.getByRole("heading", { name: "Read by Ada" }).waitFor();
  const kept = (of: Page) =>
    of.evaluate(async () => (await caches.keys()).filter((name) => !name.includes("assets")));
  await expect.poll(async () => (await kept(page)).length).toBeGreaterThan(0);
  expect(await kept(page)).not.toContain("holdpoint-reads-1");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "You are signed out" }).waitFor();
  await other.getByRole("heading", { name: "You are signed out" }).waitFor();
  expect(await other.getByText("Read by Ada").count()).toBe(0);
  expect(await other.evaluate(() => sessionStorage.getItem("holdpoint.playground"))).toBeNull();
  await expect.poll(() => kept(page)).toEqual([]);
  await page.context().close();
  await on.call("POST", `/v1/holds/${hold.id}/cancel`, {});
});

test("the console can be installed", async () => {
  const reply = await fetch(`${on.server.url}/console.webmanifest`);
  expect(reply.headers.get("content-type")).toContain("application/manifest+json");
  const manifest = (await reply.json()) as { icons: { src: string; sizes: string }[]; start_url: string };
  expect(manifest.start_url).toBe("/console");
  for (const { src, sizes } of manifest.icons) {
    const icon = Buffer.from(await (await fetch(on.server.url + src)).arrayBuffer());
    expect(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`).toBe(sizes);
  }
  const worker = await fetch(`${on.server.url}/console-worker.js`);
  expect(worker.headers.get("cache-control")).toBe("no-cache");
});

test("“Show” stands in one line beside a sensitive field on a narrow phone", async () => {
  const form = {
    fields: [{ key: "pin", label: "A rather long name of a secret field", type: "text", sensitive: true }],
  };
  const hold = await on.place({ type: "input", prompt: "Secret?", form });
  const page = await on.open(hold, PHONE);
  await page.setViewportSize({ width: 320, height: 640 });
  const button = page.getByRole("button", { name: "Show A rather long name" });
  const lines = await button.evaluate((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  await on.leave(page);
});

test("no page above had an error or a policy violation", () => {
  expect(on.trouble).toEqual([]);
});
