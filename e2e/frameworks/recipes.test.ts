/** The recipes on the page are the ones that the full tests run or compile. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { blocksOf, ROOT } from "../docs/pages.ts";

const PAGE = "docs/integrate/engines.md";

test.each([
  "restate/refunds.ts",
  "workflow/workflows/refund.ts",
  "workflow/doorbell.ts",
  "recipes/settle.ts",
  "recipes/inngest.ts",
  "recipes/trigger.ts",
  "recipes/temporal.ts",
])("docs/integrate/engines.md shows the file %s unchanged", (file) => {
  const code = readFileSync(`${ROOT}/interop/frameworks/${file}`, "utf8");
  expect(blocksOf(PAGE).map((block) => block.code)).toContain(code);
});

test("the page says which recipes are run and which are only compiled", () => {
  const text = readFileSync(`${ROOT}/${PAGE}`, "utf8");
  for (const engine of ["Restate", "Workflow DevKit"])
    expect(text).toMatch(new RegExp(`## ${engine}\n\nRun by`));
  for (const engine of ["Inngest", "Trigger.dev", "Temporal"])
    expect(text).toMatch(new RegExp(`## ${engine}\n\nCompiled, not run`));
});

/** Each page of a framework begins with what its reader copies. */
test.each(["ai-sdk", "openai-agents", "langchain", "mastra", "frameworks"])(
  "the first block of docs/integrate/%s.md has at most 15 lines",
  (name) => {
    const [first] = blocksOf(`docs/integrate/${name}.md`);
    expect(first?.code.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
  },
);
