/** The operator console in a real browser. */

import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stage } from "./shared.ts";
import { ASKS, DESKTOP, goInConsole, PHONE, type Stage, violations, widthLeft } from "./support.ts";

let on: Stage;
beforeAll(async () => {
  on = await stage();
});
afterAll(async () => {
  for (const page of signed.values()) await on.leave(page);
  await on?.[Symbol.asyncDispose]();
});

const signed = new Map<object, Page>();

/** Each look signs in once, and is used by all tests that want it. */
async function signedIn(look: BrowserContextOptions = DESKTOP, path = "/console"): Promise<Page> {
  const page = signed.get(look) ?? (await on.page(look));
  if (!signed.has(look)) {
    signed.set(look, page);
    await on.signIn(page, { path });
    // Answers count at once; what waits for five seconds is tested by itself.
    if (look.javaScriptEnabled !== false)
      await page.evaluate(() => localStorage.setItem("holdpoint.undo-seconds", "0"));
    return page;
  }
  if (look.javaScriptEnabled === false) await page.goto(on.server.url + path);
  else await goInConsole(page, path);
  return page;
}

test("new holds appear without a reload, most urgent first, and can be answered by keyboard alone", async () => {
  const page = await signedIn();
  await page.getByText("Nothing is waiting for you").waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  const later = await on.place({ ...ASKS.approval, prompt: "Later", timeout: "9h" });
  await page.getByRole("link", { name: "Later" }).waitFor();
  const sooner = await on.place({ ...ASKS.approval, prompt: "Sooner", timeout: "1h" });
  await page.getByRole("link", { name: "Sooner" }).waitFor();
  const rows = await page.locator(".app-row strong").allInnerTexts();
  expect(rows.map((row) => row.replace(/\s+/g, " "))).toEqual(["Unseen: Sooner", "Unseen: Later"]);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.getByRole("heading", { name: "Later" }).waitFor();
  await page.keyboard.press("k");
  await page.getByRole("heading", { name: "Sooner" }).waitFor();
  await page.keyboard.press("a");
  expect((await on.read(sooner.id)).status).toBe("open");
  await page.keyboard.press("Enter");
  await page.getByText("Recorded:").waitFor();
  const { outcome } = await on.read(sooner.id);
  expect(outcome).toMatchObject({ action: "approve", door: "console", by: { kind: "session", name: "ada" } });
  expect((await on.read(later.id)).status).toBe("open");
  await on.call("POST", `/v1/holds/${later.id}/cancel`, {});
  await page.getByText("Nothing is waiting for you").waitFor();
});

test("several holds are answered together only after a confirmation that lists them", async () => {
  const holds = await Promise.all(
    ["One", "Two"].map((prompt) => on.place({ ...ASKS.approval, prompt: `Bulk ${prompt}` })),
  );
  const page = await signedIn();
  await page.getByLabel("Mark: Bulk One").check();
  await page.getByLabel("Mark: Bulk Two").check();
  await page.getByRole("button", { name: "Reject all" }).click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("listitem").count()).toBe(2);
  expect((await on.read(holds[0]?.id ?? "")).status).toBe("open");
  await dialog.getByRole("button", { name: "Yes, reject all 2" }).click();
  await dialog.getByRole("button", { name: "Close" }).waitFor();
  for (const hold of holds) expect((await on.read(hold.id)).outcome.action).toBe("reject");
});

test("G15: an unknown call is approved neither in bulk nor by one press", async () => {
  const { context: _context, ...ask } = ASKS.approval;
  const context = { call_unknown: true };
  const holds = await Promise.all([
    on.place({ ...ASKS.approval, prompt: "Known call" }),
    on.place({ ...ask, prompt: "Blind call", context }),
  ]);
  const page = await signedIn();
  for (const name of ["Known call", "Blind call"]) await page.getByLabel(`Mark: ${name}`).check();
  await page.getByRole("button", { name: "Reject all" }).waitFor();
  expect(await page.getByRole("button", { name: "Approve all" }).count()).toBe(0);
  await page.getByRole("button", { name: "Clear" }).click();
  await signedIn(DESKTOP, `/console/holds/${holds[1]?.id}`);
  await page.getByText("The exact call is unknown.").waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("must say how you know what will run", { exact: false }).waitFor();
  for (const { id } of holds) {
    expect((await on.read(id)).status).toBe("open");
    await on.call("POST", `/v1/holds/${id}/cancel`, {});
  }
  await signedIn(DESKTOP, "/console");
});

