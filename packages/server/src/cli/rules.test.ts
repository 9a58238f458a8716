/** `holdpoint rules` against a server on a real port. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "./commands.fixture.ts";

const cli = commandLine({ config: "rules:\n  - { tools: [read_*], verdict: allow }\n", isTerminal: true });
const run = (...args: readonly string[]) => cli.run("rules", args);

function write(name: string, text: string): void {
  writeFileSync(join(cli.home, name), text);
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
  const { hold } = await cli.hp.check({ tool: "pay", args: { amount: 3 } });
  await cli.hp.answer(hold?.id ?? "", { action: "approve" });
  await cli.hp.check({ tool: "read_file", args: {} });
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
  const before = await cli.hp.list({ status: "open" });
  const call = (amount: number) => run("test", "one.yaml", "--tool", "pay", "--args", `{"amount":${amount}}`);
  expect((await call(5)).out).toMatch(/^allow: /);
  expect((await call(6)).out).toMatch(/^ask: /);
  expect(JSON.parse((await run("test", "one.yaml", "--tool", "pay", "--json")).out)).toMatchObject({
    verdict: "ask",
  });
  await expect(run("test", "one.yaml", "--tool", "pay", "--args", "5")).rejects.toThrow("args");
  expect(await cli.hp.list({ status: "open" })).toEqual(before);
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
