import { describe, it } from "vitest";
import { adapterTests } from "../kit/index.ts";
import { testsByRules } from "../testing/by-rules.ts";
import { aiSdk, aiSdkByRules } from "./driver.fixture.ts";

describe("an agent on the AI SDK", () => {
  for (const { title, run } of adapterTests(aiSdk)) it(title, run);
});

describe("an agent on the AI SDK under the server's rules", () => {
  for (const { title, run } of testsByRules(aiSdkByRules)) it(title, run);
});
