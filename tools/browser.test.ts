import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chromiumPath, findBrowser, launchBrowser } from "./browser.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-browser-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function script(path: string, body: string): string {
  const full = join(folder, path);
  mkdirSync(join(full, ".."), { recursive: true });
  writeFileSync(full, `#!/bin/sh\n${body}\n`);
  chmodSync(full, 0o755);
  return full;
}

test("the browser opens a page of this machine and runs its script", async () => {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<title>Waiting</title><script>document.title = 'Ready'</script>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await page.title()).toBe("Ready");
  } finally {
    await browser.close();
    server.close();
  }
});

test("the same browser is found every time", async () => {
  expect(await chromiumPath()).toBe(await chromiumPath());
});

const nothing = { env: {}, folders: [], files: [], fetchers: [] };

test("the browser named by CHROMIUM_PATH is used, and one that does not run is an error", async () => {
  const named = script("mine", "echo Chromium 1.0");
  const stub = script("stub", "echo install me; exit 1");
  expect(await findBrowser({ ...nothing, env: { CHROMIUM_PATH: named } })).toBe(named);
  await expect(findBrowser({ ...nothing, env: { CHROMIUM_PATH: stub } })).rejects.toThrow(
    `CHROMIUM_PATH is ${stub}, and that does not run.`,
  );
});

test("a program on the PATH that does not run is skipped for one that does", async () => {
  script("a/chromium", "echo install me; exit 1");
  const real = script("b/google-chrome", "echo Google Chrome 1.0");
  const env = { PATH: [join(folder, "a"), join(folder, "b")].join(delimiter) };
  expect(await findBrowser({ ...nothing, env })).toBe(real);
});

test("the ways to fetch a browser are tried in turn until one works", async () => {
  const tried: string[] = [];
  const way = (name: string, act: () => void) => async () => {
    tried.push(name);
    act();
  };
  const unreachable = way("first", () => {
    throw new Error("no network");
  });
  const works = way("second", () => script("chromium", "echo Chromium 1.0"));
  const fetchers = [unreachable, works, way("third", () => {})];
  expect(await findBrowser({ ...nothing, folders: [folder], fetchers })).toBe(join(folder, "chromium"));
  expect(tried).toEqual(["first", "second"]);
});

test("the error names the command that installs a browser when none can be found", async () => {
  await expect(findBrowser(nothing)).rejects.toThrow("npx playwright-core install --with-deps chromium");
});
