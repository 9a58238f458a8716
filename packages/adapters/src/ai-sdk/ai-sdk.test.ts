import { describe, it } from "vitest";
import { adapterTests } from "../kit/index.ts";
import { aiSdk } from "./driver.fixture.ts";

describe("an agent on the AI SDK", () => {
  for (const { title, run } of adapterTests(aiSdk)) it(title, run);
});
