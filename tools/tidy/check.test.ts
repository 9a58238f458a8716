import { describe, expect, test } from "vitest";
import { check, except, format } from "./check.ts";
import { fits } from "./pattern.ts";

const CORE = "packages/server/src/kernel/hold/decide.ts";
const ENGINE = "packages/server/src/engine/engine.ts";
const FACE = "packages/server/src/faces/rest/routes.ts";

function findings(path: string, text: string): readonly string[] {
  return check({ path, text }).map(({ found }) => found);
}

describe("imports", () => {
  test.for([
    ["core", "node:crypto", CORE, `import { createHash } from "node:crypto";`],
    ["core", "zod", CORE, `import { z } from "zod";`],
    ["core", "all of the protocol", CORE, `import type { HoldOut } from "@holdpoint/protocol";`],
    ["core", "the engine, even for a type", CORE, `import type { Engine } from "../../engine/engine.ts";`],
    ["core", "anything by re-export", CORE, `export { Engine } from "../../engine/engine.ts";`],
    ["core", "anything by an import type", CORE, `type E = import("../../engine/engine.ts").Engine;`],
    ["core", "anything lazily", CORE, `const fs = await import("../../system/clock.ts");`],
    ["the engine", "a store", ENGINE, `import { open } from "../store/sqlite/open.ts";`],
    ["the engine", "the real clock", ENGINE, `import { systemClock } from "../system/clock.ts";`],
    ["the engine", "a face", ENGINE, `import type { Route } from "../faces/rest/routes.ts";`],
    ["a store", "the engine", "packages/server/src/store/sqlite/a.ts", `import "../../engine/engine.ts";`],
    ["a store", "another store", "packages/server/src/store/sqlite/a.ts", `import "../memory/a.ts";`],
    ["a store", "another's driver", "packages/server/src/store/sqlite/a.ts", `import pg from "pg";`],
    ["timers", "a face", "packages/server/src/timers/a.ts", `import "../faces/rest/routes.ts";`],
    ["a channel", "hono", "packages/server/src/channels/a.ts", `import { Hono } from "hono";`],
    ["a face", "another face", FACE, `import { map } from "../hitl/map.ts";`],
    ["a face", "the store itself", FACE, `import { VersionConflict } from "../../store/port.ts";`],
    ["a face", "a channel", FACE, `import "../../channels/outgoing.ts";`],
    ["system", "the engine", "packages/server/src/system/a.ts", `import { run } from "../engine/engine.ts";`],
    ["the rules", "the wire", "packages/protocol/src/rules/ask.ts", `import { z } from "../wire/hold.ts";`],
    ["the protocol", "hono", "packages/protocol/src/index.ts", `import { Hono } from "hono";`],
    ["the sdk", "the server", "packages/sdk/src/client.ts", `import { start } from "holdpoint";`],
    ["the sdk", "Node at load", "packages/sdk/src/client.ts", `import { readFileSync } from "node:fs";`],
    ["an adapter", "what is not its framework", "packages/adapters/src/x/a.ts", `import "@langchain/core";`],
    ["an adapter", "another", "packages/adapters/src/x/a.ts", `import "../y/a.ts";`],
    ["react", "the server", "packages/react/src/a.tsx", `import "holdpoint";`],
    ["web", "the server's files", "packages/web/src/a.tsx", `import "../../server/src/server.ts";`],
    ["a part", "what puts the parts together", ENGINE, `import { start } from "../server.ts";`],
    ["anybody", "the cli", "packages/server/src/server.ts", `import { main } from "./cli/main.ts";`],
    ["a test", "the cli", "e2e/start.test.ts", `import { main } from "../packages/server/src/cli/main.ts";`],
    [
      "a test",
      "another package's files",
      "packages/sdk/src/a.test.ts",
      `import "../../protocol/src/index.ts";`,
    ],
    ["a new folder", "anything", "packages/server/src/novel/a.ts", `import "./b.ts";`],
  ] as const)("%s may not import %s", ([, , path, text]) => {
    expect(findings(path, text)).toContainEqual(expect.stringMatching(/^import of /));
  });

  test.for([
    [
      "core",
      "core and the shared rules",
      CORE,
      `import { a } from "../a.ts"; import { b } from "@holdpoint/protocol/rules";`,
    ],
    [
      "the engine",
      "the port and types of system",
      ENGINE,
      `import { V } from "../store/port.ts"; import type { Clock } from "../system/clock.ts";`,
    ],
    [
      "a store",
      "Node, its own folder, the port",
      "packages/server/src/store/sqlite/a.ts",
      `import "node:sqlite"; import "./b.ts"; import "../port.ts";`,
    ],
    ["a store", "its own driver", "packages/server/src/store/postgres/a.ts", `import pg from "pg";`],
    [
      "a face",
      "what faces share, hono and the protocol",
      FACE,
      `import "../http/body.ts"; import "hono/streaming"; import "@holdpoint/protocol";`,
    ],
    ["a face", "types of the port", FACE, `import { type Store } from "../../store/port.ts";`],
    [
      "server.ts",
      "every part",
      "packages/server/src/server.ts",
      `import "./faces/rest/routes.ts"; import "./store/sqlite/a.ts"; import "hono"; import "node:fs";`,
    ],
    ["the cli", "itself", "packages/server/src/cli/main.ts", `import { a } from "./a.ts";`],
    [
      "the sdk",
      "Node when it is there",
      "packages/sdk/src/client.ts",
      `const fs = await import("node:fs/promises");`,
    ],
    [
      "a test",
      "what it needs",
      "packages/server/src/kernel/a.test.ts",
      `import "../store/sqlite/a.ts"; import "vitest"; import "node:fs";`,
    ],
  ] as const)("%s may import %s", ([, , path, text]) => {
    expect(findings(path, text)).toEqual([]);
  });
});

