import { describe, it } from "vitest";
import { adapterTests } from "../kit/index.ts";
import { testsByRules } from "../testing/by-rules.ts";
import { openAiAgents, openAiAgentsByRules } from "./driver.fixture.ts";

describe("an agent on the OpenAI Agents SDK", () => {
  for (const { title, run } of adapterTests(openAiAgents)) it(title, run);
});

describe("an agent on the OpenAI Agents SDK under the server's rules", () => {
  for (const { title, run } of testsByRules(openAiAgentsByRules)) it(title, run);
});
