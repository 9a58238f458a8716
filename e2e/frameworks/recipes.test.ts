/** The recipes on the page are the ones that the full tests run or compile. */

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { blocksOf, ROOT, textOf } from "../docs/pages.ts";

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

/** The overview links the page of every framework. `engines.md` shows whole files, which the first test compares. */
const FRAMEWORKS = "docs/integrate/frameworks.md";
const linked = [...textOf(FRAMEWORKS).matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map(
  ([, page = ""]) => page,
);

test("the overview of frameworks links a page for every adapter", () => {
  const folders = readdirSync(`${ROOT}/packages/adapters/src`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !PARTS.includes(entry.name))
    .map(({ name }) => name);
  expect(folders.length).toBeGreaterThan(5);
  for (const folder of folders)
    expect(textOf(FRAMEWORKS)).toMatch(new RegExp(`\\]\\([\\w-]+\\.md\\) \\| \`${folder}\` \\|`));
});

const manifestOf = (path: string) => JSON.parse(readFileSync(`${ROOT}/${path}/package.json`, "utf8"));
const ADAPTERS = "packages/adapters";

test.each([
  ["Vercel AI SDK", "ai", "interop/frameworks/ai-sdk-6", ADAPTERS],
  ["OpenAI Agents SDK", "@openai/agents", "interop/frameworks/openai-agents-0.18", ADAPTERS],
  ["LangChain", "langchain", "interop/frameworks/langchain-1.3", ADAPTERS],
  ["LangGraph.js", "@langchain/langgraph", "interop/frameworks/langchain-1.3", ADAPTERS],
  ["Mastra", "@mastra/core", "interop/frameworks/mastra-1.60", "interop/frameworks/mastra"],
  ["Claude Agent SDK", "@anthropic-ai/claude-agent-sdk", "interop/claude-agent-sdk"],
  ["Restate, Workflow DevKit", "@restatedev/restate-sdk", "interop/frameworks/restate"],
  ["Restate, Workflow DevKit", "workflow", "interop/frameworks/workflow"],
  ["Inngest, Trigger.dev, Temporal", "inngest", "interop/frameworks/recipes"],
  ["Inngest, Trigger.dev, Temporal", "@trigger.dev/sdk", "interop/frameworks/recipes"],
  ["Inngest, Trigger.dev, Temporal", "@temporalio/workflow", "interop/frameworks/recipes"],
  ["AG-UI, CopilotKit", "@ag-ui/client", ADAPTERS, "interop/frameworks/copilotkit"],
  ["AG-UI, CopilotKit", "@copilotkit/runtime", "interop/frameworks/copilotkit"],
])(
  "the overview of frameworks names the versions that tests of %s run (%s)",
  (name, dependency, ...places) => {
    const row = textOf(FRAMEWORKS)
      .split("\n")
      .find((line) => line.startsWith(`| [${name}]`));
    for (const place of places) {
      const { dependencies = {}, devDependencies = {} } = manifestOf(place);
      const version: string = devDependencies[dependency] ?? dependencies[dependency];
      expect(row?.split(/[\s,;]+/)).toContain(version);
    }
  },
);

/** What adapters are made of and tested with. */
const PARTS = ["handlers", "kit", "testing", "tool-calls", "workflow"];

/** Each page of a framework begins with what its reader copies. */
test.each(["frameworks.md", ...linked.filter((page) => page !== "engines.md")])(
  "the first program on docs/integrate/%s has at most 15 lines",
  (page) => {
    const first = blocksOf(`docs/integrate/${page}`).find(({ language }) => language !== "sh");
    expect(first?.code.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
  },
);