describe("bans", () => {
  const home = ["", "work", "main"].join("/");
  const place = ["this", "session"].join(" ");
  const number = ["issue", "#"].join(" ");
  test.for([
    ["Date.now", CORE, "const at = Date.now();"],
    ["new Date()", CORE, "const at = new Date();"],
    ["Math.random", CORE, "const r = Math.random();"],
    ["crypto.randomUUID", CORE, "const id = crypto.randomUUID();"],
    ["setTimeout", CORE, "setTimeout(() => {}, 1);"],
    ["setInterval", "packages/protocol/src/rules/a.ts", "const every = setInterval;"],
    ["Date.now", "packages/server/src/faces/rest/a.ts", "const at = Date.now();"],
    ["setTimeout", "packages/server/src/channels/a.test.ts", "setTimeout(done, 10);"],
    [
      "node:timers/promises#",
      "packages/server/src/channels/a.ts",
      `import { setTimeout as sleep } from "node:timers/promises";`,
    ],
    ["export default", "packages/sdk/src/a.ts", "export default function run() {}"],
    ["export *", "packages/sdk/src/index.ts", `export * from "./a.ts";`],
    ["enum", "tools/a.ts", "enum Colour { Red }"],
    ["as any", "tools/a.ts", "const a = b as any;"],
    ["@ts-ignore", "tools/a.ts", `// @${"ts-ignore"}\nconst a = 1;`],
    ["@ts-nocheck", "tools/a.ts", `/* @${"ts-nocheck"} */`],
    ["test.only", "e2e/a.test.ts", `test.only("x", () => {});`],
    ["describe.each.skip", "e2e/a.test.ts", `describe.each.skip("x", () => {});`],
    ["it.todo", "packages/web/src/a.test.tsx", `it.todo("x");`],
    ["console.log", "packages/server/src/engine/a.ts", `console.log("x");`],
    ["now()", "packages/server/src/store/sqlite/a.ts", "const sql = `UPDATE hold SET at = now()`;"],
    [
      "CURRENT_TIMESTAMP",
      "packages/server/src/store/postgres/000001.sql",
      "a timestamptz DEFAULT CURRENT_TIMESTAMP",
    ],
    [".tsx", "packages/server/src/faces/http/page.tsx", "const a = 1;"],
    ["S", "packages/sdk/src/holdStore.ts", "const a = 1;"],
    [`${home.slice(0, 6)}`, "docs/start.md", `Files are in ${home}/docs.`],
    [place, "docs/start.md", `Decided in ${place}.`],
    [number, "tools/a.ts", `// See ${number}12.`],
    ["in handfuls", "packages/server/src/timers/a.ts", "// Fires them in handfuls."],
    ["anew", "packages/server/src/store/sqlite/a.test.ts", `test("is written anew", () => {});`],
    ["Whoever", CORE, "/** Whoever asked. */"],
  ] as const)("the use of %s is reported in %s", ([found, path, text]) => {
    expect(findings(path, text)).toEqual([found]);
  });

  test.for([
    ["a given date", CORE, "const day = new Date(command.at);"],
    ["a member of that name", ENGINE, "clock.setTimeout(run, 5); const port = { setTimeout: later };"],
    ["a method of that name", ENGINE, "interface Clock { setTimeout(run: () => void): void; now(): number }"],
    ["the word in a comment or a string", CORE, `// Date.now is not for us\nconst a = "setTimeout";`],
    ["the clock where it is made", "packages/server/src/system/clock.ts", "const at = Date.now();"],
    ["the clock on the other side", "packages/sdk/src/wait.ts", "setTimeout(run, 5);"],
    ["a default export that a tool reads", "vitest.config.ts", "export default {};"],
    ["words for people at a terminal", "packages/server/src/cli/start.ts", `console.log("x");`],
    ["a clock's now in a store", "packages/server/src/store/sqlite/a.ts", "const at = clock.now();"],
    ["a comment in SQL", "packages/server/src/store/sqlite/000001.sql", "-- never now()\nSELECT 1;"],
    ["an old word elsewhere", "examples/a.ts", "/** Whoever asked. */"],
    ["a text of WORDS", "packages/web/src/a.tsx", "const A = () => <p className={`a b`}>{WORDS.yes} …</p>;"],
    ["an address with such a path", "docs/start.md", `https://example.com/${"work"}/orders and ./root/a`],
  ] as const)("%s is not reported", ([, path, text]) => {
    expect(findings(path, text)).toEqual([]);
  });
});