test("stopping in the middle of a bulk answer leaves the remaining holds open", async () => {
  const holds = await Promise.all(
    ["One", "Two", "Three"].map((prompt) => on.place({ ...ASKS.approval, prompt: `Stop ${prompt}` })),
  );
  const page = await signedIn();
  for (const name of ["One", "Two", "Three"]) await page.getByLabel(`Mark: Stop ${name}`).check();
  let goOn = () => {};
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route("**/v1/holds/*/answer", async (route) => {
    await mayGoOn;
    await route.continue();
  });
  await page.getByRole("button", { name: "Approve all" }).click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByText("asked by dev").count()).toBe(3);
  expect(await dialog.getByRole("region", { name: "Call of" }).count()).toBe(3);
  await dialog.getByRole("button", { name: "Yes, approve all 3" }).click();
  await dialog.getByText("0 of 3").waitFor();
  await dialog.getByRole("button", { name: "Stop" }).click();
  goOn();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.unrouteAll();
  const statuses = await Promise.all(holds.map(async ({ id }) => (await on.read(id)).status as string));
  expect(statuses.toSorted()).toEqual(["decided", "open", "open"]);
  for (const { id } of holds) await on.call("POST", `/v1/holds/${id}/cancel`, {});
});

test("the console shows the server's time, whatever the viewer's clock says", async () => {
  const hold = await on.place({ ...ASKS.approval, prompt: "Whose clock", timeout: "30m" });
  const page = await on.page({ ...DESKTOP, locale: "en-GB" });
  await page.addInitScript(() => {
    const real = Date.now.bind(Date);
    Date.now = () => real() + 3 * 3_600_000;
  });
  await on.signIn(page, { path: `/console/holds/${hold.id}` });
  await page.locator(".hp-left").waitFor();
  expect(await page.locator(".hp-left").innerText()).toMatch(/^(29|30) min/);
  expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(1);
  await page.goto(`${on.server.url}/console`);
  await page
    .locator(".app-row")
    .getByText(/(29|30) min left/)
    .waitFor();
  await on.call("POST", `/v1/holds/${hold.id}/cancel`, {});
  // Signed out elsewhere: the page says so as soon as it is told.
  await page.evaluate(async () => {
    const { csrf } = JSON.parse(document.getElementById("state")?.textContent ?? "{}");
    await fetch("/signout", { method: "POST", body: new URLSearchParams({ _csrf: csrf }) });
  });
  await page.getByRole("link", { name: "History", exact: true }).click();
  await page.getByText("You are signed out.").waitFor();
});

test("the page of a hold shows its timeline with hashes, its ladder and its links", async () => {
  const hold = await on.place({ ...ASKS.approval, ladder: [{ after: "1h", channel: "pager" }] });
  const page = await signedIn(PHONE, `/console/holds/${hold.id}`);
  await page.getByRole("heading", { name: ASKS.approval.prompt }).waitFor();
  await page.getByText("Dev asked this.").click();
  const [event] = (
    (await (await on.call("GET", `/v1/holds/${hold.id}/events`)).json()) as { events: { hash: string }[] }
  ).events;
  await page
    .getByText(event?.hash ?? "none", { exact: true })
    .first()
    .waitFor();
  expect(await page.getByText("Attempt 2").count()).toBe(1);
  await page.getByRole("button", { name: "Make a link" }).click();
  expect(await page.locator(".app-secret code").innerText()).toContain("/review/review_");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
});

