/** The console when things go wrong: refused and repeated answers, several tabs, other people on the same browser, a bad network. */

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { stage } from "./shared.ts";
import { ASKS, DESKTOP, goInConsole, type Placed, type Stage, violations, widthLeft } from "./support.ts";

let on: Stage;
beforeAll(async () => {
  on = await stage();
  await on.call("POST", "/v1/people", { id: "kim", name: "Kim Lee" });
});
afterAll(() => on?.[Symbol.asyncDispose]());
const placed: Placed[] = [];
afterEach(async () => {
  await Promise.all(placed.splice(0).map(({ id }) => on.call("POST", `/v1/holds/${id}/cancel`, {})));
});

let signed: Page | undefined;

/** Ada signs in once; the next test continues on that page, in the inbox, with so many seconds to take an answer back. */
async function signedIn(undoSeconds: number): Promise<Page> {
  if (signed === undefined) {
    signed = await on.page(DESKTOP);
    await on.signIn(signed);
  }
  await signed.evaluate((seconds) => {
    localStorage.clear();
    localStorage.setItem("holdpoint.undo-seconds", String(seconds));
  }, undoSeconds);
  await goInConsole(signed, "/console");
  await signed.getByRole("heading", { name: "Inbox" }).waitFor();
  return signed;
}

async function place(prompt: string, more: object = {}): Promise<Placed> {
  const hold = await on.place({ ...ASKS.approval, prompt, ...more });
  placed.push(hold);
  return hold;
}
const look = (page: Page) => page.getByRole("region", { name: "Selected" });
const onTheirWay = (page: Page) => page.getByRole("region", { name: "Answers on their way" });
const unsent = (page: Page) => page.getByRole("region", { name: "Answers that were not sent" });

test("an answer that somebody else was quicker with is told after the person has moved on", async () => {
  const first = await place("Taken meanwhile?", { timeout: "1h" });
  await place("The next one?");
  const page = await signedIn(30);
  await look(page).getByRole("heading", { name: "Taken meanwhile?" }).waitFor();
  await look(page).getByRole("button", { name: "Approve" }).click();
  await look(page).getByRole("heading", { name: "The next one?" }).waitFor();
  await on.call("POST", `/v1/holds/${first.id}/answer`, { action: "reject" });
  await onTheirWay(page).getByRole("button", { name: "Send now" }).click();
  await onTheirWay(page).getByText("This was settled before your answer came.").waitFor();
  await onTheirWay(page).getByText("Taken meanwhile?").waitFor();
  await onTheirWay(page).getByRole("button", { name: "Dismiss" }).click();
  await expect.poll(() => onTheirWay(page).getByText("Taken meanwhile?").count()).toBe(0);
});

test("a second answer to the same hold replaces the first one while that has not counted", async () => {
  const hold = await place("Changed my mind?");
  const page = await signedIn(30);
  await look(page).getByRole("button", { name: "Approve" }).click();
  await onTheirWay(page).getByText("Changed my mind?").waitFor();
  await page.evaluate(() => localStorage.setItem("holdpoint.undo-seconds", "0"));
  await goInConsole(page, `/console/holds/${hold.id}`);
  const reject = page.getByRole("button", { name: "Reject", exact: true });
  await reject.click();
  await page.getByLabel("Why not?", { exact: true }).fill("On second thoughts");
  await reject.click();
  await expect.poll(async () => (await on.read(hold.id)).status).toBe("decided");
  expect((await on.read(hold.id)).outcome.action).toBe("reject");
});

test("an answer that the server cannot take at the moment is kept and shown again", async () => {
  const hold = await place("Server away?");
  const page = await signedIn(0);
  await page.route("**/answer", (route) => route.fulfill({ status: 503, body: "" }), { times: 1 });
  await look(page).getByRole("button", { name: "Approve" }).click();
  await unsent(page).getByText("Server away?").waitFor();
  await unsent(page).getByRole("button", { name: "Send “Approve” now" }).click();
  await page.getByText("Recorded:").waitFor();
  expect((await on.read(hold.id)).status).toBe("decided");
});

test("an answer on its way in one tab is not called unsent in another one", async () => {
  const hold = await place("Two tabs?");
  const page = await signedIn(1);
  const other = await page.context().newPage();
  await other.goto(`${on.server.url}/console`);
  await other.locator(`#row-${hold.id}`).waitFor();
  await other.evaluate(() => {
    const seen = { unsent: false };
    Object.assign(window, { seen });
    new MutationObserver(() => {
      if (document.querySelector(".app-unsent") !== null) seen.unsent = true;
    }).observe(document.body, { subtree: true, childList: true });
  });
  await look(page).getByRole("button", { name: "Approve" }).click();
  await expect.poll(() => other.locator(`#row-${hold.id}`).count(), { timeout: 8_000 }).toBe(0);
  expect(await other.evaluate("window.seen.unsent")).toBe(false);
  await other.close();
});

