/** Programs written for the SDK before its parts became packages fail with a sentence that helps, not with a missing export. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ENTRIES = ["gate", "gate/host", "hitl", "hitl/agent", "hitl/render", "hitl/service", "openintent"];

test.each(ENTRIES)("@holdpoint/sdk/%s still lists every name that the new package exports", async (entry) => {
  const file = new URL(`../packages/sdk/src/moved/${entry.replace("/", "-")}.ts`, import.meta.url);
  const [, listed = ""] = /export const \{([^}]*)\}/.exec(readFileSync(file, "utf8")) ?? [];
  const names = listed.split(",").map((name) => name.trim());
  const now = Object.keys(await import(`@holdpoint/${entry}`));
  expect(now.filter((name) => !names.includes(name))).toEqual([]);
});
