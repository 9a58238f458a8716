/** The inbox of `@holdpoint/react` in a real browser, as the page of `examples/react-inbox` embeds it. */

import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { build, type Rolldown } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stage } from "./shared.ts";
import { ASKS, DESKTOP, PHONE, type Stage, tabTo, violations, widthLeft } from "./support.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/react-inbox/", import.meta.url));
const PERSON = "ada";

let on: Stage;
let files: ReadonlyMap<string, Built>;

interface Built {
  readonly body: string;
  readonly contentType: string;
}

beforeAll(async () => {
  [on, files] = await Promise.all([stage(), builtExample()]);
});

afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

async function builtExample(): Promise<Map<string, Built>> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    root: EXAMPLE,
    base: "/app/",
    resolve: { conditions: ["@holdpoint/source", "browser", "import"] },
    build: { write: false },
  });
  const { output } = result as Rolldown.RolldownOutput;
  return new Map(
    output.map((file) => [
      `/app/${file.fileName}`,
      {
        body: file.type === "chunk" ? file.code : String(file.source),
        contentType: TYPES[file.fileName.split(".").at(-1) ?? ""] ?? "text/plain",
      },
    ]),
  );
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
};

/** The example's page, served at an address beside the API, with a token as the app's server makes it. */
async function openInbox(options: BrowserContextOptions): Promise<Page> {
  const page = await on.page(options);
  await page.route("**/app/**", async (route) => {
    const built = files.get(new URL(route.request().url()).pathname);
    await route.fulfill(built === undefined ? { status: 404 } : { ...built });
  });
  await page.route("**/api/holdpoint", async (route) => {
    const reply = await on.call("POST", "/v1/browser-tokens", { person: PERSON, expires_in: "15m" });
    const { token } = (await reply.json()) as { readonly token: string };
    await route.fulfill({ json: { url: on.server.url, token } });
  });
  await page.goto(`${on.server.url}/app/index.html`);
  return page;
}

test.each([
  ["a phone in the light theme", PHONE, "light"],
  ["a desktop in the dark theme", DESKTOP, "dark"],
] as const)(
  "the inbox component has no axe violation and no overflow on %s",
  async (_, options, colorScheme) => {
    await on.place({ ...ASKS.approval, metadata: { person: PERSON } });
    const page = await openInbox(options);
    await page.emulateMedia({ colorScheme });
    await page.getByText(ASKS.approval.prompt).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByText(ASKS.approval.prompt).first().click();
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await widthLeft(page)).toBe(0);
    await on.leave(page);
  },
);

test("a person answers a question of the inbox component with the keyboard alone", async () => {
  const placed = await on.place({ ...ASKS["x-tone"], metadata: { person: PERSON } });
  const page = await openInbox(DESKTOP);
  await page.getByText(ASKS["x-tone"].prompt).first().waitFor();
  await tabTo(page, ASKS["x-tone"].prompt);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Send it" }).waitFor();
  await tabTo(page, "Send it");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await on.read(placed.id)).status).toBe("decided");
  expect((await on.read(placed.id)).outcome).toMatchObject({ action: "send" });
  await on.leave(page);
});