test("the log is verified from the audit page, and every other page opens without an error", async () => {
  await on.call("POST", "/v1/skips", { what: "POST /orders", agent: "buyer-7" });
  const page = await signedIn();
  // Nobody was asked, and whoever looks at what was decided sees that too (HP-185).
  await page.getByRole("link", { name: "History", exact: true }).click();
  await page.getByRole("button", { name: "skipped" }).click();
  await page.getByRole("row", { name: /POST \/orders.*buyer-7/ }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "Audit" }).click();
  await page.getByRole("button", { name: "Verify now" }).click();
  await page.getByText("Whole.").waitFor();
  expect(await page.getByRole("link", { name: "Audit" }).getAttribute("aria-current")).toBe("page");
  expect(await page.title()).toBe("Audit · Holdpoint");
  await page.locator("summary").filter({ hasText: "asked “" }).last().click();
  expect(await page.getByRole("link", { name: "The hold" }).getAttribute("href")).toMatch(/holds\/hold_/);
  for (const [name, title] of [
    ["Overview", "Overview"],
    ["History", "History"],
    ["People and keys", "People and keys"],
    ["Channels", "Channels"],
    ["Settings", "Settings"],
    ["Playground", "Playground"],
  ] as const) {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    await expect.poll(() => page.locator(".app-loading").count()).toBe(0);
    expect(await violations(page), name).toEqual([]);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  for (const name of ["Overview", "Audit", "History", "People and keys", "Channels", "Playground"]) {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    expect(await widthLeft(page), name).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(DESKTOP.viewport);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("heading", { name: "What the log says" }).waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("heading", { name: "Approved" }).waitFor();
});

test("a hold on an intent shows the intent among its neighbours, as a picture and as a list", async () => {
  const intent = async (body: object) =>
    ((await (await on.call("POST", "/api/v1/intents", body)).json()) as { id: string }).id;
  const parent = await intent({ title: "Close the quarter", status: "active" });
  const before = await intent({ title: "Collect the invoices", status: "active" });
  const self = await intent({ title: "Pay the suppliers", parent_intent_id: parent, status: "active" });
  const after = await intent({ title: "Write the report", depends_on: [self] });
  expect(after).not.toBe("");
  await intent({ title: "Pay Nordlicht GmbH", parent_intent_id: self, status: "active" });
  const added = await on.call("POST", `/api/v1/intents/${self}/dependencies`, { dependency_id: before });
  const isGraphed = added.ok;
  const hold = await on.place({ ...ASKS.approval, intent_id: self });
  const page = await signedIn(PHONE, `/console/holds/${hold.id}`);
  await page.getByRole("img", { name: /Pay the suppliers, waits for a person/ }).waitFor();
  const list = page.locator(".app-relations");
  for (const title of ["Close the quarter", "Write the report", "Pay Nordlicht GmbH"])
    expect(await list.getByText(title).count(), title).toBe(1);
  expect(await list.getByText("Collect the invoices").count()).toBe(isGraphed ? 1 : 0);
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
});

test("a hold on an intent shows the plan, the portfolio and the workflow it is part of, with what else waits there", async () => {
  const post = async (path: string, body: object) =>
    ((await (await on.call("POST", `/api/v1/${path}`, body)).json()) as { id: string }).id;
  const phase = (name: string, depends_on: readonly string[] = []) =>
    post("intents", { title: `The ${name}`, status: "active", depends_on, state: { _phase_name: name } });
  const check = await phase("check");
  const pay = await phase("pay");
  const report = await phase("report", [check, pay]);
  const [quarter, board] = await Promise.all(
    ["Close the quarter", "What the board watches"].map((name) => post("portfolios", { name })),
  );
  // A portfolio of intents that are no phases.
  const plain = await post("intents", { title: "Rent the room", status: "active" });
  for (const intent_id of [report, pay, check]) await post(`portfolios/${quarter}/intents`, { intent_id });
  await post(`portfolios/${board}/intents`, { intent_id: plain });
  await post(`intents/${plain}/plan`, { tasks: [{ name: "Ask for offers" }, { name: "Sign" }] });
  const paying = await on.place({ ...ASKS.approval, prompt: "Pay them?", intent_id: pay, timeout: "1h" });
  const checking = await on.place({ ...ASKS.approval, prompt: "Is it right?", intent_id: check });
  const renting = await on.place({ ...ASKS.approval, prompt: "Rent it?", intent_id: plain });

  const page = await signedIn(PHONE, `/console/holds/${paying.id}`);
  await page.getByRole("heading", { name: "Workflow: Close the quarter" }).waitFor();
  const phases = page.locator(".app-ladder").first().getByRole("listitem");
  expect(await phases.count()).toBe(3);
  expect(await phases.nth(2).innerText()).toMatch(/^report[\s\S]*after (check, pay|pay, check)$/);
  expect(await phases.filter({ hasText: "Waits for a person" }).count()).toBe(2);
  await phases.filter({ hasText: "pay" }).getByText("(this one)").waitFor();
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  await phases.filter({ hasText: "check" }).getByRole("link", { name: "Open the question" }).click();
  await page.getByRole("heading", { name: "Is it right?" }).waitFor();

  await signedIn(PHONE, `/console/holds/${renting.id}`);
  await page.getByRole("heading", { name: "Portfolio: What the board watches" }).waitFor();
  await page.getByText("Rent the room (this one)").waitFor();
  await page.getByRole("heading", { name: "Plan draft" }).waitFor();
  await page.getByText("Ask for offers").waitFor();
  expect(await violations(page)).toEqual([]);
  for (const { id } of [paying, checking, renting]) await on.call("POST", `/v1/holds/${id}/cancel`, {});
});

test("an approval is revoked, and a lost claim released, after a second press", async () => {
  const hold = await on.place(ASKS.approval);
  await on.call("POST", `/v1/holds/${hold.id}/answer`, { action: "approve" });
  const { digest } = await on.read(hold.id);
  expect((await on.call("POST", `/v1/holds/${hold.id}/claim`, { digest })).status).toBe(201);
  const page = await signedIn(DESKTOP, `/console/holds/${hold.id}`);
  await page.getByRole("button", { name: "Release the claim" }).click();
  expect((await on.read(hold.id)).claim.state).toBe("claimed");
  await page.getByRole("button", { name: "Yes, release the claim" }).click();
  await page.getByText("Nobody has claimed it yet.").waitFor();
  await page.getByRole("button", { name: "Take the approval back" }).click();
  await page.getByRole("button", { name: "No", exact: true }).click();
  expect(await on.read(hold.id)).not.toHaveProperty("revoked");
  await page.getByRole("button", { name: "Take the approval back" }).click();
  await page.getByRole("button", { name: "Yes, take the approval back" }).click();
  await page.getByText("It cannot be claimed any more.").waitFor();
  expect(await on.read(hold.id)).toHaveProperty("revoked");
  expect(await violations(page)).toEqual([]);
});

test("a key is revoked after a second press, and an export that fails says so", async () => {
  const made = await on.call("POST", "/v1/keys", { name: "to-be-revoked", role: "agent" });
  const { id } = (await made.json()) as { id: string };
  const page = await signedIn(DESKTOP, "/console/people");
  const row = page.getByRole("listitem").filter({ hasText: "to-be-revoked" });
  await row.getByRole("button", { name: "Revoke" }).click();
  const revoked = async () => {
    const { keys } = (await (await on.call("GET", "/v1/keys")).json()) as { keys: Record<string, string>[] };
    return keys.find((key) => key["id"] === id)?.["revoked_at"];
  };
  expect(await revoked()).toBeUndefined();
  await row.getByRole("button", { name: "Yes, revoke" }).click();
  await row.getByText("revoked", { exact: true }).waitFor();
  expect(await revoked()).toEqual(expect.any(String));
  await page.getByText("What changed here").click();
  await page.getByText("Ada revoked the key of to-be-revoked.").waitFor();
  await page.getByText("Dev made a key for to-be-revoked.").waitFor();
  await page.getByRole("link", { name: "History", exact: true }).click();
  await page.route("**/v1/holds?*", (route) => route.abort());
  await page.getByRole("button", { name: "Export CSV" }).click();
  await page.getByText("Nothing was exported.").waitFor();
  await page.unrouteAll();
});

test.each(["HITL", "OpenIntent", "AG-UI"])(
  "the playground asks through %s, and the same hold is seen through the others",
  async (face) => {
    const page = await signedIn(DESKTOP, "/playground");
    await page.getByLabel("Ask through").selectOption({ label: face });
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    const pane = page.getByRole("region", { name: "What the agent sees" });
    await pane.getByRole("button", { name: face }).and(page.locator("[aria-pressed=true]")).waitFor();
    await pane
      .getByText(WAITING[face] ?? "")
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Approve" }).first().click();
    await page.getByRole("heading", { name: "Approved" }).waitFor();
    await pane
      .getByText(ANSWERED[face] ?? "")
      .first()
      .waitFor();
    await pane.getByRole("button", { name: "Holdpoint" }).click();
    await pane.getByText('"status": "decided"').waitFor();
    await pane.getByRole("button", { name: "HITL" }).click();
    await pane.getByText('"status": "completed"').waitFor();
    await pane.getByText("event: review.completed").waitFor();
  },
);

const WAITING: Readonly<Record<string, string>> = {
  HITL: "human_input_required",
  OpenIntent: '"status": "suspended_awaiting_input"',
  "AG-UI": "RUN_FINISHED",
};
const ANSWERED: Readonly<Record<string, string>> = {
  HITL: "review.completed",
  OpenIntent: '"resolution": "responded"',
  "AG-UI": '"status": "resolved"',
};

test("the plain console works without script", async () => {
  await on.place({ ...ASKS.approval, prompt: "Plain one" });
  const page = await signedIn({ ...DESKTOP, javaScriptEnabled: false });
  await page.getByRole("link", { name: "Plain one" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Your answer was recorded").waitFor();
});

test("a notification of the console channel is shown at once on every page, and its state is on the hold", async () => {
  const page = await signedIn();
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Channels" }).click();
  const ladder = [
    { after: "0s", channel: "console" },
    { after: "0s", channel: "carrier-pigeon", to: "ada" },
  ];
  const { id } = await on.place({ ...ASKS.approval, prompt: "Told in the console", ladder });
  const notices = page.getByRole("list", { name: "Notices" });
  await notices.getByText("Your answer is needed").waitFor();
  expect(await violations(page)).toEqual([]);
  await notices.getByRole("link", { name: "Told in the console" }).click();
  await page.getByRole("heading", { name: "Ladder" }).waitFor();
  await page.locator(".app-ladder").getByText("sent", { exact: true }).waitFor();
  await page.locator(".app-ladder").getByText("recipient not allowed").first().waitFor();
  await notices.getByRole("button", { name: "Dismiss" }).click();
  expect(await notices.getByRole("listitem").count()).toBe(0);
  await on.call("POST", `/v1/holds/${id}/cancel`, {});
});

test("no page above had an error or a policy violation", () => {
  expect(on.trouble).toEqual([]);
});
