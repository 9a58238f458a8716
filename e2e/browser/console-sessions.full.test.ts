/** Several sessions in one browser, large workflows, rules that two people change, and what a keyboard does in between. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stage } from "./shared.ts";
import { ASKS, DESKTOP, type Stage } from "./support.ts";

let on: Stage;
beforeAll(async () => {
  on = await stage();
  await on.call("POST", "/v1/people", { id: "ada", name: "Ada Obi", role: "admin" });
  await on.call("POST", "/v1/people", { id: "ben", name: "Ben Okoro" });
});
afterAll(() => on?.[Symbol.asyncDispose]());

async function hold(prompt: string): Promise<string> {
  return (await on.place({ ...ASKS.approval, prompt })).id;
}

/** Signs in in a new tab of the same browser. */
async function elsewhere(page: Page, name: string): Promise<void> {
  const tab = await page.context().newPage();
  await on.signIn(tab, { name, role: name === "ada" ? "admin" : "operator" });
  await tab.getByRole("heading", { name: "Inbox" }).waitFor();
  await tab.close();
}

describe("one browser, several sessions", () => {
  it("a page goes on after its person signed in again in another tab, and signs out", async () => {
    const page = await on.page(DESKTOP);
    const id = await hold("Signed in twice?");
    await on.signIn(page, { path: `/console/holds/${id}` });
    await elsewhere(page, "ada");
    await page.getByRole("button", { name: "Take it" }).click();
    await expect.poll(async () => (await on.read(id)).assignee).toBe("ada");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    await page.goto(`${on.server.url}/console`);
    expect(await page.getByRole("heading", { name: "Inbox" }).count()).toBe(0);
    await on.leave(page);
  });

  it("a page whose session ended goes on when its person signs in again in another tab", async () => {
    const page = await on.page(DESKTOP);
    const id = await hold("Ended and back?");
    await on.signIn(page, { path: `/console/holds/${id}` });
    await page.getByRole("button", { name: "Take it" }).waitFor();
    await on.call("DELETE", "/v1/people/ada/sessions");
    await page.getByText("You are signed out.").waitFor();
    await elsewhere(page, "ada");
    await page.getByText("You are signed out.").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Take it" }).click();
    await expect.poll(async () => (await on.read(id)).assignee).toBe("ada");
    await on.leave(page);
  });

  it("a key that waits for a fresh sign-in keeps its name when nobody signs in", async () => {
    const page = await on.page(DESKTOP);
    await on.signIn(page, { path: "/console/people" });
    const problem = { title: "Stale", status: 403, code: "fresh_sign_in_required", detail: "Sign in again." };
    await page.route("**/v1/keys", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 403, contentType: "application/json", body: JSON.stringify(problem) })
        : route.continue(),
    );
    await page.getByLabel("Name", { exact: true }).fill("deploy-bot");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Sign in again.").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("deploy-bot");
    await on.leave(page);
  });

  it("a page says that somebody else has signed in, and keeps the answer of its own person", async () => {
    const page = await on.page(DESKTOP);
    const id = await hold("Whose answer?");
    await on.signIn(page, { path: `/console/holds/${id}` });
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await elsewhere(page, "ben");
    await page.getByText("Now Ben Okoro is signed in in this browser").waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("button", { name: "Send now" }).click();
    await page.getByText("This answer was not sent.").waitFor();
    expect((await on.read(id)).status).toBe("open");
    await page.getByRole("button", { name: "Go on as Ben Okoro" }).click();
    await page.getByText("Ben Okoro operator").waitFor();
    expect(await page.getByText("This answer was not sent.").count()).toBe(0);
    await on.leave(page);
  });

  it("an address that is cut in the middle of a letter shows that there is no such page", async () => {
    const page = await on.page(DESKTOP);
    await on.signIn(page, { path: "/console/people/%E0%A4%A" });
    await page.getByRole("heading", { name: "This page does not exist" }).waitFor();
    await on.leave(page);
  });
});

describe("workflows of many phases", () => {
  const post = async (path: string, body: object): Promise<string> =>
    ((await (await on.call("POST", path, body)).json()) as { id: string }).id;

  it("of 150 phases those that wait are shown with their questions, and they are not asked for one by one", async () => {
    const phases: string[] = [];
    for (let at = 0; at < 150; at += 1) {
      const name = `Phase ${at}`;
      phases.push(
        await post("/api/v1/intents", { title: name, status: "active", state: { _phase_name: name } }),
      );
    }
    const portfolio = await post("/api/v1/portfolios", { name: "Many phases" });
    for (const intent_id of phases) await post(`/api/v1/portfolios/${portfolio}/intents`, { intent_id });
    for (const at of [120, 130, 140])
      await on.place({ ...ASKS.approval, prompt: `Phase ${at}?`, intent_id: phases[at] });
    const { id } = await on.place({ ...ASKS.approval, prompt: "The last one?", intent_id: phases[149] });
    const page = await on.page(DESKTOP);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await on.signIn(page, { path: `/console/holds/${id}` });
    await page.getByRole("heading", { name: "Workflow: Many phases" }).waitFor();
    expect(await page.getByRole("link", { name: "Open the question" }).count()).toBe(3);
    expect(await page.getByText("(this one)").count()).toBe(1);
    await page.getByText("30 of 150 are shown").waitFor();
    expect(asked.filter((url) => url.includes("intent_id="))).toEqual([]);
    await on.leave(page);
  });
});

