/** What is published, installed by somebody who has none of these sources, works. */

import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  commandIn,
  firstAnswer,
  machineNodes,
  plainEnv,
  Running,
  Stranger,
  serverIn,
} from "./pack/stranger.ts";

const MINUTES = 60_000;
/** Peers of our packages: whoever uses that entry has them. */
const PEERS = [
  "react@19",
  "react-dom@19",
  "@langchain/langgraph@1.4.18",
  "@langchain/langgraph-sdk@1.12.0",
  "@langchain/core@1.2.13",
  "@openai/agents@0.20",
  "ai@7",
  "uqr@0.1",
  "yaml@2",
];

let stranger: Stranger;
/** A project with all our packages. */
let all: string;

beforeAll(() => {
  stranger = new Stranger();
  all = stranger.project("all", ...Object.keys(stranger.tarballs), ...PEERS);
}, 5 * MINUTES);

// Many thousand small files, on a disk that other tests use too.
afterAll(() => stranger?.[Symbol.dispose](), 5 * MINUTES);

interface Published {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Every entry of every installed package that is JavaScript. */
function entries(): readonly string[] {
  const manifests = globSync("node_modules/{holdpoint,@holdpoint/*}/package.json", { cwd: all }).map(
    (path) => JSON.parse(readFileSync(join(all, path), "utf8")) as Published,
  );
  return manifests.flatMap(({ name, exports }) =>
    Object.keys(exports)
      .filter((path) => !path.endsWith(".css"))
      .map((path) => name + path.slice(1)),
  );
}

/** Entries that became packages of their own: importing one says which. */
const MOVED = /^@holdpoint\/sdk\/(gate|hitl|openintent)(\/|$)/;

function imports(node: string, names: readonly string[]): Readonly<Record<string, string>> {
  const script = `
    const said = {};
    for (const name of ${JSON.stringify(names)})
      said[name] = await import(name).then(() => "ok", (error) => error.message);
    console.log(JSON.stringify(said));`;
  writeFileSync(join(all, "imports.mjs"), script);
  return JSON.parse(execFileSync(node, ["imports.mjs"], { cwd: all, encoding: "utf8", env: plainEnv() }));
}

describe("every entry point of the tarballs", { timeout: 2 * MINUTES }, () => {
  test("is imported by plain Node, or throws an error that names its new package", () => {
    const said = imports(process.execPath, entries());
    expect(Object.keys(said).length).toBeGreaterThan(30);
    for (const [name, word] of Object.entries(said))
      expect(`${name}: ${word}`).toMatch(MOVED.test(name) ? /is a package of its own now/ : /: ok$/);
  });

  test("is imported by the machine's own Node, except the server, which says what it needs", () => {
    for (const node of machineNodes()) {
      const version = execFileSync(node, ["--version"], { encoding: "utf8" });
      if (Number(/\d+/.exec(version)?.[0]) >= 24) continue;
      for (const [name, word] of Object.entries(imports(node, entries()))) {
        if (MOVED.test(name)) continue;
        const expected = /^holdpoint/.test(name)
          ? /: Holdpoint needs Node 24 or newer; you have \d+\.\d+\./
          : /: ok$/;
        expect(`${name}: ${word}`).toMatch(expected);
      }
      const { status, stderr } = spawnSync(node, [commandIn(all), "start"], { cwd: all, encoding: "utf8" });
      expect(stderr).toMatch(/^holdpoint: Holdpoint needs Node 24 or newer; you have .+\n$/);
      expect(status).toBe(1);
    }
  });
});

describe("the adapters alone", { timeout: 2 * MINUTES }, () => {
  const FRAMEWORKS = [
    "ai",
    "langchain",
    "@langchain/langgraph",
    "@openai/agents",
    "@mastra/core",
    "express",
    "hono",
  ];

  test("install without any framework, and entries that need none are imported without one", () => {
    const folder = stranger.project("adapters", "@holdpoint/adapters");
    const found = globSync("node_modules/{*,@*/*}/package.json", { cwd: folder }).map((path) =>
      path.replace(/^node_modules\/|\/package\.json$/g, ""),
    );
    expect(found.filter((name) => FRAMEWORKS.includes(name))).toEqual([]);
    const entries = ["ag-ui", "handlers", "mastra", "tool-calls", "workflow"];
    const script = `for (const entry of ${JSON.stringify(entries)}) await import("@holdpoint/adapters/" + entry);
      const missing = await import("@holdpoint/adapters/ai-sdk").then(() => "loaded", (error) => error.code);
      console.log(missing);`;
    writeFileSync(join(folder, "alone.mjs"), script);
    const told = execFileSync(process.execPath, ["alone.mjs"], {
      cwd: folder,
      encoding: "utf8",
      env: plainEnv(),
    });
    expect(told.trim()).toBe("ERR_MODULE_NOT_FOUND");
  });
});

describe("from an empty folder", { timeout: 5 * MINUTES }, () => {
  test("`npx holdpoint init` leads to the first answered hold", async () => {
    const { installMs, answerMs, said } = await firstAnswer(stranger, "first");
    expect(said).toContain("Wrote first-hold.mjs");
    console.error(
      `installed in ${Math.round(installMs)} ms, first answer after ${Math.round(answerMs)} ms more`,
    );
    expect(installMs + answerMs).toBeLessThan(2 * MINUTES);
  });

  test("the server serves pages with script, and the SDK goes from a question to its answer", async () => {
    await using server = new Running(process.execPath, [commandIn(all), "start"], all);
    await server.says(/Next/);
    const script = `
      import { Holdpoint } from "@holdpoint/sdk";
      const hp = new Holdpoint();
      const hold = await hp.place({ type: "approval", prompt: "Ship it?" });
      const page = await (await fetch(hold.reviewUrl)).text();
      await hp.answer(hold.id, { action: "approve" });
      const { kind, action } = await hold.wait();
      const ran = await hold.runOnce(() => "shipped");
      console.log(JSON.stringify({ kind, action, ran, hasScript: /<script[^>]+src=/.test(page) }));`;
    writeFileSync(join(all, "script.js"), script);
    const told = execFileSync(process.execPath, ["script.js"], {
      cwd: all,
      encoding: "utf8",
      env: plainEnv(),
    });
    expect(JSON.parse(told)).toEqual({ kind: "decided", action: "approve", ran: "shipped", hasScript: true });
    expect(serverIn(all).url).toMatch(/^http:\/\//);
  });

  test("the server starts with what the image installs: no peers, no development tools", async () => {
    const folder = stranger.project("image");
    stranger.install(folder, Object.keys(stranger.tarballs), "--omit=dev", "--omit=peer");
    await using server = new Running(
      process.execPath,
      ["node_modules/holdpoint/dist/cli/bin.js", "start"],
      folder,
    );
    await server.says(/is holding/);
  });
});

describe("an app with another Zod 4", { timeout: 5 * MINUTES }, () => {
  test("keeps one copy of it, and its schemas type and parse answers", () => {
    const folder = stranger.project(
      "zod",
      "zod@4.3.6",
      "@holdpoint/sdk",
      "@holdpoint/gate",
      "@holdpoint/openintent",
    );
    const copies = globSync("node_modules/**/zod/package.json", { cwd: folder });
    expect(copies).toEqual(["node_modules/zod/package.json"]);
    const script = `
      import "@holdpoint/protocol"; import "@holdpoint/gate"; import "@holdpoint/openintent";
      import { Holdpoint } from "@holdpoint/sdk";
      import { testHoldpoint } from "@holdpoint/sdk/testing";
      import * as z from "zod";
      const holds = testHoldpoint();
      const asked = new Holdpoint({ client: holds.client }).input(z.object({ amount: z.number() }), { prompt: "?" });
      await holds.answerNext("submit", { amount: 80 });
      console.log(JSON.stringify(await asked));`;
    writeFileSync(join(folder, "script.js"), script);
    const told = execFileSync(process.execPath, ["script.js"], {
      cwd: folder,
      encoding: "utf8",
      env: plainEnv(),
    });
    expect(JSON.parse(told)).toEqual({ amount: 80 });
  });
});

describe("checks of the registry's own tools", { timeout: 5 * MINUTES }, () => {
  let tools: string;
  beforeAll(() => {
    tools = stranger.project("tools", "publint@0.3.25", "@arethetypeswrong/cli@0.18.5");
  }, 5 * MINUTES);
  const run = (tool: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [join(tools, "node_modules/.bin", tool), ...args], {
      encoding: "utf8",
      env: plainEnv(),
    });

  test("publint finds nothing in any tarball", () => {
    for (const tarball of Object.values(stranger.tarballs)) {
      const { status, stdout } = run("publint", "run", tarball, "--strict");
      expect({ tarball, status, stdout }).toMatchObject({
        status: 0,
        stdout: expect.stringContaining("All good!"),
      });
    }
  });

  test("the types of every tarball are what Node and bundlers resolve", () => {
    for (const tarball of Object.values(stranger.tarballs)) {
      // Only modules: there is no CommonJS to resolve to. A style sheet has no types.
      const args = [
        tarball,
        "--profile",
        "esm-only",
        "--exclude-entrypoints",
        "./style.css",
        "--format",
        "json",
      ];
      const { status, stdout, stderr } = run("attw", ...args);
      expect({ tarball, status, said: status === 0 ? "" : stdout + stderr }).toMatchObject({ status: 0 });
    }
  });
});

describe("other runtimes", { timeout: 5 * MINUTES }, () => {
  const SCRIPT = `
    import { Holdpoint } from "@holdpoint/sdk";
    import { testHoldpoint } from "@holdpoint/sdk/testing";
    import { verifyWebhook } from "@holdpoint/sdk/webhooks";
    const holds = testHoldpoint();
    const asked = new Holdpoint({ client: holds.client }).approve("Go?");
    await holds.answerNext("approve");
    const ran = await (await asked).runOnce(() => "ran");
    const unsigned = await verifyWebhook(new Headers(), new Uint8Array(), { secret: "whsec_" + btoa("a".repeat(32)) })
      .catch((error) => error.code);
    const missing = await new Holdpoint({ url: "http://127.0.0.1:9", apiKey: "k", retry: { attemptsMax: 1 } })
      .get("hold_1").catch((error) => error.name);
    console.log(JSON.stringify([ran, unsigned, missing]));`;

  test.each([
    ["bun", "bun@1.4.4", ["run", "script.mjs"]],
    ["deno", "deno@2.9.6", ["run", "--allow-all", "script.mjs"]],
  ])("%s runs the SDK, its tests and its webhooks", (name, version, args) => {
    writeFileSync(join(all, "script.mjs"), SCRIPT);
    const tool = stranger.project(name, version);
    const told = execFileSync(join(tool, "node_modules/.bin", name), args, {
      cwd: all,
      encoding: "utf8",
      env: plainEnv(),
    });
    expect(JSON.parse(told)).toEqual(["ran", "unsigned", "RetryableError"]);
  });
});
