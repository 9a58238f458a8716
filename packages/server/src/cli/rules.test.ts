/** `holdpoint rules` against a server on a real port. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { localCredentials } from "../local-credentials.ts";
import { type Serving, serve } from "../serve.ts";
import { systemClock } from "../system/clock.ts";
import { readConfig } from "../system/config.ts";
import type { Io } from "./io.ts";
import { rules } from "./rules.ts";

let home: string;
let serving: Serving;
let hp: ReturnType<typeof httpHoldClient>;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "holdpoint-rules-"));
  writeFileSync(join(home, "holdpoint.yaml"), "rules:\n  - { tools: [read_*], verdict: allow }\n");
  const env = { HOLDPOINT_HOME: home, HOLDPOINT_PORT: "0" };
  serving = await serve(readConfig(env, home), env, () => undefined);
  const { url, apiKey } = await localCredentials(serving.server, home, serving.address);
  hp = httpHoldClient({ url, apiKey });
});

afterAll(async () => {
  await serving.close();
  rmSync(home, { recursive: true, force: true });
});

async function run(...args: readonly string[]) {
  const said = { out: "", err: "" };
  const io: Io = {
    env: { HOLDPOINT_HOME: home },
    folder: home,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    isTerminal: true,
    now: () => systemClock.now(),
  };
  return { code: await rules.run(args, io), ...said };
}

function write(name: string, text: string): void {
  writeFileSync(join(home, name), text);
}

test("the configured rules are published at the start and shown in words", async () => {
  const { code, out } = await run("list");
  expect(code).toBe(0);
  expect(out).toContain("Version 1");
  expect(out).toContain("   1  Allow calls of read_*.");
  expect(out).toContain("Ask a person about every other call.");
  expect(JSON.parse((await run("list", "--json")).out)).toMatchObject({ version: 1, source: "config" });
});

test("a new rule set is tried on recorded calls, published with a note, and found in the history", async () => {
  const { hold } = await hp.check({ tool: "pay", args: { amount: 3 } });
  await hp.answer(hold?.id ?? "", { action: "approve" });
  await hp.check({ tool: "read_file", args: {} });
  write(
    "next.yaml",
    "rules:\n  - { tools: [pay], when: { args.amount: { max: 5 } }, verdict: allow }\n  - { tools: ['*'], verdict: deny }\n",
  );
  const tried = await run("test", "next.yaml");
  expect(tried.out).toContain("2 recorded checks replayed.");
  expect(tried.out).toContain("allowed 1 of 1 that people approved, denied 0 that was approved");
  expect(tried.out).toContain("denied 1 more");
  expect(tried.err).toContain("Replaying");
  expect(JSON.parse((await run("test", "next.yaml", "--json")).out)).toMatchObject({ checks: 2, erased: 0 });
  const published = await run("publish", "next.yaml", "--note", "small payments");
  expect(published.out).toContain("Version 2");
  const { out: history } = await run("history");
  expect(history).toMatch(/2 {2}\S+ {2}key:\S+ {2}2 rules {2}small payments/);
  // What changed, in words: version 2 beside version 1.
  const [second = ""] = history.split(/^ {3}1 /m);
  expect(second).toContain("- Allow calls of read_*.");
  expect(second).toContain("+ Deny every call.");
  expect(second).not.toContain("Ask a person about every other call.");
});

test("a rules file is tried on one call, which is neither recorded nor asked about", async () => {
  write("one.yaml", "rules:\n  - { tools: [pay], when: { args.amount: { max: 5 } }, verdict: allow }\n");
  const before = await hp.list({ status: "open" });
  const call = (amount: number) => run("test", "one.yaml", "--tool", "pay", "--args", `{"amount":${amount}}`);
  expect((await call(5)).out).toMatch(/^allow: /);
  expect((await call(6)).out).toMatch(/^ask: /);
  expect(JSON.parse((await run("test", "one.yaml", "--tool", "pay", "--json")).out)).toMatchObject({
    verdict: "ask",
  });
  await expect(run("test", "one.yaml", "--tool", "pay", "--args", "5")).rejects.toThrow("args");
  expect(await hp.list({ status: "open" })).toEqual(before);
});

test("a rules file with an error, without rules or that does not exist publishes nothing, and the error says why", async () => {
  write("broken.yaml", "rules:\n  - { tools: [a], when: { args.x: {} }, verdict: allow }\n");
  await expect(run("publish", "broken.yaml")).rejects.toThrow("invalid_rules");
  write("none.yaml", "hello: 1\n");
  await expect(run("publish", "none.yaml")).rejects.toThrow("none.yaml has no list of rules");
  await expect(run("test", "missing.yaml")).rejects.toThrow("cannot read missing.yaml");
  await expect(run("publish")).rejects.toThrow("usage: holdpoint rules");
  write("list.json", '[{ "tools": ["a"], "verdict": "deny" }]');
  expect((await run("publish", "list.json")).out).toContain("Deny calls of a.");
});
