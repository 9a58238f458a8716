/**
 * A scripted MCP client in the place of a model. It calls the bank through the gateway: the small transfer passes by the rules, the
 * large one waits for a person.
 */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const gateway = ["holdpoint", "mcp-gateway", "--rules", "rules.yaml", "--", process.execPath, "bank.ts"];
const env = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);
const client = new Client({ name: "scripted", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({ command: "npx", args: gateway, env, cwd: import.meta.dirname }),
);

async function transfer(amount: number): Promise<string> {
  for (;;) {
    const { content } = await client.callTool({ name: "transfer", arguments: { to: "Ada", amount } });
    const said = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    // A model would read this and call again, with the same arguments.
    if (!said.startsWith("Pending")) return said;
    console.log("still waiting for a person …");
  }
}

console.log(await transfer(20));
console.log("800 EUR need a person. Answer in the console, or: npx holdpoint inbox");
console.log(await transfer(800));
await client.close();
