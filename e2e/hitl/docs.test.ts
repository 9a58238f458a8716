/** What the guide to HITL names is there. */

import { readFileSync } from "node:fs";
import { CaseIn, hitlSet } from "@holdpoint/protocol/hitl";
import { expect, test } from "vitest";

const GUIDE = new URL("../../docs/integrate/hitl-service.md", import.meta.url);

test("the guide for services names every member of a case, and only addresses that are served", () => {
  const guide = readFileSync(GUIDE, "utf8");
  const missing = Object.keys(CaseIn.shape).filter((member) => !guide.includes(`\`${member}\``));
  expect(missing).toEqual([]);
  const served = hitlSet.operations.map(({ method, path }) => `${method} ${path}`);
  const named = [...guide.matchAll(/`(GET|POST|PUT) (\/(?:reviews?|hitl|\.well-known)\/[^`]*)`/g)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  expect(named.length).toBeGreaterThan(7);
  expect(named.filter((address) => !served.includes(address))).toEqual([]);
});
