import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { browserPaths, findBrowsers, launchBrowser } from "./browser.ts";

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

test("the same browsers are found every time", async () => {
  expect(await browserPaths()).toBe(await browserPaths());
});

const nothing = { env: {}, folders: [], files: [], shellFiles: () => [], fetchers: [] };

/** Without a headless shell the complete browser stands in for it. */
const both = (path: string) => ({ complete: path, shell: path });

test("a headless shell is found beside the complete browser, and alone it is not enough", async () => {
  const shell = script("chromium-headless-shell", "echo Chromium 1.0");
  const search = { ...nothing, folders: [folder] };
  await expect(findBrowsers(search)).rejects.toThrow("There is no Chromium");
  const complete = script("chromium", "echo Chromium 1.0");
  expect(await findBrowsers(search)).toEqual({ complete, shell });
});

test("a headless shell that came with the fetched browser is found", async () => {
  const fetched: string[] = [];
  const fetchers = [
    async () => {
      script("chromium", "echo Chromium 1.0");
      fetched.push(script("cache/headless_shell", "echo Chromium 1.0"));
    },
  ];
  const found = await findBrowsers({ ...nothing, folders: [folder], shellFiles: () => fetched, fetchers });
  expect(found).toEqual({ complete: join(folder, "chromium"), shell: fetched[0] });
});

test("the browser named by CHROMIUM_PATH is used, and one that does not run is an error", async () => {
  const named = script("mine", "echo Chromium 1.0");
  const stub = script("stub", "echo install me; exit 1");
  expect(await findBrowsers({ ...nothing, env: { CHROMIUM_PATH: named } })).toEqual(both(named));
  await expect(findBrowsers({ ...nothing, env: { CHROMIUM_PATH: stub } })).rejects.toThrow(
    `CHROMIUM_PATH is ${stub}, and that does not run.`,
  );
});

test("a program on the PATH that does not run is skipped for one that does", async () => {
  script("a/chromium", "echo install me; exit 1");
  const real = script("b/google-chrome", "echo Google Chrome 1.0");
  const env = { PATH: [join(folder, "a"), join(folder, "b")].join(delimiter) };
  expect(await findBrowsers({ ...nothing, env })).toEqual(both(real));
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
  expect(await findBrowsers({ ...nothing, folders: [folder], fetchers })).toEqual(
    both(join(folder, "chromium")),
  );
  expect(tried).toEqual(["first", "second"]);
});

test("the error names the command that installs a browser when none can be found", async () => {
  await expect(findBrowsers(nothing)).rejects.toThrow("npx playwright-core install --with-deps chromium");
});
