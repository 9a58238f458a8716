/** The console when things go wrong: refused and repeated answers, several tabs, other people on the same browser. */

import { expect, test } from "vitest";
import {
  forgetPage,
  look,
  on,
  onTheirWay,
  place,
  signedIn,
  unsent,
  withOperator,
} from "./operator.fixture.ts";
import { ASKS, DESKTOP, goInConsole, type Placed } from "./support.ts";

withOperator();

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
  // The page may still show what was recorded before.
  await expect.poll(async () => (await on.read(hold.id)).status).toBe("decided");
  // The browser asks before it leaves a page whose answer is on its way, and the reply may come after the server has decided.
  await expect.poll(() => onTheirWay(page).getByRole("button").count()).toBe(0);
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
  forgetPage();
});

test("a hold that is placed after the inbox was read and before the stream of events is open appears by itself", async () => {
  const page = await on.page(DESKTOP);
  const { promise: stream, resolve: open } = Promise.withResolvers<void>();
  await page.route("**/v1/events?*", async (route) => {
    await stream;
    await route.continue();
  });
  await on.signIn(page, { name: "kim" });
  await page.getByText("Nothing is waiting for you").waitFor();
  await place("In between?");
  open();
  await page.getByRole("link", { name: "In between?" }).waitFor();
  await on.leave(page);
});

test("J goes on from where a hold was that somebody else has answered", async () => {
  const holds: Placed[] = [];
  for (let n = 1; n <= 4; n += 1) holds.push(await place(`Place ${n}?`, { timeout: `${n}h` }));
  const page = await signedIn(5);
  await page.locator(`#row-${holds[3]?.id}`).waitFor();
  for (let n = 0; n < 3; n += 1) await page.keyboard.press("j");
  await look(page).getByRole("heading", { name: "Place 3?" }).waitFor();
  await on.call("POST", `/v1/holds/${holds[2]?.id}/answer`, { action: "reject" });
  await expect.poll(() => page.locator(`#row-${holds[2]?.id}`).count(), { timeout: 8_000 }).toBe(0);
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

test("attack 2: the console shows how many messages wait for an endpoint that does not answer, and since when", async () => {
  const made = await on.call("POST", "/v1/webhooks", { url: "http://127.0.0.1:9/hook" });
  const { id } = (await made.json()) as { id: string };
  for (let n = 0; n < 10; n += 1) await place(`Backlog ${n}?`);
  const page = await signedIn(0);
  await goInConsole(page, "/console/channels");
  const panel = page.locator("section", { has: page.getByRole("heading", { name: "Waiting to be sent" }) });
  await panel.getByText(/\d\d messages to the webhook at 127\.0\.0\.1/).waitFor();
  await panel.getByText("the oldest since").waitFor();
  await on.call("DELETE", `/v1/webhooks/${id}`);
});
