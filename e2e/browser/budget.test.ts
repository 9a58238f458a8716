/** What the first load of the review page costs, held to what we promise. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { ASKS, PHONE, type Stage, stage } from "./support.ts";

let on: Stage;
beforeAll(async () => {
  on = await stage();
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

const SCRIPT_BYTES_MAX = 90_000;
const USABLE_MS_MAX = 1_000;

test("the review page loads less than 90 kB of compressed script", async () => {
  const html = await (await fetch(on.link(await on.place(ASKS.approval)))).text();
  const paths = [...html.matchAll(/(?:src|href)="(\/assets\/web\/[^"]+\.js)"/g)].map(
    ([, path]) => path ?? "",
  );
  expect(paths.length).toBeGreaterThan(1);
  let total = 0;
  for (const path of paths) {
    const reply = await fetch(on.server.url + path, { headers: { "accept-encoding": "gzip" } });
    expect(reply.headers.get("content-encoding")).toBe("gzip");
    const twin = await on.browser.newContext();
    const raw = await twin.request.get(on.server.url + path, { headers: { "accept-encoding": "br" } });
    total += Number(raw.headers()["content-length"] ?? (await compressedSize(path)));
    await twin.close();
  }
  expect(total).toBeLessThan(SCRIPT_BYTES_MAX);
});

async function compressedSize(path: string): Promise<number> {
  const { brotliCompressSync } = await import("node:zlib");
  return brotliCompressSync(Buffer.from(await (await fetch(on.server.url + path)).arrayBuffer())).length;
}

test("on a slow phone the question and its buttons are there within a second", async () => {
  const hold = await on.place(ASKS.approval);
  const page = await on.page(PHONE);
  const session = await page.context().newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 70,
    downloadThroughput: (9_000 * 1024) / 8,
    uploadThroughput: (1_500 * 1024) / 8,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.goto(on.link(hold), { waitUntil: "commit" });
  await page.getByRole("button", { name: "Approve" }).waitFor();
  const painted = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const first = list.getEntriesByName("first-contentful-paint")[0];
          if (first !== undefined) resolve(first.startTime);
        }).observe({ type: "paint", buffered: true });
      }),
  );
  expect(painted).toBeLessThan(USABLE_MS_MAX);
  await page.context().close();
});