test("a component writes no text itself: not as a child, a branch, a template or an attribute that people read", () => {
  const page = (jsx: string) => findings("packages/web/src/a.tsx", `const A = () => ${jsx};`);
  expect(page("<p>Take it</p>")).toEqual(["Take"]);
  expect(page("<p>{isMine ? WORDS.mine : `of them`}</p>")).toEqual(["of"]);
  expect(page('<><b>{isOpen && "Open"}</b></>')).toEqual(["Open"]);
  expect(page('<Sure label="Revoke" aria-label={"Yes"} className="app-plain" />')).toEqual(["Revoke", "Yes"]);
});

describe("limits", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `  use(${at});`).join("\n");

  test("a file may have 500 lines and no more", () => {
    expect(findings("tools/a.ts", lines(500))).toEqual([]);
    expect(findings("tools/a.ts", lines(501))).toEqual(["a file of 501 lines"]);
  });

  test("a function may have 70 lines and no more, except in a test", () => {
    const run = (count: number) => `export function run() {\n${lines(count - 2)}\n}\n`;
    expect(findings("tools/a.ts", run(70))).toEqual([]);
    expect(findings("tools/a.ts", run(71))).toEqual(["a function of 71 lines"]);
    expect(findings("tools/a.ts", `const run = () => {\n${lines(69)}\n};`)).toEqual([
      "a function of 71 lines",
    ]);
    expect(findings("tools/a.test.ts", run(71))).toEqual([]);
  });
});

test("a finding has its path and line, and says what to use instead", () => {
  const [finding] = check({ path: CORE, text: "const a = 1;\nconst b = Date.now();" });
  expect(format(finding!)).toBe(
    `${CORE}:2: Date.now: use the clock that is passed in (in core: the command's time) instead`,
  );
});

test("an exception covers one finding of one path, and is stale when it covers none", () => {
  const found = check({ path: CORE, text: "const b = Date.now();" });
  const needed = { path: CORE, found: "Date.now", reason: "for this test" };
  const stale = { path: ENGINE, found: "Date.now", reason: "for this test" };
  expect(except(found, [needed, stale])).toEqual({ left: [], stale: [stale] });
});

test("a file that does not parse is named in the error", () => {
  expect(() => check({ path: "tools/a.ts", text: "const const" })).toThrow(/^tools\/a\.ts: /);
});

test("a path pattern matches one name with a star, and any folders with two stars", () => {
  expect(fits("a/b.ts", "a/*")).toBe(true);
  expect(fits("a/b/c.ts", "a/*")).toBe(false);
  expect(fits("a/b/c.ts", "a/**")).toBe(true);
  expect(fits("b.test.ts", "**/*.test.*")).toBe(true);
  expect(fits("axb", "a.b")).toBe(false);
});