test("an answer that was not sent is shown to the person who gave it, and to nobody who signs in after them", async () => {
  const hold = await place("Whose answer?");
  const page = await signedIn(0);
  await page.route("**/answer", (route) => route.abort(), { times: 1 });
  await look(page).getByRole("button", { name: "Approve" }).click();
  await unsent(page).getByText("Whose answer?").waitFor();
  await on.signIn(page, { name: "kim" });
  await page.locator(`#row-${hold.id}`).waitFor();
  expect(await unsent(page).count()).toBe(0);
  await on.signIn(page, { name: "ada" });
  await unsent(page).getByText("Whose answer?").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("holdpoint.unsent"))).toBeNull();
  await on.leave(page);
  signed = undefined;
});

test("eight tabs of one person work at the same time", async () => {
  const hold = await place("Many tabs?");
  const page = await signedIn(0);
  const tabs = [page];
  for (let n = 0; n < 7; n += 1) {
    const tab = await page.context().newPage();
    tabs.push(tab);
    await tab.goto(`${on.server.url}/console/holds/${hold.id}`);
    await tab.getByRole("heading", { name: "Many tabs?" }).waitFor();
    await tab.getByText("Live", { exact: true }).waitFor();
  }
  await on.call("POST", `/v1/holds/${hold.id}/comments`, { text: "Heard everywhere." });
  for (const tab of tabs.slice(1)) await tab.getByText("Heard everywhere.").waitFor();
  // The tab that has the stream is closed; another one takes over.
  await page.close();
  signed = undefined;
  await on.call("POST", `/v1/holds/${hold.id}/comments`, { text: "Heard after that." });
  for (const tab of tabs.slice(1)) await tab.getByText("Heard after that.").waitFor();
  await tabs.at(-1)?.context().close();
});

test("J goes on from where a hold was that somebody else has answered", async () => {
  const holds: Placed[] = [];
  for (let n = 1; n <= 4; n += 1) holds.push(await place(`Place ${n}?`, { timeout: `${n}h` }));
  const page = await signedIn(5);
  await page.locator(`#row-${holds[3]?.id}`).waitFor();
  for (let n = 0; n < 3; n += 1) await page.keyboard.press("j");
  await look(page).getByRole("heading", { name: "Place 3?" }).waitFor();
  await on.call("POST", `/v1/holds/${holds[2]?.id}/answer`, { action: "reject" });
  await expect.poll(() => page.locator(`#row-${holds[2]?.id}`).count()).toBe(0);
  await page.keyboard.press("j");
  await look(page).getByRole("heading", { name: "Place 4?" }).waitFor();
});

test("groups contain only what the filters leave, J moves through the open group, and its marks are answered", async () => {
  const args = { args: { amount: 1, currency: "EUR" } };
  const small = await place("Small?", { context: { tool: "zulu", ...args }, timeout: "3h" });
  await place("Other?", { context: { tool: "alpha", ...args }, timeout: "1h" });
  const odd = await place("Odd?", { ...ASKS.confirmation, prompt: "Odd?", context: { tool: "zulu" } });
  const page = await signedIn(0);
  await page.goto(`${on.server.url}/console?group=tool&type=approval`);
  await page.getByRole("button", { name: /^zulu/ }).waitFor();
  expect(await page.getByRole("button", { name: /^zulu/ }).innerText()).toMatch(/zulu\s*1$/);
  await page.getByRole("button", { name: /^zulu/ }).click();
  await page.locator(`#row-${small.id}`).waitFor();
  expect(await page.locator(`#row-${odd.id}`).count()).toBe(0);
  await page.keyboard.press("j");
  await look(page).getByRole("heading", { name: "Small?" }).waitFor();
});

test("marked holds that the list has not loaded are in the exact list of what is answered", async () => {
  const far = await place("Far down?", { timeout: "30d" });
  const near = await Promise.all(
    Array.from({ length: 101 }, (_, n) => place(`Near ${n}?`, { timeout: "1h" })),
  );
  const page = await signedIn(0);
  await page.goto(`${on.server.url}/console?marked=${far.id},${near[0]?.id}`);
  await page.getByText("2 marked").waitFor();
  await page.getByRole("button", { name: "Reject all" }).click();
  await page.getByRole("dialog").getByText("Far down?").waitFor();
});

