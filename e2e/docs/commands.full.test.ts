/** Every command of the documentation, copied out of its page by somebody who has a clone and does as they are told. */

import { Client } from "pg";
import { describe, expect, test, vi } from "vitest";
import { testDatabase } from "../../packages/server/src/testing/postgres/test-database.ts";
import { type Block, blocksOf } from "./pages.ts";
import { SHELL_BLOCKS } from "./shell-blocks.ts";
import { Story } from "./story.ts";

const POSTGRES = "docs/operate/postgres.md";
const SERVER = { line: "npm start", says: /is holding/ } as const;
/** Whoever reads these has a server already. */
const ASSUME_A_SERVER = ["docs/integrate/hitl-service.md", "docs/integrate/openintent.md"];

/** Their settings name a bot, whose token nobody has here. */
const NEED_A_BOT = ["docs/operate/telegram.md"];

const pages = [...new Set(Object.keys(SHELL_BLOCKS).map((name) => name.split(" ")[0] ?? ""))];

async function tell(story: Story, block: Block): Promise<void> {
  const run = SHELL_BLOCKS[`${block.page} ${block.n}`];
  if (run?.kind === "script") {
    const { says, looks } = run;
    const look = async () => expect(await story.run(block)).toMatch(says);
    await (looks === true ? vi.waitFor(look, { timeout: 30_000 }) : look());
  }
  if (run?.kind !== "terminals") return;
  const lines = block.code.trimEnd().split("\n");
  expect(lines).toHaveLength(run.says.length);
  for (const [at, says] of run.says.entries()) if (says !== null) await story.open(lines[at] ?? "", says);
}

describe("the commands of a documentation page work as they are shown", { timeout: 300_000 }, () => {
  test.each(pages.filter((page) => page !== POSTGRES))("%s", async (page) => {
    await using story = await Story.begin("");
    if (ASSUME_A_SERVER.includes(page)) await story.open(SERVER.line, SERVER.says);
    for (const block of blocksOf(page)) {
      if (block.language === "sh") await tell(story, block);
      // The settings come before the server.
      if (!block.code.startsWith("# holdpoint.yaml")) continue;
      story.write("holdpoint.yaml", block.code);
      if (!NEED_A_BOT.includes(page)) await story.open(SERVER.line, SERVER.says);
    }
  });

  test("docs/operate/postgres.md starts a server on PostgreSQL, and docs/operate/running.md tunes its tables", async () => {
    await using database = await testDatabase();
    await using story = await Story.begin(database.url);
    await tell(story, blocksOf(POSTGRES)[0] as Block);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      for (const { code } of blocksOf("docs/operate/running.md")) await client.query(code);
    } finally {
      await client.end();
    }
  });

  test("docs/operate/postgres.md moves a server from SQLite to PostgreSQL", async () => {
    await using database = await testDatabase();
    await using story = await Story.begin(database.url);
    await story.open(SERVER.line, SERVER.says);
    await story.closeAll();
    await tell(story, blocksOf(POSTGRES)[1] as Block);
  });
});
