/** HITL cases on the review page: rounds, and values that only the page may fetch. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { stage } from "./shared.ts";
import { DESKTOP, PHONE, type Placed, type Stage } from "./support.ts";

let on: Stage;
beforeAll(async () => {
  on = await stage();
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

const DRAFT = { type: "approval", prompt: "Publish the announcement?" };

interface Case extends Placed {
  readonly body: string;
}

async function openCase(body: object): Promise<Case> {
  const reply = await on.call("POST", "/hitl/v1/cases", body);
  const text = await reply.text();
  if (reply.status !== 202) throw new Error(text);
  const { hitl } = JSON.parse(text);
  return { id: hitl.case_id.replace("review_", "hold_"), review_url: hitl.review_url, body: text };
}

test("HP-171 a later round shows its number and what was said before, with JavaScript on and off", async () => {
  const first = await openCase(DRAFT);
  const page = await on.open(first, PHONE);
  expect(await page.getByText("Round", { exact: false }).count()).toBe(0);
  await page.getByRole("button", { name: "Request changes" }).click();
  await page.getByLabel("What should change?").fill("Shorter, and no exclamation marks.");
  await page.getByRole("button", { name: "Request changes" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  const second = await openCase({ ...DRAFT, previous_case_id: first.id.replace("hold_", "review_") });
  for (const options of [PHONE, { ...DESKTOP, javaScriptEnabled: false }]) {
    const next = await on.open(second, options);
    await next.getByRole("heading", { name: "Round 2" }).waitFor();
    const rounds = next.getByRole("region", { name: "Earlier rounds" });
    expect(await rounds.getByText("Shorter, and no exclamation marks.").count()).toBe(1);
    expect(await rounds.getByText("Changes requested").count()).toBe(1);
    await on.leave(next);
  }
  await page.goto(on.link(second));
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("heading", { name: "Approved" }).waitFor();
  expect(await page.getByRole("heading", { name: "Round 2" }).count()).toBe(1);
  await on.leave(page);
});

test("HP-066 the page fetches what a field starts with; its source and the agent's reply have none of it", async () => {
  const fields = [
    { key: "salary", label: "Salary", type: "number", sensitive: true },
    { key: "city", label: "City", type: "text" },
    { key: "elsewhere", label: "Elsewhere", type: "text", default_ref: "https://shop.example/prefill/a" },
  ];
  const opened = await openCase({
    type: "input",
    prompt: "Is this still right?",
    context: { form: { fields } },
    prefill: { salary: 81_234, city: "Tromsø-4711" },
  });
  const source = await (await fetch(on.link(opened))).text();
  for (const text of [opened.body, source]) {
    expect(text).not.toContain("81234");
    expect(text).not.toContain("Tromsø-4711");
  }
  const page = await on.open(opened, PHONE);
  await expect.poll(() => page.getByLabel("City optional").inputValue()).toBe("Tromsø-4711");
  expect(await page.getByLabel("Salary optional").getAttribute("type")).toBe("password");
  expect(await page.getByLabel("Elsewhere optional").inputValue()).toBe("");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect((await on.read(opened.id)).outcome.data).toEqual({ salary: 81_234, city: "Tromsø-4711" });
  await on.leave(page);
});

test("no page above had an error, a dialog or a policy violation", () => {
  expect(on.trouble).toEqual([]);
});
