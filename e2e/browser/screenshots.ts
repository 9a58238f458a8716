/**
 * Takes pictures of every page and state, on a phone and a desk, light and dark, into the folder that is named (or
 * `screenshots/`): for looking at, not for comparing. The two of the README go to `docs/pictures`; with `--readme` only these
 * are taken, with `--chats` only those of messages in chats.
 */

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { takeChatPictures } from "./chat-pictures.ts";
import { takeReadmePictures } from "./readme-pictures.ts";
import { ASKS, type AskName, hydrated, type Placed, type Stage, stage } from "./support.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { readme: { type: "boolean" }, chats: { type: "boolean" } },
});
const folder = resolve(positionals[0] ?? "screenshots");
const README = fileURLToPath(new URL("../../docs/pictures", import.meta.url));

const [NARROW, PHONE, DESK] = [320, 390, 1440].map((width) => ({ viewport: { width, height: 800 } }));

const LOOKS = [
  ["narrow-light", { ...NARROW, colorScheme: "light" }],
  ["phone-light", { ...PHONE, colorScheme: "light" }],
  ["phone-dark", { ...PHONE, colorScheme: "dark" }],
  ["desk-light", { ...DESK, colorScheme: "light" }],
  ["desk-dark", { ...DESK, colorScheme: "dark" }],
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
  const draft = await on.place({ ...ASKS.approval, prompt: "Publish the announcement?" });
  await on.call("POST", `/v1/holds/${draft.id}/answer`, {
    action: "edit",
    data: { feedback: "Shorter, please, and no exclamation marks." },
  });
  return [
    ...open,
    ["wizard", await on.place(WIZARD), fillFirstStep],
    ["second-round", await on.place({ ...ASKS.approval, previous: draft.id }), nothing],
    ["rich", await on.place(RICH), nothing],
    ["file", await on.place(FILE), nothing],
    [
      "approval-rejecting",
      await on.place(ASKS.approval),
      (page) => page.getByRole("button", { name: "Reject" }).click(),
    ],
    [
      "approval-editing",
      await on.place(ASKS.approval),
      async (page) => {
        await page.getByText("Change the arguments").click();
        await page
          .getByLabel("Arguments, as JSON")
          .fill('{"order": "A-10482", "amount": 40, "currency": "EUR"}');
      },
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

const WIZARD = {
  type: "input",
  prompt: "A few facts for the contract, please.",
  form: {
    session_id: "s1",
    steps: [
      { title: "Who", fields: [{ key: "name", label: "Name", type: "text", required: true }] },
      {
        title: "Money",
        description: "Gross, per month.",
        fields: [
          { key: "salary", label: "Salary", type: "number", required: true, hint: "In EUR" },
          { key: "iban", label: "IBAN", type: "text", sensitive: true },
          { key: "start", label: "First day", type: "date" },
        ],
      },
      { title: "Check", fields: [] },
    ],
  },
};

const FILE = {
  type: "input",
  prompt: "Please send the signed contract.",
  form: {
    fields: [
      { key: "contract", label: "Contract", type: "x-file-upload", required: true },
      { key: "from", label: "Valid from", type: "date" },
      { key: "sure", label: "It is signed by both", type: "boolean" },
    ],
  },
};

const RICH = {
  type: "approval",
  prompt: "Raise the refund limit to 250 EUR?",
  context: {
    reason: "Support asks for it every week.",
    notes_markdown:
      "## What changes\n\n- The limit for **refunds** goes from 100 to 250 EUR.\n- Nothing else.",
    patch:
      "--- a/limits.ts\n+++ b/limits.ts\n@@ -1,3 +1,3 @@\n export const LIMITS = {\n-  refund: 100,\n+  refund: 250,\n };",
    last_month: [
      { week: "W36", asked: 12, granted: 11, amount: 1_320.5 },
      { week: "W37", asked: 9, granted: 9, amount: 1_004 },
    ],
  },
  timeout: "3d",
};

async function fillFirstStep(page: Page): Promise<void> {
  // What was filled in for an earlier picture is still there.
  if (!(await page.getByLabel("Name").isVisible())) return;
  await page.getByLabel("Name").fill("Mara Lindqvist");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Salary").fill("4200");
}

/** Something of everything for an operator to look at. */
async function busyDay(on: Stage): Promise<{ readonly onIntent: string; readonly approved: string }> {
  const intent = async (body: object) =>
    ((await (await on.call("POST", "/api/v1/intents", body)).json()) as { id: string }).id;
  const parent = await intent({ title: "Close the third quarter", status: "active" });
  const self = await intent({ title: "Pay the suppliers", parent_intent_id: parent, status: "active" });
  await intent({ title: "Write the report for the board", depends_on: [self] });
  for (const title of ["Pay Nordlicht GmbH", "Pay Osei & Sons"])
    await intent({ title, parent_intent_id: self, status: "active" });
  const asked = { ...ASKS.approval, prompt: "Pay 12,400.00 EUR to Nordlicht GmbH?", intent_id: self };
  const ladder = [{ after: "30m", channel: "email", to: "lead@example.com" }];
  const onIntent = (await on.place({ ...asked, ladder, timeout: "20m" })).id;
  const approved = (await on.place(ASKS.approval)).id;
  await on.call("POST", `/v1/holds/${approved}/answer`, { action: "approve" });
  const { digest } = await on.read(approved);
  await on.call("POST", `/v1/holds/${approved}/claim`, { digest });
  return { onIntent, approved };
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

if (values.chats !== true) {
  await using own = await stage();
  await takeReadmePictures(own, README);
}
if (values.readme === true) process.exit();

mkdirSync(folder, { recursive: true });
await takeChatPictures(folder);
if (values.chats === true) process.exit();

await using on = await stage();
const reviews = await states(on);
const day = await busyDay(on);
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
  const holds = {
    hold: `/console/holds/${day.onIntent}`,
    "hold-approved": `/console/holds/${day.approved}`,
  };
  for (const [name, path] of Object.entries({ ...PAGES, ...holds })) {
    await page.goto(on.server.url + path);
    await page.getByText("Live", { exact: true }).waitFor();
    for (const part of await page.locator(".app-loading").all()) await part.waitFor({ state: "detached" });
    await take(`console-${name}`);
    if (name === "playground") {
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.getByRole("heading", { name: "What the log says" }).waitFor();
      await page.getByText("placed", { exact: true }).waitFor();
      await take("console-playground-asked");
    }
  }
  await page.goto(`${on.server.url}/console`);
  await page.getByRole("searchbox").fill("nothing like it");
  await page.getByText("Nothing matches").waitFor();
  await take("console-inbox-empty");
  await page.route("**/v1/**", (route) => route.abort());
  await page.getByRole("link", { name: "History", exact: true }).click();
  await page.getByText("There is no connection").first().waitFor();
  await take("console-history-trouble");
  await page.context().close();
}
console.log(`Pictures are in ${folder}`);
if (on.trouble.length > 0) console.error(on.trouble.join("\n"));
