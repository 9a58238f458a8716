/** An agent on the Claude Agent SDK: it proposes a shell command, a person decides, and only then the command runs. */

import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { holdpointPermission } from "@holdpoint/adapters/claude-agent";
import { Holdpoint } from "@holdpoint/sdk";
import { scriptedModel } from "./model.mjs";

const cwd = mkdtempSync(join(tmpdir(), "claude-agent-example-"));
const model = await scriptedModel("touch deployed");
const options = {
  cwd,
  canUseTool: holdpointPermission(new Holdpoint(), { cwd }),
  // Of the scripted model only. With a key of your own, leave `env` out.
  env: { PATH: process.env.PATH, HOME: cwd, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "none" },
  settingSources: [],
};

console.log("waiting for a person, if the rules ask for one: see the console");
for await (const message of query({ prompt: "Deploy it.", options }))
  if (message.type === "result") console.log(`the agent says: ${message.result}`);
console.log(existsSync(join(cwd, "deployed")) ? "deployed" : "not deployed");
model.close();
