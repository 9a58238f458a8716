/** The pages as a person meets them: a real browser at a phone's width, without JavaScript. */

import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EVERY_FIELD } from "../packages/server/src/testing/every-field.ts";
import { type TestServer, testServer } from "../packages/server/src/testing/test-server.ts";
import { openBrowser } from "./support/shared-browser.ts";

const PHONE = { width: 390, height: 844 };

let test: TestServer;
let http: Server;
let url: string;
let page: Page;
/** Where somebody wants to look at the pages afterwards. */
const pictures = process.env["HOLDPOINT_PICTURES"];

beforeAll(async () => {
  test = await testServer();
  http = createAdaptorServer({ fetch: test.server.app.fetch }) as Server;
  await once(http.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  page = await (await openBrowser()).newPage({ viewport: PHONE, javaScriptEnabled: false });
});
afterAll(async () => {
  await page.context().close();
  http.closeAllConnections();
  http.close();
  await test[Symbol.asyncDispose]();
});

async function api(method: string, path: string, body?: object) {
  const reply = await test.call(method, path, {
    key: test.keys.dev,
    ...(body === undefined ? {} : { body }),
  });
  expect(reply.status).toBeLessThan(300);
  return reply.body;
}

/** Nothing to scroll sideways for, and every target large enough for a thumb. */
async function expectUsable(name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  const boxes = await page
    .locator(
      "button, input:not([type=hidden]):not([type=checkbox]):not([type=radio]), select, textarea, .choice",
    )
    .evaluateAll((targets) =>
      targets.map((target) => {
        const { right, height } = target.getBoundingClientRect();
        return { right, height };
      }),
    );
  for (const { right, height } of boxes) {
    expect(right, name).toBeLessThanOrEqual(PHONE.width);
    expect(height, name).toBeGreaterThanOrEqual(44);
  }
  const body = await page.locator("body").boundingBox();
  expect(body?.width).toBeLessThanOrEqual(PHONE.width);
}

const LONG =
  "https://example.com/a-very-long-address-without-any-place-to-break-it/0123456789/0123456789/0123456789";

const CASES: readonly {
  readonly name: string;
  readonly ask: object;
  readonly fill: (page: Page) => Promise<void>;
  readonly button: string;
  readonly outcome: object;
}[] = [
  {
    name: "approval",
    ask: {
      type: "approval",
      prompt: "Refund 80 EUR to Ada Park for order 1042?",
      context: { order: "1042", amount: 80, link: LONG, items: [{ name: "Lamp", price: 80 }] },
      timeout: "2h",
      on_timeout: "reject",
    },
    fill: (page) => page.getByLabel("Feedback").fill("Customer called twice"),
    button: "Approve",
    outcome: { action: "approve", data: { feedback: "Customer called twice" } },
  },
  {
    name: "selection",
    ask: {
      type: "selection",
      prompt: "Which carrier?",
      options: [
        { id: "a", label: "Air", description: "Two days" },
        { id: "s", label: "Sea", description: "Five weeks" },
      ],
      select: { max: 1 },
    },
    fill: (page) => page.getByText("Sea").click(),
    button: "Select",
    outcome: { action: "select", data: { selected: ["s"] } },
  },
  {
    name: "input",
    ask: {
      type: "input",
      prompt: "Who is it for?",
      form: { fields: EVERY_FIELD },
    },
    fill: async (page) => {
      await page.getByLabel("Name").fill("Ada");
      await page.getByLabel("Amount").fill("40");
      await page.getByLabel("On", { exact: true }).fill("2026-03-01");
      await page.getByText("I am sure").click();
      await page.getByLabel("Size").selectOption("l");
      await page.getByText("Monday").click();
      await page.getByText("Tuesday").click();
      await page.getByLabel("PIN").fill("4711");
    },
    button: "Submit",
    outcome: {
      action: "submit",
      data: {
        name: "Ada",
        amount: 40,
        on: "2026-03-01",
        sure: true,
        size: "l",
        days: ["mo", "tu"],
        pin: "4711",
      },
    },
  },
  {
    name: "confirmation",
    ask: {
      type: "confirmation",
      prompt: "Delete these?",
      context: {
        items: [
          { id: "i1", label: "One" },
          { id: "i2", label: "Two" },
        ],
      },
    },
    fill: async (page) => {
      await page.getByText("One", { exact: true }).last().click();
      await page.getByText("Two", { exact: true }).last().click();
    },
    button: "Confirm",
    outcome: { action: "confirm", data: { confirmed_items: ["i1", "i2"] } },
  },
  {
    name: "escalation",
    ask: {
      type: "escalation",
      prompt: "The carrier refused the address",
      context: { error: "ADDRESS_UNKNOWN\n  at line 2", params: { street: "Main" } },
    },
    fill: async (page) => {
      await page.getByLabel("Reason").fill("Typo");
      await page.getByLabel("Changed parameters").fill('{"street":"Main St"}');
    },
    button: "Retry",
    outcome: { action: "retry", data: { reason: "Typo", modified_params: { street: "Main St" } } },
  },
  {
    name: "own",
    ask: {
      type: "x-triage",
      prompt: "Where does it go?",
      actions: [
        { id: "billing", label: "Billing" },
        { id: "legal", label: "Legal", style: "danger" },
      ],
    },
    fill: () => Promise.resolve(),
    button: "Billing",
    outcome: { action: "billing" },
  },
];

describe("the review page on a phone, without script", () => {
  it.each(CASES)("the review page takes an answer to $name", async ({ name, ask, fill, button, outcome }) => {
    const hold = await api("POST", "/v1/holds", ask);
    await page.goto(hold.review_url.replace(/^https?:\/\/[^/]+/, url));
    await expectUsable(name);
    await fill(page);
    await page.getByRole("button", { name: button }).click();
    await page.getByText("Your answer was recorded").waitFor();
    await expectUsable(`${name}-answered`);
    expect((await api("GET", `/v1/holds/${hold.id}`)).outcome).toMatchObject(outcome);
  });

  it("the review page shows errors at their fields, and keeps the other values", async () => {
    const fields = [
      { key: "mail", label: "Mail", type: "text", required: false, validation: { pattern: "^\\S+@\\S+$" } },
      { key: "note", label: "Note", type: "text" },
    ];
    const hold = await api("POST", "/v1/holds", { type: "input", prompt: "Your address?", form: { fields } });
    await page.goto(hold.review_url.replace(/^https?:\/\/[^/]+/, url));
    await page.getByLabel("Mail").fill("nonsense");
    await page.getByLabel("Note").fill("kept");
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByText("Nothing was sent yet").waitFor();
    await expectUsable("problem");
    expect(await page.getByLabel("Note").inputValue()).toBe("kept");
    expect(await page.getByLabel("Mail").getAttribute("aria-invalid")).toBe("true");
  });
});

describe("the console on a phone, without script", () => {
  it("the console signs in by its link, lists, answers and signs out", async () => {
    await api("POST", "/v1/holds", { type: "approval", prompt: "Publish the release notes?" });
    const link = await api("POST", "/v1/sign-ins", { name: "Ada" });
    await page.goto(link.url.replace(/^https?:\/\/[^/]+/, url));
    await page.goto(`${url}/console?plain`);
    await expectUsable("inbox");
    await page.goto(
      `${await page
        .getByText("Publish the release notes?")
        .locator("xpath=ancestor::a")
        .evaluate((a) => (a as HTMLAnchorElement).href)}?plain`,
    );
    await expectUsable("console-hold");
    await page.getByRole("button", { name: "Reject" }).click();
    await page.goto(`${page.url()}&plain`);
    await page.getByText("Your answer was recorded").waitFor();
    await page.goto(`${url}/console?plain`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "You are signed out", level: 1 }).waitFor();
  });
});
