/** Every page of the console, filled with something of everything: light and dark, on a phone and a desk, and at 320 px. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillConsole } from "./console-day.ts";
import { stage } from "./shared.ts";
import { type Stage, violations, widthLeft } from "./support.ts";

let on: Stage;
let pages: Readonly<Record<string, string>>;
beforeAll(async () => {
  on = await stage();
  pages = await fillConsole(on);
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

async function signedIn(colorScheme: "light" | "dark", width: number): Promise<Page> {
  const page = await on.page({ colorScheme, viewport: { width, height: 800 } });
  const made = await on.call("POST", "/v1/sign-ins", { name: "ada", role: "admin" });
  const { pathname, search } = new URL(((await made.json()) as { url: string }).url);
  await page.goto(on.server.url + pathname + search);
  return page;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(on.server.url + path);
  await page.locator("#main h1, #main h2").first().waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await expect.poll(() => page.locator(".app-loading").count()).toBe(0);
}

/** Controls that a screen reader would announce without a name. */
function unnamed(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        "#main :is(button, a[href], input, select, textarea, [role=img])",
      ),
    ]
      .filter((element) => element.getAttribute("type") !== "hidden" && element.offsetParent !== null)
      .filter((element) => {
        const labels = [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent);
        const by = document.getElementById(element.getAttribute("aria-labelledby") ?? "")?.textContent;
        const said = [element.getAttribute("aria-label"), by, element.title, element.textContent, ...labels];
        return !said.some((text) => (text ?? "").trim() !== "");
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );
}

type Named = readonly [role: Parameters<Page["getByRole"]>[0], name: string];

/** What a screen reader finds on each page, by role and whole name. */
const NAMES: Readonly<Record<string, readonly Named[]>> = {
  inbox: [
    ["heading", "Inbox"],
    ["navigation", "Console"],
    ["region", "Waiting"],
    ["region", "Selected"],
    ["searchbox", "Search"],
    ["button", "Approve"],
  ],
  "inbox by tool": [
    ["combobox", "Group"],
    ["combobox", "Order"],
    ["combobox", "Type"],
    ["combobox", "Assigned"],
  ],
  "hold with votes": [
    ["complementary", "About this hold"],
    ["region", "Work on this hold"],
    ["button", "Take it"],
  ],
  "hold in a workflow": [
    ["heading", "Plan draft"],
    ["heading", "Workflow: Close the third quarter"],
  ],
  overview: [
    ["heading", "Overview"],
    ["table", "By tool"],
  ],
  history: [
    ["heading", "History"],
    ["group", "Status"],
    ["group", "Filters"],
    ["columnheader", "Outcome"],
    ["searchbox", "Search"],
  ],
  audit: [
    ["heading", "Is the log whole?"],
    ["button", "Verify now"],
    ["group", "Filters"],
  ],
  people: [
    ["textbox", "Person's name"],
    ["combobox", "Person's role"],
    ["button", "Add the person"],
  ],
  person: [
    ["heading", "Ada Obi"],
    ["textbox", "Preferred channel"],
    ["checkbox", "Tell me at once of questions that end before then"],
    ["button", "Make a one-time link"],
  ],
  rules: [
    ["heading", "Rules"],
    ["button", "Change the rules"],
    ["heading", "Coverage"],
  ],
  channels: [
    ["heading", "Chats"],
    ["textbox", "Address of a webhook"],
  ],
  settings: [
    ["combobox", "An answer counts"],
    ["region", "Passkeys"],
    ["region", "Notifications on this device"],
  ],
};

test("screen readers find each page's parts by role and name", async () => {
  const page = await signedIn("light", 1280);
  const missing: string[] = [];
  for (const [at, names] of Object.entries(NAMES)) {
    await open(page, pages[at] ?? "");
    for (const [role, name] of names) {
      const found = await page.getByRole(role, { name, exact: true }).count();
      if (found === 0) missing.push(`${at}: ${role} ${name}`);
    }
  }
  expect(missing).toEqual([]);
  await on.leave(page);
});

test.each([
  ["light", 390],
  ["light", 1280],
  ["dark", 390],
  ["dark", 1280],
] as const)(
  "every page is clean for axe, names its controls and fits, in %s at %i px",
  async (colors, width) => {
    const page = await signedIn(colors, width);
    const found: string[] = [];
    for (const [name, path] of Object.entries(pages)) {
      await open(page, path);
      for (const violation of await violations(page)) found.push(`${name}: ${violation}`);
      for (const control of await unnamed(page)) found.push(`${name}: no name: ${control}`);
      if ((await widthLeft(page)) > 0) found.push(`${name}: wider than ${width} px`);
    }
    expect(found).toEqual([]);
    await on.leave(page);
  },
);

test("no page of the console is wider than 320 px", async () => {
  const page = await signedIn("light", 320);
  const wide: string[] = [];
  for (const [name, path] of Object.entries(pages)) {
    await open(page, path);
    if ((await widthLeft(page)) > 0) wide.push(name);
  }
  expect(wide).toEqual([]);
  await on.leave(page);
});

test("no page above had an error or a policy violation", () => {
  expect(on.trouble).toEqual([]);
});
