import { expect, test } from "vitest";
import { sourceTree } from "../../tools/tidy/tree.ts";

/** What an attack of several hours found. The tests that keep it from coming back are named after it: `attack 7: …`. */
const FOUND = [
  [1, "an agent answered in a named person's name"],
  [2, "one agent key froze the server for all tenants"],
  [3, "an agent approved its own hold"],
  [4, "single requests froze the event loop"],
  [5, "a rewritten log passed verification"],
  [6, "intents bypassed the isolation of holds"],
  [7, "everybody on the machine could read the database"],
  [8, "a key for any agent acted as apps and people"],
  [9, "redaction ran backtracking patterns"],
  [10, "every start printed a sign-in link, also on a public address"],
  [11, "subscriptions made the workspace's settings grow without bound"],
  [12, "smaller holes: auditors that write, links that dismiss, missing headers, no file quota and others"],
] as const;

const tests = sourceTree().filter(({ path }) => /(\.test|[./]suite)\.tsx?$/.test(path));

test.each(FOUND)("a test is named after attack %i: %s", (number) => {
  const isNamed = new RegExp(`["(]attack ${number}[:)]`);
  expect(tests.filter(({ text }) => isNamed.test(text)).map(({ path }) => path)).not.toEqual([]);
});
