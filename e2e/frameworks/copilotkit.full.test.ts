/** CopilotKit's own client and runtime before an agent of the AG-UI adapter. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";
import { ProvingGround } from "./proving-ground.ts";

const MINUTES = 60_000;
let server: ServerProcess;
let ground: ProvingGround;

beforeAll(async () => {
  server = await serverProcess();
  ground = new ProvingGround("copilotkit");
}, 8 * MINUTES);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  ground?.[Symbol.dispose]();
});

test.each([
  ["approve", 1, "It was executed."],
  ["reject", 0, "It was denied."],
])(
  "finding 3: a person who answers with %s in the console lets the open app's run refund %i times [@copilotkit/runtime]",
  async (action, refunds, said) => {
    const env = { HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: server.key };
    const output = await ground.run("case.mjs", [action], env);
    const line = output.split("\n").find((each) => each.startsWith("seen: ")) ?? "";
    expect(JSON.parse(line.slice("seen: ".length))).toEqual({ reason: "tool_call", said, refunds });
  },
  2 * MINUTES,
);
