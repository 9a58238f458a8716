/**
 * Records the terminal sessions of `docs/integrate/recorded-sessions.md`: `npm run ts -- tools/record-sessions.ts`. Each session is a real
 * server and real processes; only ids and folders are written as they would look anywhere.
 */

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SESSIONS } from "./record/sessions.ts";
import { Terminal } from "./record/terminal.ts";

const PAGE = fileURLToPath(new URL("../docs/integrate/recorded-sessions.md", import.meta.url));

const INTRODUCTION = `# Recorded terminal sessions

What the commands of [MCP](mcp.md) and [Coding agents](coding-agents.md) really print. \`tools/record-sessions.ts\` runs them against a server of its
own and writes this page. Ids, folders and the program's path are shortened; lines that begin with \`#\` are comments, \`→\` is what a client sends and \`←\` what it gets.
The agents themselves are not part of these recordings: their JSON is sent by hand.
`;

let page = INTRODUCTION;
for (const [title, session] of Object.entries(SESSIONS)) {
  await using terminal = await Terminal.open();
  await session(terminal);
  page += `\n## ${title}\n\n\`\`\`text\n${terminal.taken().trimEnd()}\n\`\`\`\n`;
}
writeFileSync(PAGE, page);
