/** The console with many tabs, very long and turned texts, many rounds and pages; notices outside of the page. */

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { forgetPage, look, on, onTheirWay, place, signedIn, withOperator } from "./operator.fixture.ts";
import { DESKTOP, goInConsole, violations, widthLeft } from "./support.ts";

withOperator();

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
  forgetPage();
  await on.call("POST", `/v1/holds/${hold.id}/comments`, { text: "Heard after that." });
  for (const tab of tabs.slice(1)) await tab.getByText("Heard after that.").waitFor();
  await tabs.at(-1)?.context().close();
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

test("the page of a hold says that an answer has not been sent yet and takes it back where it was given", async () => {
  const hold = await place("Not yet?");
  const page = await signedIn(30);
  await goInConsole(page, `/console/holds/${hold.id}`);
  const card = page.locator(".hp-review");
  await card.getByRole("button", { name: "Approve" }).click();
  await card.getByText("Your answer: Approve. It has not been sent yet.").waitFor();
  expect(await card.getByText("Sending").count()).toBe(0);
  expect(await onTheirWay(page).getByRole("button").count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await card.getByRole("button", { name: /^Undo \(\d+ s\)$/ }).click();
  await card.getByText("Taken back. Nothing was sent.").waitFor();
  await card.getByRole("button", { name: "Approve" }).waitFor();
  expect((await on.read(hold.id)).status).toBe("open");
  await card.getByRole("button", { name: "Approve" }).click();
  await card.getByRole("button", { name: "Send now" }).waitFor();
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await onTheirWay(page).getByText("Not yet?").waitFor();
  await goInConsole(page, `/console/holds/${hold.id}`);
  await onTheirWay(page).getByRole("button", { name: "Undo" }).click();
  await card.getByRole("button", { name: "Approve" }).click();
  await card.getByRole("button", { name: "Send now" }).click();
  await expect.poll(async () => (await on.read(hold.id)).status).toBe("decided");
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

test("the audit exports the entries that fit its filters, and the whole log apart from them", async () => {
  const hold = await place("Exported?", { context: { tool: "export-me" } });
  await place("Left out?");
  const page = await signedIn(0);
  await page.getByRole("link", { name: "Audit", exact: true }).click();
  await page.getByLabel("Tool").fill("export-me");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".app-timeline summary").count()).toBe(1);
  const linesOf = async (button: string) => {
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: button }).click();
    return (await readFile((await (await coming).path()) ?? "", "utf8")).trim().split("\n");
  };
  const [line, ...others] = await linesOf("Export these entries as JSON lines");
  expect([JSON.parse(line ?? ""), others]).toMatchObject([
    { type: "hold.placed", hold: { id: hold.id } },
    [],
  ]);
  expect(await linesOf("Export these entries as CSV")).toHaveLength(2);
  const whole = await linesOf("Export the whole log for verification as JSON lines");
  expect(whole.length).toBeGreaterThan(2);
  expect(JSON.parse(whole[0] ?? "")).toMatchObject({ seq: 1, previous: expect.any(String) });
  expect(await violations(page)).toEqual([]);
});

test("the history of a hold says that there are earlier events, and shows them on request", async () => {
  const hold = await place("Long ago?");
  for (let n = 0; n < 60; n += 1) await on.call("POST", `/v1/holds/${hold.id}/links`, {});
  const page = await signedIn(0);
  await goInConsole(page, `/console/holds/${hold.id}`);
  const history = page.getByRole("region", { name: "What happened" });
  await history.getByText("The newest 50 events are shown; there are earlier ones.").waitFor();
  expect(await history.getByText("asked this.").count()).toBe(0);
  await history.getByRole("button", { name: "Show earlier" }).click();
  await history.getByText("asked this.").waitFor();
  expect(await history.getByRole("button", { name: "Show earlier" }).count()).toBe(0);
});
