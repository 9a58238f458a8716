/** A hold that two people must agree on, on the review page in a real browser. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { stage } from "./shared.ts";
import { DESKTOP, hydrated, type Stage, violations } from "./support.ts";

let on: Stage;
let admin: string;
beforeAll(async () => {
  on = await stage();
  const made = await on.call("POST", "/v1/keys", { name: "root", role: "admin" });
  admin = ((await made.json()) as { secret: string }).secret;
  for (const id of ["ada", "bea"]) await on.call("POST", "/v1/people", { id, name: id });
  await on.call("POST", "/v1/teams", { id: "finance", members: ["ada", "bea"] });
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

const decision = { approve: [{ need: 2, from: ["team:finance"] }], strength: "link" };

/** A link names a person only if somebody else than the asker made it (G7). */
async function linkFor(holdId: string, to: string): Promise<string> {
  const made = await fetch(`${on.server.url}/v1/holds/${holdId}/links`, {
    method: "POST",
    headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
    body: JSON.stringify({ to }),
  });
  return ((await made.json()) as { url: string }).url;
}

test.each([
  ["with script", true],
  ["without script", false],
])("the page shows 1 of 2 after the first vote and who is missing, %s", async (_how, javaScriptEnabled) => {
  const hold = await on.place({ type: "approval", prompt: "Wire it?", decision });
  const page = await on.page({ ...DESKTOP, javaScriptEnabled });
  await page.goto(await linkFor(hold.id, "ada"));
  if (javaScriptEnabled) await hydrated(page);
  await page.getByText("0 of 2 have agreed").waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Your vote is recorded").waitFor();
  await page.getByText("1 of 2 have agreed").waitFor();
  await page.getByText("Still needed: 1 of finance").waitFor();
  if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
  expect(await on.read(hold.id)).toMatchObject({
    status: "open",
    votes: [{ person: "ada", strength: "link" }],
  });
  await on.leave(page);
});

test("a page that is open while the rule is met elsewhere says so without reloading", async () => {
  const hold = await on.place({ type: "approval", prompt: "Wire it now?", decision });
  const ada = await on.page(DESKTOP);
  await ada.goto(await linkFor(hold.id, "ada"));
  await hydrated(ada);
  await ada.getByRole("button", { name: "Approve" }).click();
  await ada.getByText("1 of 2 have agreed").waitFor();
  const bea = await on.page(DESKTOP);
  await bea.goto(await linkFor(hold.id, "bea"));
  await hydrated(bea);
  await bea.getByRole("button", { name: "Approve" }).click();
  await bea.getByText("Your answer was recorded").waitFor();
  await ada.getByText("2 voted.").waitFor();
  await on.leave(ada);
  await on.leave(bea);
});

test("a console page that is open while somebody votes elsewhere counts it without a reload, and says when the rule cannot be met any more", async () => {
  const hold = await on.place({ type: "approval", prompt: "Wire it today?", decision });
  const console = await on.page(DESKTOP);
  await on.signIn(console, { role: "operator", path: `/console/holds/${hold.id}` });
  await console.getByText("Live", { exact: true }).waitFor();
  const votes = console.getByRole("status", { name: "Votes" });
  await votes.getByText("0 of 2 have agreed").waitFor();
  await console.evaluate(() => Object.assign(window, { isSamePage: true }));
  const bea = await on.page(DESKTOP);
  await bea.goto(await linkFor(hold.id, "bea"));
  await hydrated(bea);
  await bea.getByRole("button", { name: "Approve" }).click();
  await votes.getByText("1 of 2 have agreed").waitFor();
  await votes.getByText("bea: approve").waitFor();
  const suspended = await on.call("PATCH", "/v1/people/bea", { status: "suspended" });
  expect(suspended.status).toBe(200);
  await votes.getByText("Nobody can meet this rule any more").waitFor();
  await votes.getByText("0 of 2 have agreed").waitFor();
  expect(await console.evaluate(() => "isSamePage" in window)).toBe(true);
  expect(on.trouble).toEqual([]);
});
