/** Every kind of ask and every state, from 320 to 1440 px, light and dark, with and without script: nothing spills, axe is content. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stage } from "./shared.ts";
import { ASKS, hydrated, type Placed, type Stage, violations, widthLeft } from "./support.ts";

let on: Stage;
beforeAll(async () => {
  on = await stage();
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

const WIDTHS = [320, 360, 414, 600, 768, 1024, 1280, 1440];
const AXED = new Set([320, 1280]);
const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(2);
const choice = [
  { value: "a", label: "Alpha" },
  { value: "b", label: LONG },
];

const MORE = {
  fields: {
    type: "input",
    prompt: "Everything there is",
    form: {
      fields: [
        { key: "f_text", label: "Text", type: "text", hint: LONG, required: true },
        { key: "f_area", label: "Area", type: "textarea" },
        { key: "f_number", label: "Number", type: "number" },
        { key: "f_date", label: "Date", type: "date" },
        { key: "f_bool", label: LONG, type: "boolean" },
        { key: "f_one", label: "One", type: "select", options: choice },
        { key: "f_many", label: "Many", type: "multiselect", options: choice },
        { key: "f_range", label: "Range", type: "range" },
        { key: "f_secret", label: "Secret", type: "text", sensitive: true },
      ],
    },
  },
  wizard: {
    type: "input",
    prompt: "A contract in steps",
    form: {
      session_id: "s",
      steps: ["Kind of work", "Money and dates", "People", "Papers", "Check"].map((title, at) => ({
        title,
        fields: at === 4 ? [] : [{ key: `k${at}`, label: title, type: "text" }],
      })),
    },
  },
  schema: {
    type: "input",
    prompt: "Where to?",
    response_schema: {
      type: "object",
      required: ["region"],
      properties: {
        region: { enum: ["eu", "us"] },
        days: { type: "integer", minimum: 1 },
        contact: { type: "object", properties: { mail: { type: "string", format: "email" } } },
      },
    },
  },
  rich: {
    type: "approval",
    prompt: `Publish ${LONG}?`,
    context: {
      reason: LONG,
      body_markdown: `# Title\n\n${LONG}\n\n- one\n- two\n\n[a link](https://example.com/${LONG})`,
      patch: `--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-${LONG}\n+short\n same`,
      rows: Array.from({ length: 4 }, (_, at) => ({
        name: LONG,
        amount: at * 1_000.5,
        city: "Tromsø",
        when: "2026-01-01",
      })),
      url: `https://example.com/${LONG}`,
      deep: { a: { b: { c: [1, 2, { d: LONG }] } } },
    },
  },
} as const;

const ALL: Readonly<Record<string, object>> = { ...ASKS, ...MORE };

/** A context with script, with none, and both colours. */
const LOOKS = (["light", "dark"] as const).flatMap((colorScheme) =>
  [true, false].map((javaScriptEnabled) => ({ colorScheme, javaScriptEnabled })),
);

/** Text that is cut off with no way to reach it. */
function clipped(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main *")]
      .filter((element) => {
        const { overflowX, position } = getComputedStyle(element);
        const isCut = overflowX === "hidden" || overflowX === "clip";
        return isCut && position !== "absolute" && element.scrollWidth > element.clientWidth + 1;
      })
      .map(({ className, innerText }) => `${className}: ${innerText.slice(0, 40)}`),
  );
}

interface Look {
  readonly colorScheme: "light" | "dark";
  readonly javaScriptEnabled: boolean;
}

const WIDE = { viewport: { width: 1440, height: 800 } };

async function check(look: Look, hold: Placed): Promise<void> {
  const page = await on.page({ ...look, ...WIDE });
  await page.goto(on.link(hold));
  if (look.javaScriptEnabled) await hydrated(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    expect(await widthLeft(page), `${width} px`).toBe(0);
    expect(await clipped(page), `${width} px`).toEqual([]);
    if (look.javaScriptEnabled && AXED.has(width)) expect(await violations(page), `${width} px`).toEqual([]);
  }
  await on.leave(page);
  if (!look.javaScriptEnabled) await checkUnscripted(look, hold);
}

/** Axe is a script too: the page that it looks at is one whose own scripts never arrive. */
async function checkUnscripted({ colorScheme }: Look, hold: Placed): Promise<void> {
  const page = await on.page({ colorScheme, ...WIDE });
  await page.route("**/*.js", (route) => route.abort());
  await page.goto(on.link(hold));
  for (const width of AXED) {
    await page.setViewportSize({ width, height: 800 });
    expect(await violations(page), `${width} px`).toEqual([]);
  }
  await on.leave(page);
}

const TIMEOUT_MS = 120_000;

describe.each(LOOKS)("$colorScheme, script: $javaScriptEnabled", (look) => {
  test.each(Object.keys(ALL))(
    "HP-196 HP-204 HP-205 an ask of kind %s fits every screen",
    async (name) => check(look, await on.place(ALL[name] ?? {})),
    TIMEOUT_MS,
  );

  test.each(["decided", "cancelled", "expired"])(
    "HP-196 a hold that was %s fits every screen",
    async (how) => check(look, await ended(how)),
    TIMEOUT_MS,
  );
});

async function ended(how: string): Promise<Placed> {
  const hold = await on.place(how === "expired" ? { ...MORE.rich, timeout: "1s" } : MORE.rich);
  if (how === "decided")
    await on.call("POST", `/v1/holds/${hold.id}/answer`, { action: "reject", data: { feedback: LONG } });
  if (how === "cancelled") await on.call("POST", `/v1/holds/${hold.id}/cancel`, { reason: LONG });
  if (how === "expired") await on.call("GET", `/v1/holds/${hold.id}?wait=5`);
  return hold;
}

test("no page above had an error, a dialog or a policy violation", () => {
  expect(on.trouble).toEqual([]);
});
