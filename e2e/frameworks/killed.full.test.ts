/** Agents on every framework, killed with SIGKILL: what was approved runs once, and never twice. */

import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";
import { type Driver, killedAt, MOMENTS } from "./killed-agent.ts";
import { ProvingGround } from "./proving-ground.ts";

const MINUTES = 60_000;
const adapters = (path: string) =>
  fileURLToPath(new URL(`../../packages/adapters/src/${path}`, import.meta.url));

let server: ServerProcess;
beforeAll(async () => {
  server = await serverProcess();
});
afterAll(async () => server?.[Symbol.asyncDispose]());

const DRIVERS: readonly Driver[] = [
  { module: adapters("ai-sdk/driver.fixture.ts"), name: "aiSdk" },
  { module: adapters("openai-agents/driver.fixture.ts"), name: "openAiAgents" },
  { module: adapters("langgraph/langchain.fixture.ts"), name: "langChain" },
];

describe.each(DRIVERS)("an agent of the driver $name", (driver) => {
  test.each(MOMENTS)(
    "that is killed %s pays once",
    { timeout: 2 * MINUTES },
    async (_when, moment, ended) => {
      expect(await killedAt(server, driver, moment)).toEqual({ paid: "ada 80\n", ended });
    },
  );
});

describe("an agent on Mastra", () => {
  let ground: ProvingGround;
  beforeAll(() => {
    ground = new ProvingGround("mastra");
  }, 5 * MINUTES);
  afterAll(() => ground?.[Symbol.dispose]());

  test.each(MOMENTS)(
    "that is killed %s pays once",
    { timeout: 2 * MINUTES },
    async (_when, moment, ended) => {
      const driver = { module: `${ground.folder}/driver.mjs`, name: "adapter", folder: ground.folder };
      expect(await killedAt(server, driver, moment)).toEqual({ paid: "ada 80\n", ended });
    },
  );
});
