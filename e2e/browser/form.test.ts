/** Forms on the review page: fields of every type, wizards, conditions, and what is kept when one leaves. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { stageOnOwnServer } from "./shared.ts";
import { DESKTOP, hydrated, type OwnServerStage, PHONE } from "./support.ts";

let on: OwnServerStage;
beforeAll(async () => {
  on = await stageOnOwnServer();
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

const options = [
  { value: "a", label: "Alpha" },
  { value: "b", label: "Beta" },
];

const EVERY_FIELD = {
  type: "input",
  prompt: "Everything",
  form: {
    fields: [
      { key: "f_text", label: "Text", type: "text", placeholder: "Write here", default: "given" },
      { key: "f_area", label: "Area", type: "textarea" },
      { key: "f_number", label: "Number", type: "number" },
      { key: "f_date", label: "Date", type: "date" },
      { key: "f_mail", label: "Mail", type: "email", hint: "Where we write to" },
      { key: "f_url", label: "Site", type: "url" },
      { key: "f_bool", label: "Agreed", type: "boolean" },
      { key: "f_no", label: "Not agreed", type: "boolean" },
      { key: "f_one", label: "One", type: "select", options },
      { key: "f_many", label: "Many", type: "multiselect", options },
      { key: "f_range", label: "Range", type: "range" },
      { key: "f_secret", label: "Secret", type: "text", sensitive: true },
      { key: "f_other", label: "Other", type: "x-color" },
    ],
  },
};

test("HP-061 HP-062 HP-064 HP-067 HP-075 every field type has its control and sends its type of value", async () => {
  const hold = await on.place(EVERY_FIELD);
  const page = await on.open(hold, PHONE);
  const typeOf = (label: string) => page.getByLabel(label, { exact: true }).first().getAttribute("type");
  expect(await typeOf("Date optional")).toBe("date");
  expect(await typeOf("Mail optional")).toBe("email");
  expect(await typeOf("Site optional")).toBe("url");
  expect(await typeOf("Number optional")).toBe("number");
  expect(await typeOf("Secret optional")).toBe("password");
  expect(await typeOf("Other optional")).toBe("text");
  expect(await page.getByLabel("Text optional").inputValue()).toBe("given");
  expect(await page.getByLabel("Text optional").getAttribute("placeholder")).toBe("Write here");
  expect(await page.getByLabel("Mail optional").getAttribute("aria-describedby")).toBe(
    "hp-field-f_mail-hint",
  );
  const range = page.getByLabel("Range optional");
  expect(await range.getAttribute("min")).toBe("0");
  expect(await range.getAttribute("max")).toBe("100");
  await range.fill("40");
  expect(await page.locator("output").innerText()).toBe("40");
  await page.getByLabel("Area optional").fill("two\nlines");
  await page.getByLabel("Number optional").fill("2.5");
  await page.getByLabel("Date optional").fill("2026-03-01");
  await page.getByLabel("Mail optional").fill("not an address");
  await page.getByLabel("Site optional").fill("https://example.com/x");
  await page.getByText("Must be an e-mail address.").waitFor();
  await page.getByLabel("Mail optional").fill("ada@example.com");
  await page.getByLabel("Agreed", { exact: true }).check();
  await page.getByLabel("One optional").selectOption("b");
  await page.getByLabel("Alpha").check();
  await page.getByLabel("Beta").check();
  await page.getByLabel("Secret optional").fill("hush");
  await page.getByRole("button", { name: "Show Secret" }).click();
  expect(await typeOf("Secret optional")).toBe("text");
  await page.getByLabel("Other optional").fill("#fff");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect((await on.read(hold.id)).outcome.data).toEqual({
    f_text: "given",
    f_area: "two\nlines",
    f_number: 2.5,
    f_date: "2026-03-01",
    f_mail: "ada@example.com",
    f_url: "https://example.com/x",
    f_bool: true,
    f_no: false,
    f_one: "b",
    f_many: ["a", "b"],
    f_range: 40,
    f_secret: "hush",
    f_other: "#fff",
  });
  expect(await page.getByText("hush").count()).toBe(0);
  await on.leave(page);
});

const WIZARD = {
  type: "input",
  prompt: "A contract",
  form: {
    session_id: "s1",
    steps: [
      {
        title: "Kind",
        fields: [
          {
            key: "kind",
            label: "Kind of work",
            type: "select",
            required: true,
            options: [
              { value: "fixed", label: "Fixed" },
              { value: "hourly", label: "Hourly" },
            ],
          },
        ],
      },
      {
        title: "Money",
        fields: [
          {
            key: "rate",
            label: "Rate",
            type: "number",
            required: true,
            conditional: { field: "kind", operator: "eq", value: "hourly" },
          },
          {
            key: "cap",
            label: "Cap",
            type: "number",
            conditional: { field: "rate", operator: "gt", value: 100 },
          },
          { key: "iban", label: "Account", type: "text", sensitive: true },
        ],
      },
      { title: "Check", fields: [] },
    ],
  },
} as const;

test("HP-077 HP-078 HP-081 a wizard checks each step, keeps answers, applies conditions and ends with a summary", async () => {
  const hold = await on.place({ ...WIZARD, form: { steps: WIZARD.form.steps } });
  const page = await on.open(hold, PHONE);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Must be answered.").waitFor();
  await page.getByLabel("Kind of work").selectOption("hourly");
  await page.getByRole("button", { name: "Next" }).click();
  expect(await page.locator("[aria-current=step]").innerText()).toBe("Money");
  expect(await page.getByLabel("Cap").count()).toBe(0);
  await page.getByLabel("Rate").fill("120");
  await page.getByLabel("Cap").fill("9000");
  await page.getByLabel("Account optional").fill("DE00 1234");
  await page.getByRole("button", { name: "Back" }).click();
  expect(await page.getByLabel("Kind of work").inputValue()).toBe("hourly");
  await page.getByLabel("Kind of work").selectOption("fixed");
  await page.getByRole("button", { name: "Next" }).click();
  expect(await page.getByLabel("Rate").count()).toBe(0);
  expect(await page.getByLabel("Cap").count()).toBe(0);
  await page.getByRole("button", { name: "Next" }).click();
  const summary = await page.locator(".hp-summary").innerText();
  expect(summary).toContain("Fixed");
  expect(summary).not.toContain("DE00");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect((await on.read(hold.id)).outcome.data).toEqual({ kind: "fixed", iban: "DE00 1234" });
  await on.leave(page);
});

test("HP-082 a draft is found again in another browser after the server was killed, without its secrets", async () => {
  const hold = await on.place(WIZARD);
  const page = await on.open(hold, PHONE);
  await page.getByLabel("Kind of work").selectOption("hourly");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Rate").fill("80");
  await page.getByLabel("Account optional").fill("DE00 1234");
  await page.getByText("Saved. You can close this page").waitFor();
  expect((await on.read(hold.id)).progress).toEqual({
    current_step: 2,
    total_steps: 3,
    completed_fields: 2,
    total_fields: 3,
  });
  await page.reload();
  await hydrated(page);
  expect(await page.locator("[aria-current=step]").innerText()).toBe("Money");
  expect(await page.getByLabel("Rate").inputValue()).toBe("80");
  await on.leave(page);
  await on.server.kill();
  await on.server.start();
  const again = await on.open(hold, DESKTOP);
  expect(await again.locator("[aria-current=step]").innerText()).toBe("Money");
  expect(await again.getByLabel("Rate").inputValue()).toBe("80");
  expect(await again.getByLabel("Account optional").inputValue()).toBe("");
  await again.getByRole("button", { name: "Next" }).click();
  await again.getByRole("button", { name: "Submit" }).click();
  await again.getByText("Your answer was recorded").waitFor();
  await on.leave(again);
});

test("a form whose draft the server does not store is kept in the tab, without secrets, until it is answered", async () => {
  const hold = await on.place(EVERY_FIELD);
  const page = await on.open(hold, PHONE);
  await page.getByLabel("Text optional").fill("changed");
  await page.getByLabel("Agreed", { exact: true }).check();
  await page.getByLabel("Secret optional").fill("hush");
  await page.reload();
  await hydrated(page);
  await expect.poll(() => page.getByLabel("Text optional").inputValue()).toBe("changed");
  expect(await page.getByLabel("Agreed", { exact: true }).isChecked()).toBe(true);
  expect(await page.getByLabel("Secret optional").inputValue()).toBe("");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect((await on.read(hold.id)).outcome.data).toMatchObject({ f_text: "changed", f_bool: true });
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await on.leave(page);
});

test("a page that is open while the server restarts says so, continues without a reload, and loses nothing", async () => {
  const hold = await on.place(WIZARD);
  const page = await on.open(hold, PHONE);
  await page.getByLabel("Kind of work").selectOption("fixed");
  await page.getByText("Saved. You can close this page").waitFor();
  const { port } = new URL(on.server.url);
  await on.server.kill();
  await page.getByText("No connection.").waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Account optional").fill("DE00 1234");
  await on.server.start(port);
  await page.getByText("No connection.").waitFor({ state: "detached", timeout: 20_000 });
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect((await on.read(hold.id)).outcome.data).toEqual({ kind: "fixed", iban: "DE00 1234" });
  await on.leave(page);
}, 60_000);

test("AG-093 a form is built from a JSON Schema and checked before anything is sent", async () => {
  const hold = await on.place({
    type: "input",
    prompt: "Where to?",
    response_schema: {
      type: "object",
      required: ["region", "days"],
      properties: {
        region: { enum: ["eu", "us"] },
        days: { type: "integer", minimum: 1 },
        contact: { type: "object", properties: { mail: { type: "string", format: "email" } } },
      },
    },
  });
  const page = await on.open(hold, DESKTOP);
  await hydrated(page);
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Nothing was sent yet").waitFor();
  await page.getByLabel("Region").selectOption({ label: "eu" });
  await page.getByLabel("Days").fill("30");
  await page.getByLabel("Mail").fill("ada@example.com");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect((await on.read(hold.id)).outcome.data).toEqual({
    region: "eu",
    days: 30,
    contact: { mail: "ada@example.com" },
  });
  expect(on.trouble).toEqual([]);
  await on.leave(page);
});