describe("rules that two people change", () => {
  it("what somebody published meanwhile is told while one writes, and is never replaced", async () => {
    const page = await on.page(DESKTOP);
    await on.signIn(page, { path: "/console/rules" });
    await page.getByRole("button", { name: "Change the rules" }).click();
    await on.call("PUT", "/v1/rules", { rules: [{ tools: ["deploy"], verdict: "deny" }] });
    await page.getByText("Somebody has published version 1 meanwhile.").waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("button", { name: "Yes, publish" }).click();
    await page.getByText("Read them again").waitFor();
    await expect
      .poll(async () => ((await (await on.call("GET", "/v1/rules")).json()) as { version: number }).version)
      .toBe(1);
    await on.leave(page);
  });
});

describe("a question whether one is sure", () => {
  it("is answered by keyboard without losing the place on the page", async () => {
    const page = await on.page(DESKTOP);
    const id = await hold("Links?");
    await on.call("POST", `/v1/holds/${id}/links`, { to: "kim@example.com" });
    await on.signIn(page, { path: `/console/holds/${id}` });
    const revoke = page.getByRole("button", { name: "Revoke", exact: true }).first();
    await revoke.focus();
    await page.keyboard.press("Enter");
    await page.getByText("This link cannot be opened or answered any more.").waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    expect(await focused()).toBe("No");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("Revoke");
    await on.leave(page);
  });
});

describe("answers that were not sent", () => {
  it("say without a connection that nobody knows what changed, and are not offered to be sent", async () => {
    const page = await on.page(DESKTOP);
    const id = await hold("Offline?");
    await on.signIn(page, { path: `/console/holds/${id}` });
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("button", { name: "Send now" }).click();
    const kept = page.getByRole("region", { name: "Answers that were not sent" });
    await kept.getByText("nobody knows yet whether anything has changed").waitFor();
    expect(await kept.getByRole("button", { name: "Send" }).count()).toBe(0);
    await on.call("POST", `/v1/holds/${id}/answer`, { action: "reject", data: {} });
    await page.context().setOffline(false);
    await kept.getByText("It has ended meanwhile: decided.").waitFor();
    await on.leave(page);
  });

  it("are not shown in a tab that was opened from the one that is about to send them", async () => {
    const page = await on.page(DESKTOP);
    const id = await hold("Two tabs?");
    await on.signIn(page, { path: `/console/holds/${id}` });
    await page.getByRole("button", { name: "Approve" }).waitFor();
    const opened = page.context().waitForEvent("page");
    await page.evaluate(() => void open(location.href));
    const other = await opened;
    await other.getByRole("button", { name: "Approve" }).waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("button", { name: "Send now" }).waitFor();
    await other.waitForFunction(() => localStorage.getItem("holdpoint.unsent") !== null);
    expect(await other.getByText("This answer was not sent.").count()).toBe(0);
    await page.getByRole("button", { name: "Undo (" }).click();
    await other.close();
    await on.leave(page);
  });
});

describe("one answer to several holds", () => {
  it("says what happened to them while the list is read, and answers those that still wait", async () => {
    const ids = await Promise.all(["One", "Two", "Three"].map((name) => hold(`Bulk ${name}`)));
    const page = await on.page(DESKTOP);
    await on.signIn(page);
    for (const name of ["One", "Two", "Three"]) await page.getByLabel(`Mark: Bulk ${name}`).check();
    await page.getByRole("button", { name: "Approve all" }).click();
    const dialog = page.getByRole("dialog");
    await on.call("POST", `/v1/holds/${ids[0]}/answer`, { action: "reject", data: {} });
    await on.call("POST", `/v1/holds/${ids[1]}/comments`, { text: "Careful" });
    await dialog.getByText("It is not waiting any more.").waitFor();
    await dialog.getByText("There is a new comment since you marked it.").waitFor();
    await dialog.getByRole("button", { name: "Yes, approve all 3" }).click();
    await dialog.getByRole("button", { name: "Close" }).click();
    const actions = await Promise.all(ids.map(async (id) => (await on.read(id)).outcome.action));
    expect(actions).toEqual(["reject", "approve", "approve"]);
    await on.leave(page);
  });
});
