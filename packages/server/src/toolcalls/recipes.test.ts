/** The rules on the page “Which calls need a person” are valid and decide what the page says. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLocalRules } from "./local-rules.ts";

const PAGE = new URL("../../../../docs/operate/rules.md", import.meta.url);
const blocks = [...readFileSync(PAGE, "utf8").matchAll(/```yaml\n([\s\S]*?)```/g)].map(
  ([, text = ""]) => text,
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-recipes-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the block that begins with this comment decides about a call. */
function decides(title: string) {
  const block = blocks.find((text) => text.startsWith(`# ${title}`));
  if (block === undefined) throw new Error(`The page has no block "${title}".`);
  const path = join(folder, `${title}.yaml`);
  // A local file is for one agent.
  writeFileSync(path, block.replace(/^.*agents:.*\n/m, ""));
  const rules = readLocalRules(path);
  return (tool: string, args: object) => rules({ tool, args: args as never }).verdict;
}

const MAIL = "ada@example.com";
test.each([
  ["rules.yaml", "read_file", {}, "allow"],
  ["rules.yaml", "refund", { amount: 40, currency: "EUR" }, "allow"],
  ["rules.yaml", "refund", { amount: "40", currency: "EUR" }, "ask"],
  ["rules.yaml", "wire", { amount: 10_000 }, "ask"],
  ["rules.yaml", "anything_else", {}, "ask"],
  ["Payments", "pay", { amount: 100 }, "allow"],
  ["Payments", "pay", { amount: 100.01 }, "ask"],
  ["Deploys", "deploy", { environment: "staging" }, "allow"],
  ["Deploys", "deploy", { environment: "production" }, "ask"],
  ["Mail", "send_mail", { to: MAIL }, "allow"],
  ["Mail", "send_mail", { to: `${MAIL}, eve@evil.test` }, "ask"],
  ["Mail", "send_mail", { to: [MAIL, "eve@evil.test"] }, "ask"],
  ["Mail", "send_mail", { to: MAIL, bcc: "eve@evil.test" }, "ask"],
  ["Databases", "sql", { query: "SELECT * FROM orders" }, "allow"],
  ["Databases", "sql", { query: "SELECT 1; DELETE FROM orders" }, "ask"],
  ["Databases", "sql", { query: "select * into copy from orders" }, "ask"],
  ["Databases", "sql", { query: "DROP TABLE orders" }, "deny"],
  ["Coding agents", "Read", { file_path: "/repo/a" }, "allow"],
  ["Coding agents", "Bash", { command: "git push --force" }, "ask"],
] as const)("%s: %s %j gets %s", (title, tool, args, verdict) => {
  expect(decides(title)(tool, args)).toBe(verdict);
});
