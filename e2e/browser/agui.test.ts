/** The playground's AG-UI app: the protocol's own client and our components, in a real browser over a real server. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stage } from "./shared.ts";
import { DESKTOP, type Stage, violations } from "./support.ts";

let on: Stage;
let page: Page;
beforeAll(async () => {
  on = await stage();
  page = await on.page(DESKTOP);
  await on.signIn(page, { path: "/playground/agui" });
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

/** A fresh thread, and the agent's question. */
async function begin(word: string, question: string): Promise<void> {
  const app = `${on.server.url}/playground/agui`;
  if (page.url() !== app) await page.goto(app);
  await page.getByRole("button", { name: "New conversation" }).click();
  await page.getByRole("button", { name: word, exact: true }).click();
  await page.getByRole("heading", { name: question }).first().waitFor();
}

const send = () => page.getByRole("button", { name: "Send", exact: true }).click();
const choose = (label: string) => page.getByLabel(label, { exact: true }).check();

/** What the agent's thread was answered with, as the server has it. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries and asserts on it.
async function answered(): Promise<readonly any[]> {
  await page.getByText("Answered before").waitFor();
  const threadId = await page.evaluate(() => sessionStorage.getItem("holdpoint.agui-thread"));
  const reply = await page.evaluate(
    async (id) => (await fetch(`/agui/demo/interrupts?threadId=${id}`)).json(),
    threadId,
  );
  return reply.history;
}

test("AG-092 AG-096 AG-103 an approval card shows the call, takes a decision with one submit, and has no axe violation", async () => {
  await begin("approval", "Transfer 120 EUR to Ada?");
  await page.getByText("transfer", { exact: true }).first().waitFor();
  expect(await page.getByRole("button", { name: "wizard" }).isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
  expect(await violations(page)).toEqual([]);
  await choose("Approve");
  await send();
  await page.getByText("The money is on its way.").waitFor();
  // The last words are there a moment before the run has ended.
  await expect.poll(() => page.getByRole("button", { name: "wizard" }).isDisabled()).toBe(false);
  expect(await answered()).toMatchObject([{ payload: { approved: true }, by: "ada", door: "agui" }]);
});

test("AG-094 AG-054 AG-099 the editor of arguments starts with the call's arguments, and sends a full object", async () => {
  await begin("edits", "Transfer 500 EUR to Grace?");
  await choose("Approve");
  const editor = page.getByLabel("Arguments, as JSON");
  expect(JSON.parse(await editor.inputValue())).toEqual({ amount: 500, to: "Grace" });
  await editor.fill('{"amount": 5, "to": "Grace"}');
  await send();
  expect(await answered()).toMatchObject([
    { payload: { approved: true, editedArgs: { amount: 5, to: "Grace" } } },
  ]);
  const changes = page.getByRole("region", { name: "Proposed and edited" });
  await changes.getByText("proposed: 500").waitFor();
  await changes.getByText("edited: 5", { exact: true }).waitFor();
  await page.reload();
  await changes.getByText("proposed: 500").waitFor();
});

test("AG-083 without editedArgs in the schema there is no editor", async () => {
  await begin("approval", "Transfer 120 EUR to Ada?");
  await choose("Approve");
  expect(await page.getByLabel("Arguments, as JSON").count()).toBe(0);
});

test("AG-096 AG-098 parallel interrupts are all listed and sent with one submit, and abandoning is not denying", async () => {
  await begin("parallel", "Run transfer?");
  const cards = page.getByRole("article");
  expect(await cards.count()).toBe(3);
  await cards.nth(0).getByLabel("Approve").check();
  await cards.nth(1).getByLabel("Deny").check();
  await page.getByText("1 of 3 still to answer").waitFor();
  await cards.nth(2).getByRole("button", { name: "Leave without answering" }).click();
  await send();
  const history = await answered();
  expect(history.map(({ status }) => status).toSorted()).toEqual(["cancelled", "resolved", "resolved"]);
  const payloads = history.flatMap(({ payload }) => (payload === undefined ? [] : [payload.approved]));
  expect(payloads.toSorted()).toEqual([false, true]);
});

test("AG-093 AG-092 a form is built from its schema and checked before it is sent", async () => {
  await begin("form", "Where shall we deliver?");
  await page.getByLabel("Street").fill("Long Road 1");
  await send();
  await page.getByText(/required property/).waitFor();
  await page.getByLabel("City").fill("Bath");
  await page.getByLabel("Express").check();
  await send();
  expect(await answered()).toMatchObject([
    { payload: { street: "Long Road 1", city: "Bath", express: true } },
  ]);
});

test.each([
  ["confirmation", "Close the account for good?", "Confirm", { confirmed: true }, ""],
  ["policy", "needs a second pair of eyes", "Deny", { approved: false }, "A policy holds this back"],
  ["database", "Delete 340 inactive users?", "Approve", { approved: true }, "Restore from the backup"],
  ["recovery", "The payment service does not answer", "Skip", { action: "skip" }, "timeout"],
])("AG-092 %s has a card of its own", async (word, question, label, payload, shown) => {
  await begin(word, question);
  if (shown !== "") await page.getByText(shown).first().waitFor();
  if (word === "database") {
    for (const text of ["high", "DELETE FROM users"]) await page.getByText(text).first().waitFor();
  }
  expect(await violations(page)).toEqual([]);
  await choose(label);
  await send();
  expect(await answered()).toMatchObject([{ payload }]);
});

test("AG-092 a card asks for a file, uploads it, and names it in the answer", async () => {
  await begin("file", "Please upload the signed contract.");
  const file = { name: "contract.pdf", mimeType: "application/pdf", buffer: Buffer.from("signed") };
  await page.getByLabel("Signed contract", { exact: true }).setInputFiles(file);
  await page.getByText("Sent: contract.pdf").waitFor();
  await send();
  expect(await answered()).toMatchObject([{ payload: { file: { name: "contract.pdf" } } }]);
});

test("AG-101 AG-099 AG-014 a wizard continues after a reload, with its history", async () => {
  await begin("wizard", "Step 1 of 3: Name");
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  await send();
  await page.getByRole("heading", { name: "Step 2 of 3: Team" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Step 2 of 3: Team" }).waitFor();
  await page.getByText("Answered before").waitFor();
  await page.getByLabel("Team", { exact: true }).fill("Tools");
  await send();
  await page.getByRole("heading", { name: "Step 3 of 3" }).waitFor();
  await page.getByLabel("Start date", { exact: true }).fill("2027-01-01");
  await send();
  await page.getByText("Noted: Start date.").waitFor();
  expect(await answered()).toHaveLength(3);
});

const EVIL = '<img src=x onerror="alert(1)"><script>alert(2)</script>';

/** The same page, told by its own endpoint of an interrupt that the demo agent would never raise. */
async function restoredWith(interrupt: object): Promise<string[]> {
  const sent: string[] = [];
  await page.route("**/agui/demo/interrupts?*", (route) =>
    route.fulfill({ json: { threadId: "t", interrupts: [interrupt], history: [] } }),
  );
  await page.route("**/agui/demo", (route) => {
    sent.push(route.request().postData() ?? "");
    const { threadId, runId } = JSON.parse(sent.at(-1) ?? "{}");
    const events = [
      { type: "RUN_STARTED", threadId, runId },
      { type: "RUN_FINISHED", threadId, runId, outcome: { type: "success" } },
    ];
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    return route.fulfill({ contentType: "text/event-stream", body });
  });
  await page.goto(`${on.server.url}/playground/agui`);
  return sent;
}

