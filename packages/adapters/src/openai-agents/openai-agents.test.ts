import { describe, it } from "vitest";
import { adapterTests } from "../kit/index.ts";
import { openAiAgents } from "./driver.fixture.ts";

describe("an agent on the OpenAI Agents SDK", () => {
  for (const { title, run } of adapterTests(openAiAgents)) it(title, run);
});
