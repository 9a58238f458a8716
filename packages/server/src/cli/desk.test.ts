/** `comment`, `assign` and `extend` against a real server. */

import { expect, test } from "vitest";
import { commandLine } from "./commands.fixture.ts";

const cli = commandLine();

test("holdpoint comment, assign and extend work on a hold that stays open", async () => {
  const { id, expiresAt = "" } = await cli.hp.place({
    type: "approval",
    prompt: "Work on me",
    timeout: "1h",
  });
  const asked = await cli.run("comment", [id, "Which invoice?", "--ask-back"]);
  expect(asked.out).toBe("The agent is asked. Its reply appears among the comments.\n");
  expect((await cli.hp.get(id)).comments).toMatchObject([{ text: "Which invoice?", asksBack: true }]);
  expect((await cli.run("comment", [id, "Just so"])).out).toBe("The comment is written.\n");
  expect((await cli.run("assign", [id, "dev"])).out).toBe("dev is on it.\n");
  expect((await cli.run("assign", [id, "--nobody"])).out).toBe("Nobody is on it.\n");
  const until = new Date(Date.parse(expiresAt) + 7_200_000).toISOString();
  expect((await cli.run("extend", [id, "2h"])).out).toBe(`It can be answered until ${until}.\n`);
  expect(JSON.parse((await cli.run("extend", [id, "1h", "--json"])).out)).toMatchObject({
    id,
    status: "open",
  });
  await expect(cli.run("assign", [id])).rejects.toThrow(/usage: holdpoint assign/);
  await expect(cli.run("comment", [id])).rejects.toThrow(/usage: holdpoint comment/);
  await expect(cli.run("extend", [id])).rejects.toThrow(/usage: holdpoint extend/);
});