test("AG-100 AG-062 AG-103 an unknown reason is rendered from message, schema and metadata, and markup is shown as text", async () => {
  const sent = await restoredWith({
    id: "i1",
    reason: "acme:strange",
    message: `Strange ${EVIL}`,
    metadata: { payload: { note: EVIL, list: [EVIL] } },
    responseSchema: { type: "object", properties: { answer: { type: "string", title: EVIL } } },
  });
  await page.getByRole("heading", { name: "Strange <img" }).waitFor();
  expect(await page.locator("img[src=x]").count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("textbox").fill("fine");
  await send();
  await expect.poll(() => sent.length).toBe(1);
  expect(JSON.parse(sent[0] ?? "").resume).toEqual([
    { interruptId: "i1", status: "resolved", payload: { answer: "fine" } },
  ]);
  await page.unrouteAll();
});

test("AG-093 AG-100 without a schema the answer is JSON; AG-097 an expired interrupt can only be abandoned", async () => {
  await restoredWith({ id: "i1", reason: "acme:bare", message: "Bare" });
  await page.getByRole("article").getByRole("textbox").fill('{"any": "thing"}');
  await page.unrouteAll();
  const sent = await restoredWith({
    ...{ id: "i2", reason: "confirmation", message: "Late" },
    expiresAt: "2020-01-01T00:00:00Z",
  });
  await page.getByText("Time is up: it can only be abandoned.").waitFor();
  expect(await page.getByLabel("Confirm").count()).toBe(0);
  await page.getByRole("button", { name: "Leave without answering" }).click();
  await send();
  await expect.poll(() => sent.length).toBe(1);
  expect(JSON.parse(sent[0] ?? "").resume).toEqual([{ interruptId: "i2", status: "cancelled" }]);
  await page.unrouteAll();
});

test("AG-102 an error is shown with a retry of the same answer, and nothing is sent twice", async () => {
  await begin("confirmation", "Close the account for good?");
  await choose("Confirm");
  const bodies: string[] = [];
  await page.route("**/agui/demo", (route) => {
    bodies.push(route.request().postData() ?? "");
    return bodies.length === 1 ? route.abort() : route.continue();
  });
  await page.getByRole("button", { name: "Send", exact: true }).dblclick();
  await page.getByRole("button", { name: "Send again" }).click();
  expect(await answered()).toHaveLength(1);
  expect(bodies).toHaveLength(2);
  const [first, second] = bodies.map((body) => JSON.parse(body).resume);
  expect(second).toEqual(first);
  await page.unrouteAll();
});

/** The protocol's client asks whether it may compile code and is told no, and says on the console when it was cut off. */
const EXPECTED = /policy violated: script-src eval|Agent execution failed/;

test("no page above had an error or a policy violation", () => {
  expect(on.trouble.filter((text) => !EXPECTED.test(text))).toEqual([]);
});
