/** The adapter kit over the oldest versions that the adapters support, and over frameworks that are too large for a dev dependency. */

import { expect, test } from "vitest";
import { ProvingGround } from "./proving-ground.ts";

const MINUTES = 60_000;

test.each(["mastra", "mastra-1.60", "ai-sdk-6", "openai-agents-0.18", "langchain-1.3"])(
  "the adapter for %s passes every case of the kit",
  async (name) => {
    using ground = new ProvingGround(name);
    const outcomes = await ground.prove();
    expect(outcomes.length).toBeGreaterThanOrEqual(20);
    expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([]);
  },
  5 * MINUTES,
);

test(
  "the row of the truth table for Mastra is what its model is told, and nothing unapproved runs",
  async () => {
    using ground = new ProvingGround("mastra");
    const { code, said } = await ground.test();
    expect(code, said).toBe(0);
    expect(said).toMatch(/8 passed/);
  },
  5 * MINUTES,
);
