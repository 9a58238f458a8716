/** A real server and a real browser, with asks of every kind to look at. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser } from "../../tools/browser.ts";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";

export interface Placed {
  readonly id: string;
  readonly review_url: string;
}

/** Where a server is, and a key to it. */
type ServerAt = Pick<ServerProcess, "url" | "key">;

interface SignIn {
  /** `ada` */
  readonly name?: string;
  /** `admin` */
  readonly role?: string;
  /** `/console` */
  readonly path?: string;
  /** Another name of the server. */
  readonly origin?: string;
}

export interface Stage<Server extends ServerAt = ServerAt> extends AsyncDisposable {
  readonly server: Server;
  readonly browser: Browser;
  /** Policy violations, dialogs and page errors, of all pages so far. */
  readonly trouble: string[];
  place(ask: object): Promise<Placed>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries and asserts on it.
  read(holdId: string): Promise<any>;
  call(method: string, path: string, body?: object): Promise<Response>;
  /** Of a context that nobody else has at the moment, without cookies and with nothing stored. */
  page(options?: BrowserContextOptions): Promise<Page>;
  open(hold: Placed, options?: BrowserContextOptions): Promise<Page>;
  /** By a one-time link, and then to `path`. */
  signIn(page: Page, options?: SignIn): Promise<void>;
  /** Emptied and kept for whoever wants such a page next, in this file or another: a fresh context costs four times as much. */
  leave(page: Page): Promise<void>;
  link(hold: Placed): string;
}

export const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true } as const;
export const DESKTOP = { viewport: { width: 1280, height: 800 } } as const;

export type OwnServerStage = Stage<ServerProcess>;

/** With a server and a browser of its own. */
export async function stage(): Promise<OwnServerStage> {
  const [server, browser] = await Promise.all([serverProcess(), launchBrowser()]);
  return stageOn(server, browser, () => browser.close());
}

/** Pages of a browser that nobody uses at the moment, by what they look like. */
const idleIn = new WeakMap<Browser, Map<string, Page[]>>();
/** Where the trouble of a page goes: to the stage that uses it. */
const troubleOf = new WeakMap<Page, string[]>();

/** Ends the server with the stage if it is one that can be ended. */
export function stageOn<Server extends ServerAt & Partial<AsyncDisposable>>(
  server: Server,
  browser: Browser,
  end: () => Promise<void> = async () => undefined,
): Stage<Server> {
  const trouble: string[] = [];
  const idle = idleIn.get(browser) ?? new Map<string, Page[]>();
  idleIn.set(browser, idle);
  const looks = new Map<Page, string>();
  const self: Stage<Server> = {
    server,
    browser,
    trouble,
    call(method, path, body) {
      const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
      return fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    },
    async place(ask) {
      const reply = await self.call("POST", "/v1/holds", ask);
      if (!reply.ok) throw new Error(await reply.text());
      return (await reply.json()) as Placed;
    },
    read: async (holdId) => (await self.call("GET", `/v1/holds/${holdId}`)).json(),
    link(hold) {
      const { pathname, search } = new URL(hold.review_url);
      return server.url + pathname + search;
    },
    async page(options = DESKTOP) {
      const look = JSON.stringify(options);
      const page = idle.get(look)?.pop() ?? (await watchedPage(browser, options));
      troubleOf.set(page, trouble);
      looks.set(page, look);
      return page;
    },
    async open(hold, options) {
      const page = await self.page(options);
      await page.goto(self.link(hold));
      if (options?.javaScriptEnabled !== false) await hydrated(page);
      return page;
    },
    async signIn(page, { name = "ada", role = "admin", path = "/console", origin = server.url } = {}) {
      const made = await self.call("POST", "/v1/sign-ins", { name, role });
      const { pathname, search } = new URL(((await made.json()) as { url: string }).url);
      await page.goto(origin + pathname + search);
      if (path !== "/console") await page.goto(origin + path);
    },
    async leave(page) {
      await page.unrouteAll({ behavior: "ignoreErrors" });
      // Ends its scripts and streams; at the same site it keeps its process.
      await page.goto(new URL("/healthz", page.url()).href);
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      await page.context().clearCookies();
      await page.emulateMedia({ colorScheme: null, reducedMotion: null });
      const look = looks.get(page) ?? "";
      looks.delete(page);
      const { viewport } = JSON.parse(look) as BrowserContextOptions;
      if (viewport != null) await page.setViewportSize(viewport);
      idle.set(look, [...(idle.get(look) ?? []), page]);
    },
    async [Symbol.asyncDispose]() {
      for (const page of looks.keys()) await page.context().close();
      await end();
      await server[Symbol.asyncDispose]?.();
    },
  };
  return self;
}

