/** The console with a hundred thousand open holds, in a real browser: how soon it is usable, a key press, memory. */

import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../../../tools/browser.ts";
import { crowdedInbox } from "./crowded-inbox.ts";
import { percentiles } from "./load.ts";
import type { Result } from "./result.ts";

const HOLDS = 100_000;
const PRESSES = 40;

export async function measureConsole(quick: boolean): Promise<readonly Result[]> {
  await using inbox = await crowdedInbox(quick ? 10_000 : HOLDS);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(await inbox.signIn());
    await firstRow(page);
    const loads: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const from = performance.now();
      await page.goto(`${inbox.url}/console`);
      await firstRow(page);
      loads.push(performance.now() - from);
    }
    const presses = await pressKeys(page);
    const searchMs = await search(page);
    const elements = await page.evaluate(() => document.querySelectorAll("*").length);
    const bytes = await memoryOf(browser);
    return results(loads, presses, searchMs, elements, bytes);
  } finally {
    await browser.close();
  }
}

/** The list is there, and the hold beside it can be answered. */
async function firstRow(page: Page): Promise<void> {
  await page.locator(".app-row").first().waitFor();
  await page.locator(".app-look").getByRole("button", { name: "Approve" }).waitFor();
}

/** From the key to the frame in which the next row is the current one. */
async function pressKeys(page: Page): Promise<readonly number[]> {
  const times: number[] = [];
  await page.keyboard.press("j");
  for (let press = 0; press < PRESSES; press += 1) {
    await page.evaluate(() => {
      const seen = window as unknown as { pressed?: Promise<number> };
      const before = document.querySelector(".app-row a[aria-current]")?.getAttribute("href");
      seen.pressed = new Promise((resolve) => {
        let from = 0;
        addEventListener("keydown", () => (from = performance.now()), { once: true, capture: true });
        const look = () => {
          const now = document.querySelector(".app-row a[aria-current]")?.getAttribute("href");
          if (from > 0 && now !== before) resolve(performance.now() - from);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
    });
    await page.keyboard.press("j");
    times.push(await page.evaluate(() => (window as unknown as { pressed: Promise<number> }).pressed));
  }
  return times;
}

async function search(page: Page): Promise<number> {
  const from = performance.now();
  await page.getByRole("searchbox").pressSequentially("order 4242?", { delay: 30 });
  await page.locator(".app-row").getByText("order 4242?").waitFor();
  return performance.now() - from;
}

/** What the page's own process keeps for itself, where the system says so. */
async function memoryOf(browser: Browser): Promise<number> {
  const [page] = browser.contexts().flatMap((context) => context.pages());
  if (page !== undefined)
    await (await page.context().newCDPSession(page)).send("HeapProfiler.collectGarbage");
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const sizes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1]);
  return Math.max(...sizes.map((kB) => Number(kB ?? 0) * 1024));
}

function results(
  loads: readonly number[],
  presses: readonly number[],
  searchMs: number,
  elements: number,
  bytes: number,
): readonly Result[] {
  const load = percentiles(loads);
  const press = percentiles(presses);
  const mb = bytes / 2 ** 20;
  return [
    { name: "inbox usable", value: load.p50, unit: "ms", ...load, aim: "< 1,500 ms", met: load.p50 < 1_500 },
    {
      name: "key press to next row",
      value: press.p50,
      unit: "ms",
      ...press,
      aim: "< 50 ms",
      met: press.p50 < 50,
    },
    { name: "search for one order, typing included", value: searchMs, unit: "ms" },
    { name: "elements in the page", value: elements, unit: "", aim: "< 6,000", met: elements < 6_000 },
    { name: "memory of the tab", value: mb, unit: "MiB", aim: "< 150 MiB", met: mb < 150 },
  ];
}
