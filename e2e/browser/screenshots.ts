/**
 * Takes pictures of every page and state, on a phone and a desk, light and dark, into the folder that is named (or
 * `screenshots/`): for looking at, not for comparing.
 */

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { ASKS, type AskName, DESKTOP, hydrated, PHONE, type Placed, type Stage, stage } from "./support.ts";

const folder = resolve(process.argv[2] ?? "screenshots");

const LOOKS = [
  ["phone-light", { ...PHONE, colorScheme: "light" }],
  ["phone-dark", { ...PHONE, colorScheme: "dark" }],
  ["desk-light", { ...DESKTOP, colorScheme: "light" }],
  ["desk-dark", { ...DESKTOP, colorScheme: "dark" }],
] as const;

/** Each state of a review: how the hold comes into it, and what is pressed then. */
async function states(
  on: Stage,
): Promise<readonly (readonly [string, Placed, (page: Page) => Promise<void>])[]> {
  const nothing = async () => undefined;
  const open = await Promise.all(
    (Object.keys(ASKS) as AskName[]).map(
      async (name) => [name, await on.place(ASKS[name]), nothing] as const,
    ),
  );
  const decided = await on.place(ASKS.approval);
  await on.call("POST", `/v1/holds/${decided.id}/answer`, {
    action: "reject",
    data: { feedback: "Wrong order" },
  });
  const cancelled = await on.place(ASKS.approval);
  await on.call("POST", `/v1/holds/${cancelled.id}/cancel`, { reason: "No longer needed" });
  const expired = await on.place({ ...ASKS.approval, timeout: "1s" });
  await on.call("GET", `/v1/holds/${expired.id}?wait=5`);
  return [
    ...open,
    [
      "approval-rejecting",
      await on.place(ASKS.approval),
      (page) => page.getByRole("button", { name: "Reject" }).click(),
    ],
    [
      "approval-editing",
      await on.place(ASKS.approval),
      (page) => page.getByText("Change the arguments").click(),
    ],
    [
      "input-problem",
      await on.place(ASKS.input),
      (page) => page.getByRole("button", { name: "Submit" }).click(),
    ],
    ["decided", decided, nothing],
    ["cancelled", cancelled, nothing],
    ["expired", expired, nothing],
  ];
}

const PAGES = {
  inbox: "/console",
  history: "/console/history",
  audit: "/console/audit",
  people: "/console/people",
  channels: "/console/channels",
  settings: "/console/settings",
  playground: "/playground",
  gallery: "/gallery",
} as const;

await using on = await stage();
mkdirSync(folder, { recursive: true });
const reviews = await states(on);
for (const [look, options] of LOOKS) {
  const page = await on.page(options);
  const take = (name: string) =>
    page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: true });
  for (const [name, hold, press] of reviews) {
    await page.goto(on.link(hold));
    await hydrated(page);
    await press(page);
    await take(`review-${name}`);
  }
  await page.goto(`${on.server.url}/review/review_nobody?token=none`);
  await take("review-wrong-link");
  const made = await on.call("POST", "/v1/sign-ins", { name: "ada", role: "admin" });
  const { pathname, search } = new URL(((await made.json()) as { url: string }).url);
  await page.goto(on.server.url + pathname + search);
  for (const [name, path] of Object.entries({ ...PAGES, hold: `/console/holds/${reviews[0]?.[1].id}` })) {
    await page.goto(on.server.url + path);
    await page.getByText("Live", { exact: true }).waitFor();
    for (const part of await page.locator(".app-loading").all()) await part.waitFor({ state: "detached" });
    await take(`console-${name}`);
  }
  await page.context().close();
}
console.log(`Pictures are in ${folder}`);
if (on.trouble.length > 0) console.error(on.trouble.join("\n"));