async function watchedPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  // A worker would answer before what a test puts in between; the test of the worker asks for it.
  const context = await browser.newContext({ serviceWorkers: "block", ...options });
  context.setDefaultTimeout(8_000);
  const page = await context.newPage();
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      console.error(`policy violated: ${violatedDirective} ${blockedURI}`);
    });
  });
  const note = (what: string) => troubleOf.get(page)?.push(what);
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource|ERR_/.test(message.text()))
      note(message.text());
  });
  page.on("pageerror", (error) => note(error.message));
  page.on("dialog", (dialog) => {
    note(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return page;
}

/** The theme button is drawn by script only: once it is there, the page lives. */
export async function hydrated(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Dark theme" }).waitFor();
}

export const ASKS = {
  approval: {
    type: "approval",
    prompt: "Refund 79.90 EUR to Mara Lindqvist?",
    context: {
      reason: "Arrived broken",
      tool: "refund",
      args: { order: "A-10482", amount: 79.9, currency: "EUR" },
    },
    timeout: "2h",
    on_timeout: "reject",
  },
  selection: {
    type: "selection",
    prompt: "Whom shall we invite?",
    options: [
      { id: "okafor", label: "Ngozi Okafor", description: "Payments, Lisbon" },
      { id: "brandt", label: "Jonas Brandt" },
      { id: "ito", label: "Haruka Ito" },
    ],
    select: { min: 1, max: 2 },
  },
  input: {
    type: "input",
    prompt: "A few facts, please.",
    form: {
      fields: [
        { key: "name", label: "Name", type: "text", required: true, hint: "As on the contract" },
        { key: "days", label: "Days", type: "number", validation: { min: 1, max: 30 } },
      ],
    },
  },
  confirmation: {
    type: "confirmation",
    prompt: "Delete 1,204 inactive accounts now?",
    context: {
      description: "This cannot be undone.",
      items: [{ id: "backup", label: "Backup is complete" }],
    },
  },
  escalation: {
    type: "escalation",
    prompt: "The import failed three times. What now?",
    context: {
      error: { title: "Time-out", summary: "No answer within 30 s.", details: "at fetch (import.ts:12)" },
      params: { timeout_seconds: 30, batch_size: 500 },
    },
  },
  "x-tone": {
    type: "x-tone",
    prompt: "Is this reply fit to be sent?",
    context: { draft: "Dear Mr Osei,\n\nwe are sorry." },
    actions: [
      { id: "send", label: "Send it", style: "primary" },
      { id: "reject", label: "Do not send", style: "danger" },
    ],
  },
} as const;

export type AskName = keyof typeof ASKS;

/** As the console's own links go there, without loading everything again; where the page already is, it is loaded again. */
export async function goInConsole(page: Page, path: string): Promise<void> {
  const here = new URL(page.url());
  if (here.pathname === path) {
    await page.goto(here.origin + path);
    return;
  }
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
}

/** With nothing but the tab key, as far as it takes. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    const here = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      const labels = [...((element as HTMLInputElement | null)?.labels ?? [])].map(
        ({ innerText }) => innerText,
      );
      return [element?.getAttribute("aria-label") ?? "", element?.innerText ?? "", ...labels];
    });
    if (here.some((text) => text.trim().startsWith(name))) return;
  }
  throw new Error(`no tab stop named ${name}`);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Everything axe has to say. */
export async function violations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(`${AXE};0`);
  const found = (await page.evaluate(
    "axe.run({ resultTypes: ['violations'], preload: false })",
  )) as axe.AxeResults;
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** How far the page is wider than what it is seen through. */
export function widthLeft(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** How a person answers each kind, with script or without, and what the agent gets. */
export const ANSWERS: Readonly<
  Record<AskName, { readonly give: (page: Page) => Promise<void>; readonly result: object }>
> = {
  approval: {
    give: (page) => page.getByRole("button", { name: "Approve" }).click(),
    result: { action: "approve", data: {} },
  },
  selection: {
    async give(page) {
      await page.getByLabel("Ngozi Okafor").check();
      await page.getByLabel("Haruka Ito").check();
      await page.getByRole("button", { name: "Select" }).click();
    },
    result: { action: "select", data: { selected: ["okafor", "ito"] } },
  },
  input: {
    async give(page) {
      await page.getByLabel("Name").fill("Nordlicht GmbH");
      await page.getByLabel("Days").fill("12");
      await page.getByRole("button", { name: "Submit" }).click();
    },
    result: { action: "submit", data: { name: "Nordlicht GmbH", days: 12 } },
  },
  confirmation: {
    async give(page) {
      await page.getByLabel("Backup is complete").check();
      await page.getByRole("button", { name: "Confirm" }).click();
    },
    result: { action: "confirm", data: { confirmed_items: ["backup"] } },
  },
  escalation: {
    give: (page) => page.getByRole("button", { name: "Skip" }).click(),
    result: { action: "skip", data: {} },
  },
  "x-tone": {
    give: (page) => page.getByRole("button", { name: "Send it" }).click(),
    result: { action: "send", data: {} },
  },
};
