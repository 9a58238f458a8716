/** A scripted MCP client in the place of a model. It asks a person what to do and waits, however long it takes. */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const env = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);
const client = new Client({ name: "scripted", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({ command: "npx", args: ["holdpoint", "mcp"], env, cwd: import.meta.dirname }),
);

interface Question {
  readonly question_id: string;
  readonly status: "pending" | "answered" | "expired" | "cancelled";
  readonly message: string;
}

async function call(name: string, args: Record<string, unknown>): Promise<Question> {
  const { structuredContent, content } = await client.callTool({ name, arguments: args });
  if (structuredContent === undefined) throw new Error(JSON.stringify(content));
  return structuredContent as unknown as Question;
}

console.log("asking. Answer in the console, or: npx holdpoint inbox");
let question = await call("ask_human", {
  question: "The build is green. Deploy release 42?",
  context: { commit: "8c1f2aa", tests: "1,204 passed" },
  timeout: "1h",
});
// A model reads the same words: "call get_answer".
while (question.status === "pending") {
  console.log("still waiting for a person …");
  question = await call("get_answer", { question_id: question.question_id });
}
// Only `answered` is a person's decision; an expired question was decided by nobody.
console.log(`${question.status}: ${question.message}`);
await client.close();
