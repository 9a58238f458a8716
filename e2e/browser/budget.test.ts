/** What the first load of the review page costs, held to what we promise. */

import { get } from "node:http";
import type { Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stage } from "./shared.ts";
import { ASKS, hydrated, PHONE, type Placed, type Stage } from "./support.ts";

let on: Stage;
beforeAll(async () => {
  on = await stage();
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

const SCRIPT_BYTES_MAX = 90_000;
const USABLE_MS_MAX = 1_000;
const LIVE_MS_MAX = 2_000;

const HEAVY = {
  ...ASKS,
  wizard: {
    type: "input",
    prompt: "Where to?",
    form: {
      steps: [
        { title: "One", fields: [{ key: "a", label: "A", type: "text" }] },
        { title: "Check", fields: [] },
      ],
    },
  },
  schema: {
    type: "input",
    prompt: "Which region?",
    response_schema: { type: "object", properties: { region: { enum: ["eu", "us"] } } },
  },
  markdown: { type: "approval", prompt: "Send it?", context: { body_markdown: "# Hello\n\n- one\n- two" } },
} as const;

/** What only checks answers, and what is still folded away: fetched when the page already lives. */
const LATE = /\/(?:checks|check-form-answer|file|schema-judge|argument-editor|changes|visible-json)-/;

test.each(Object.keys(HEAVY) as (keyof typeof HEAVY)[])(
  "the page of an ask of kind %s loads less than 90 kB of script as gzip, and with all late parts still less as Brotli",
  async (name) => {
    const page = await on.page(PHONE);
    const asked = new Set<string>();
    const note = (request: Request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith(".js")) asked.add(pathname);
    };
    page.on("request", note);
    const link = on.link(await on.place(HEAVY[name]));
    await page.goto(link);
    await hydrated(page);
    for (const late of name === "schema" ? ["/checks-", "/schema-judge-"] : ["/checks-"])
      await expect.poll(() => [...asked].some((path) => path.includes(late))).toBe(true);
    page.off("request", note);
    await on.leave(page);

    const html = await (await fetch(link)).text();
    const named = [...html.matchAll(/(?:src|href)="(\/assets\/web\/[^"]+\.js)"/g)].map(
      ([, path]) => path ?? "",
    );
    expect(named.length).toBeGreaterThan(2);
    expect(await bytesOf(named, "gzip")).toBeLessThan(SCRIPT_BYTES_MAX);
    expect(await bytesOf([...asked], "br")).toBeLessThan(SCRIPT_BYTES_MAX);
    // Whatever it needs to live is named in the page, so that nothing is fetched only after something else has run.
    expect([...asked].filter((path) => !named.includes(path) && !LATE.test(path))).toEqual([]);
  },
);

async function bytesOf(paths: readonly string[], encoding: "gzip" | "br"): Promise<number> {
  const sizes = await Promise.all(paths.map((path) => sizeOf(path, encoding)));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

/** As it goes over the wire, which `fetch` would hide. */
function sizeOf(path: string, encoding: "gzip" | "br"): Promise<number> {
  return new Promise((resolve, reject) => {
    get(on.server.url + path, { headers: { "accept-encoding": encoding } }, (reply) => {
      if (reply.headers["content-encoding"] !== encoding)
        reject(new Error(`${path} is not sent as ${encoding}`));
      let bytes = 0;
      reply.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      reply.on("end", () => resolve(bytes));
    }).on("error", reject);
  });
}

/** A phone of the lower end: four times slower than a desk, and 9 Mbit/s with 70 ms to the server and back. */
const SLOWER = 4;
const ROUND_TRIP_MS = 70;
const BYTES_PER_MS = 9_000 / 8;

/**
 * Computed, not clocked: what the main thread worked does not change with what else this machine does at the moment, and
 * what goes over the wire is the same each time.
 */
test("on a slow phone the question and its buttons are shown within one second and work within two", async () => {
  const hold = await on.place(ASKS.approval);
  const loads = [await loadOf(hold), await loadOf(hold), await loadOf(hold)];
  const median = (of: (load: Load) => number) => loads.map(of).toSorted((one, other) => one - other)[1] ?? 0;
  const bytes = median((load) => load.bytes);
  // To connect, for the page, and for what it cannot be painted without.
  const wireMs = 3 * ROUND_TRIP_MS + bytes / BYTES_PER_MS;
  const paintedMs = wireMs + SLOWER * median((load) => load.paintWorkMs);
  expect(paintedMs).toBeLessThan(USABLE_MS_MAX);
  expect(paintedMs + SLOWER * median((load) => load.scriptWorkMs)).toBeLessThan(LIVE_MS_MAX);
});

interface Load {
  /** Of everything that was fetched, as it went over the wire. */
  readonly bytes: number;
  /** What the main thread did, apart from scripts and from what the test asked of it. */
  readonly paintWorkMs: number;
  readonly scriptWorkMs: number;
}

async function loadOf(hold: Placed): Promise<Load> {
  const context = await on.browser.newContext(PHONE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(on.link(hold));
  await hydrated(page);
  const { metrics } = await session.send("Performance.getMetrics");
  const msOf = (name: string) =>
    (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN) * 1_000;
  await context.close();
  const scriptWorkMs = msOf("ScriptDuration") + msOf("V8CompileDuration");
  const ownMs = msOf("TaskDuration") - msOf("DevToolsCommandDuration");
  return { bytes, scriptWorkMs, paintWorkMs: ownMs - scriptWorkMs };
}
