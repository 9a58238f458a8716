/** What is published, installed by somebody who has none of these sources, works. */

import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Registry } from "./pack/registry.ts";
import {
  answerOldest,
  commandIn,
  firstAnswer,
  machineNodes,
  plainEnv,
  Running,
  Stranger,
  serverIn,
} from "./pack/stranger.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
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

  test.each([
    ["--js", "first-hold.mjs"],
    ["--ts", "first-hold.ts"],
  ])(
    "`npx holdpoint init %s` alone fetches the server and the SDK, and writes and runs a script",
    async (flag, file) => {
      await using registry = await Registry.start(stranger.tarballs);
      const folder = join(stranger.folder, `npx${flag}`);
      mkdirSync(folder);
      // npx keeps what it has fetched before.
      const npm = { npm_config_registry: registry.url, npm_config_cache: join(folder, "cache") };
      await using init = new Running("npx", ["--yes", "holdpoint", "init", flag], folder, plainEnv(npm));
      await init.says(/Answer here: http\S+/);
      await answerOldest(serverIn(folder), "approve");
      await init.says(/Sent at .+\n/);
      expect(await init.ends()).toContain(`Wrote ${file}`);
    },
  );

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

  test("with what the image installs, no peers and no development tools, the server starts and waits in less than 150 MiB", async () => {
    const folder = stranger.project("image");
    stranger.install(folder, Object.keys(stranger.tarballs), "--omit=dev", "--omit=peer");
    await using server = new Running(
      process.execPath,
      ["node_modules/holdpoint/dist/cli/bin.js", "start"],
      folder,
    );
    await server.says(/is holding/);
    if (process.platform === "linux")
      await expect.poll(() => residentMiB(server.child.pid), { timeout: MINUTES }).toBeLessThan(150);
  });
});

function residentMiB(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** What an app of each package does with Zod: its own schemas beside ours. */
const ZOD_SCRIPT = `
  import "@holdpoint/protocol"; import "@holdpoint/protocol/hitl"; import "@holdpoint/gate"; import "@holdpoint/openintent";
  import "@holdpoint/hitl"; import "@holdpoint/adapters/workflow"; import "@holdpoint/react/headless";
  import { Holdpoint } from "@holdpoint/sdk";
  import { testHoldpoint } from "@holdpoint/sdk/testing";
  import * as z from "zod";
  const holds = testHoldpoint();
  const asked = new Holdpoint({ client: holds.client }).input(z.object({ amount: z.number() }), { prompt: "?" });
  await holds.answerNext("submit", { amount: 80 });
  console.log(JSON.stringify(await asked));`;

describe("an app with another Zod 4", { timeout: 5 * MINUTES }, () => {
  // The oldest that is promised, and whatever the registry has now.
  test.each(["4.3.0", "latest"])(
    "has one copy of Zod %s beside all our packages; its schemas type and parse answers, and the server starts",
    async (version) => {
      const folder = stranger.project(
        `zod-${version}`,
        `zod@${version}`,
        ...Object.keys(stranger.tarballs),
        "react@19",
      );
      const copies = globSync("node_modules/**/zod/package.json", { cwd: folder });
      expect(copies).toEqual(["node_modules/zod/package.json"]);
      writeFileSync(join(folder, "script.js"), ZOD_SCRIPT);
      const told = execFileSync(process.execPath, ["script.js"], {
        cwd: folder,
        encoding: "utf8",
        env: plainEnv(),
      });
      expect(JSON.parse(told)).toEqual({ amount: 80 });
      await using server = new Running(process.execPath, [commandIn(folder), "start"], folder);
      await server.says(/is holding/);
      const { url, key } = serverIn(folder);
      const api = await (
        await fetch(`${url}/openapi.json`, { headers: { authorization: `Bearer ${key}` } })
      ).json();
      expect(Object.keys(api.paths)).toContain("/v1/holds");
    },
  );
});

describe("runOnce from the tarballs", { timeout: 2 * MINUTES }, () => {
  /** Writes a line for each time the work runs; told to hang, it never comes back from the work. */
  const WORK = `
    import { appendFileSync } from "node:fs";
    import { Holdpoint } from "@holdpoint/sdk";
    const [, , key, hangs] = process.argv;
    const hold = await new Holdpoint().place({ key, type: "approval", prompt: "Pay?" });
    console.log("asked");
    await hold.wait();
    try {
      const receipt = await hold.runOnce(async () => {
        appendFileSync(key + ".log", "paid\\n");
        console.log("working");
        if (hangs) await new Promise(() => setInterval(() => undefined, 1000));
        return "receipt of " + key;
      });
      console.log("said:", receipt);
    } catch (error) {
      console.log("refused:", error.name, error.code, error.message);
    }`;
  let server: Running;
  beforeAll(async () => {
    writeFileSync(join(all, "work.mjs"), WORK);
    server = new Running(process.execPath, [commandIn(all), "start"], all);
    await server.says(/is holding/);
  }, MINUTES);
  afterAll(() => server[Symbol.asyncDispose]());
  const work = (...args: readonly string[]) => new Running(process.execPath, ["work.mjs", ...args], all);
  const timesPaid = (key: string) => readFileSync(join(all, `${key}.log`), "utf8").split("paid").length - 1;

  test("after kill -9 while it waits, a second process runs the work, and a third gets the recorded result", async () => {
    await using first = work("waiting");
    await first.says(/asked/);
    first.child.kill("SIGKILL");
    await first.ends();
    await answerOldest(serverIn(all), "approve");
    for (let round = 0; round < 2; round += 1) {
      await using next = work("waiting");
      await next.says(/said: receipt of waiting/);
    }
    expect(timesPaid("waiting")).toBe(1);
  });

  test("after kill -9 inside the work, a second process runs nothing and is told what to do", async () => {
    await using first = work("working", "hangs");
    await first.says(/asked/);
    await answerOldest(serverIn(all), "approve");
    await first.says(/working/);
    await using second = work("working");
    await second.says(/refused: TerminalError claim_taken .+/);
    first.child.kill("SIGKILL");
    await first.ends();
    await using third = work("working");
    await third.says(/refused: TerminalError claim_(taken|unknown) .+/);
    expect(timesPaid("working")).toBe(1);
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

describe("a user's own tests", { timeout: 3 * MINUTES }, () => {
  test("the page about testing runs in Vitest as it stands, on every Node of this machine", () => {
    const folder = stranger.project("tests", "@holdpoint/sdk", "vitest@4.1.12");
    const page = readFileSync(join(ROOT, "docs/integrate/testing.md"), "utf8");
    const [, code = ""] = /```ts\n([\s\S]+?)```/.exec(page) ?? [];
    writeFileSync(join(folder, "agent.test.ts"), code);
    for (const node of new Set([process.execPath, ...machineNodes()])) {
      const { status, stdout, stderr } = spawnSync(
        node,
        ["node_modules/vitest/vitest.mjs", "run", "--no-color"],
        {
          cwd: folder,
          encoding: "utf8",
          env: plainEnv(),
        },
      );
      expect({ node, status, said: stdout + stderr }).toMatchObject({
        status: 0,
        said: expect.stringContaining("2 passed"),
      });
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