test("answers together that failed stay marked", async () => {
  const holds = [await place("Goes through?"), await place("Does not?")];
  const page = await signedIn(0);
  await page.route(`**/${holds[1]?.id}/answer`, (route) => route.abort());
  for (const name of ["Goes through?", "Does not?"]) await page.getByLabel(`Mark: ${name}`).check();
  await page.getByRole("button", { name: "Approve all" }).click();
  await page.getByRole("button", { name: "Yes, approve all 2" }).click();
  await page.getByRole("dialog").getByText("There is no connection to the server.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.getByText("1 marked").waitFor();
  expect(await page.getByLabel("Mark: Does not?").isChecked()).toBe(true);
});

test("what was typed into the search does not follow to another page", async () => {
  const page = await signedIn(0);
  await page.keyboard.press("/");
  await page.keyboard.type("hurried");
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
  expect(new URL(page.url()).search).toBe("");
});

test("a question of ten thousand characters leaves room for everything else, and one that turns the writing around shows it", async () => {
  const long = await place("Long? ".repeat(1_600), { context: { tool: "t".repeat(120) } });
  const page = await signedIn(30);
  await page.goto(`${on.server.url}/console?group=tool`);
  await page.locator(`#row-${long.id}`).waitFor();
  const tools = page.getByLabel("Tool", { exact: true }).locator("option");
  await expect.poll(() => tools.count()).toBe(2);
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  const list = await page.getByRole("region", { name: "Waiting" }).boundingBox();
  expect(
    (await page.getByRole("heading", { name: "Inbox" }).locator("xpath=..").boundingBox())?.width,
  ).toBeLessThanOrEqual(list?.width ?? 0);
  await look(page).getByRole("button", { name: "Approve" }).click();
  await onTheirWay(page).getByText("Long?", { exact: false }).waitFor();
  expect((await onTheirWay(page).boundingBox())?.height).toBeLessThan(250);
  await onTheirWay(page).getByRole("button", { name: "Undo" }).click();
  const turned = await place("Pay \u202e001 EUR?");
  await on.call("POST", `/v1/holds/${turned.id}/answer`, { action: "approve" });
  await goInConsole(page, "/console/history");
  const name = page.locator(`a[href$="${turned.id}"]`);
  expect(await name.innerText()).not.toContain("\u202e");
});

test("what changed is shown for every round, one more at a time", async () => {
  let previous = {};
  for (let n = 1; n <= 4; n += 1) {
    const hold = await place(`Round ${n}`, { context: { args: { n } }, ...previous });
    if (n < 4)
      await on.call("POST", `/v1/holds/${hold.id}/answer`, { action: "edit", data: { feedback: "-" } });
    previous = { previous: hold.id };
  }
  const page = await signedIn(0);
  await page.locator(".app-row").first().waitFor();
  await goInConsole(page, `/console/holds/${(previous as { previous: string }).previous}`);
  const changes = page.getByRole("region", { name: "Changes" });
  await changes.getByRole("row", { name: "/args/n 3 4" }).waitFor();
  for (const row of ["/args/n 2 3", "/args/n 1 2"]) {
    await changes.getByRole("button", { name: "Show what changed before that" }).click();
    await changes.getByRole("row", { name: row }).waitFor();
  }
  expect(await changes.getByRole("button").count()).toBe(0);
  expect(await violations(page)).toEqual([]);
});

test("a notice is shown outside the page while nobody sees it", async () => {
  const page = await on.page(DESKTOP);
  await page.addInitScript(() => {
    const shown: string[] = [];
    class Shown {
      static permission = "granted";
      constructor(title: string, { body }: { body: string }) {
        shown.push(`${title}: ${body}`);
      }
    }
    Object.assign(window, { Notification: Shown, shown });
    Object.defineProperty(document, "hidden", { get: () => true });
  });
  await on.signIn(page);
  await page.getByText("Live", { exact: true }).waitFor();
  await place("Look here!", { ladder: [{ after: "0s", channel: "console" }] });
  await expect.poll(() => page.evaluate("window.shown")).toEqual(["Your answer is needed: Look here!"]);
  await page.context().close();
});

test("Back leads from a later page of the audit to the one before, and any agent can be looked for", async () => {
  await Promise.all(Array.from({ length: 60 }, (_, n) => place(`Much ${n}`)));
  const page = await signedIn(0);
  await page.getByRole("link", { name: "Audit", exact: true }).click();
  const first = await page.locator(".app-timeline summary").first().innerText();
  await page.getByRole("button", { name: "Older" }).click();
  await page.getByRole("button", { name: "Newest" }).waitFor();
  await page.goBack();
  await expect.poll(() => page.locator(".app-timeline summary").first().innerText()).toBe(first);
  await page.getByLabel("Agent").fill("nobody-of-that-name");
  await page.keyboard.press("Enter");
  await page.getByText("Nothing has happened here").waitFor();
});
