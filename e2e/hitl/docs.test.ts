/** The guides to HITL hold: their code compiles, and what they name is there. */

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CaseIn, hitlSet } from "@holdpoint/protocol/hitl";
import { expect, test } from "vitest";
import { compileGuide } from "../support/guide.ts";

const PATHS = {
  "@holdpoint/sdk": "packages/sdk/src/index.ts",
  "@holdpoint/sdk/hitl/agent": "packages/sdk/src/hitl/agent/index.ts",
  "@holdpoint/sdk/hitl/service": "packages/sdk/src/hitl/service/index.ts",
};
const BLOCKS = { "docs/integrate/hitl-service.md": 2, "docs/integrate/hitl-agent.md": 1 };
const GUIDES = Object.keys(BLOCKS) as (keyof typeof BLOCKS)[];
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test.each(GUIDES)("the code in %s compiles", { timeout: 120_000 }, async (guide) => {
  expect(await compileGuide(guide, PATHS)).toEqual({ blocks: BLOCKS[guide], said: "" });
});

test.each(GUIDES)("every link in %s leads to a file", (guide) => {
  const base = new URL(`../../${guide}`, import.meta.url);
  const links = [...read(guide).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((link) => !existsSync(fileURLToPath(new URL(link, base))))).toEqual([]);
});

test("the guide for services names every member of a case, and only addresses that are served", () => {
  const guide = read("docs/integrate/hitl-service.md");
  const missing = Object.keys(CaseIn.shape).filter((member) => !guide.includes(`\`${member}\``));
  expect(missing).toEqual([]);
  const served = hitlSet.operations.map(({ method, path }) => `${method} ${path}`);
  const named = [...guide.matchAll(/`(GET|POST|PUT) (\/(?:reviews?|hitl|\.well-known)\/[^`]*)`/g)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  expect(named.length).toBeGreaterThan(7);
  expect(named.filter((address) => !served.includes(address))).toEqual([]);
});
