/** Rules in the console, and similar calls that a person allows on the review page, in a real browser. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { stage } from "./shared.ts";
import { DESKTOP, hydrated, PHONE, type Stage, violations, widthLeft } from "./support.ts";

let on: Stage;
let admin: string;
beforeAll(async () => {
  on = await stage();
  const made = await on.call("POST", "/v1/keys", { name: "root", role: "admin" });
  admin = ((await made.json()) as { secret: string }).secret;
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

async function check(tool: string, amount: number) {
  const reply = await on.call("POST", "/v1/checks", { tool, args: { amount, to: "ada" } });
  return (await reply.json()) as { verdict: string; hold?: { id: string; digest: string } };
}

/** An approval counts for rules only if somebody else than the asker made the link (G7). */
async function linkTo(holdId: string): Promise<string> {
  const reply = await fetch(`${on.server.url}/v1/holds/${holdId}/links`, {
    method: "POST",
    headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
    body: "{}",
  });
  return ((await reply.json()) as { url: string }).url;
}

test.each([
  ["with script", true],
  ["without script", false],
])(
  "a person approves similar calls on the page, %s, after reading the terms",
  async (how, javaScriptEnabled) => {
    const tool = javaScriptEnabled ? "pay" : "mail";
    const { hold } = await check(tool, 5);
    const page = await on.page({ ...PHONE, javaScriptEnabled });
    await page.goto(await linkTo(hold?.id ?? ""));
    if (javaScriptEnabled) await hydrated(page);
    await page.getByText("Approve similar calls too").click();
    await page.getByLabel("For how long").selectOption("2h");
    await page.getByLabel("How many calls at most").fill("3");
    await page.getByLabel("amount").first().selectOption("any");
    if (javaScriptEnabled) {
      await page.getByText(/may call pay up to 3 times within 2 hours without asking/).waitFor();
      expect(await violations(page)).toEqual([]);
    }
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page
      .getByText(/approved/i)
      .first()
      .waitFor();
    await on.leave(page);
    await on.call("POST", `/v1/holds/${hold?.id}/claim`, { digest: hold?.digest });
    expect((await check(tool, 6)).verdict, how).toBe("allow");
  },
);

test("one press approves a coding agent's call and allows similar ones in its repository, after the terms were shown", async () => {
  const ask = async (command: string) => {
    const args = { command, cwd: "/repo", repository: "/repo" };
    const reply = await on.call("POST", "/v1/checks", { tool: "Bash", args });
    return (await reply.json()) as { verdict: string; hold?: { id: string; digest: string } };
  };
  const { hold } = await ask("git push --force");
  const page = await on.page(PHONE);
  await page.goto(await linkTo(hold?.id ?? ""));
  await hydrated(page);
  await page
    .getByText(
      /may call Bash up to 20 times within 2 hours without asking, only while “repository” is “\/repo”/,
    )
    .waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await widthLeft(page)).toBe(0);
  await page.getByRole("button", { name: /allow similar in this repository for 2 h/ }).click();
  await page
    .getByText(/approved/i)
    .first()
    .waitFor();
  await on.leave(page);
  expect((await ask("git fetch")).verdict).toBe("allow");
});

test("an admin changes the rules in the console: explained, tried, published, and shown with what changed", async () => {
  await check("report", 1);
  const page = await on.page(DESKTOP);
  await on.signIn(page);
  await page.getByRole("link", { name: "Rules" }).click();
  await page.getByRole("heading", { name: "Rules", exact: true }).waitFor();
  await page.getByRole("cell", { name: "report" }).waitFor();
  await page.getByRole("button", { name: "Change the rules" }).click();
  const editor = page.getByLabel("Rules, as JSON");
  await editor.fill("{");
  await page.getByText(/This is not JSON/).waitFor();
  await editor.fill('{ "rules": [{ "tools": ["report"], "verdict": "allow" }], "default": "ask" }');
  await page.getByText("Allow calls of report.").waitFor();
  await page.getByLabel("Tool", { exact: true }).fill("report");
  await page.getByText(/Rule 1: Allow calls of report/).waitFor();
  await page.getByRole("button", { name: "Try them on recorded calls" }).click();
  await page.getByText(/recorded calls: /).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("button", { name: "Yes, publish" }).click();
  await page.getByRole("heading", { name: /^Version \d+$/ }).waitFor();
  expect((await check("report", 2)).verdict).toBe("allow");
  await page.getByText("History", { exact: true }).last().click();
  await page.locator("ins", { hasText: "Allow calls of report." }).waitFor();
  await on.leave(page);
});

test("the rules page fits a narrow phone", async () => {
  await check("report", 1);
  const page = await on.page({ ...PHONE, viewport: { width: 320, height: 640 } });
  await on.signIn(page, { path: "/console/rules" });
  await page.getByRole("cell", { name: "report" }).waitFor();
  await page.getByRole("button", { name: "Change the rules" }).click();
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  await on.leave(page);
});
