/** The longer flows of the settings page: retention and inline answers, and business hours. */

import { expect, test } from "vitest";
import { DAY_MS, history, on, platform, save, settings, withSettings } from "./settings.fixture.ts";
import { PHONE, violations, widthLeft } from "./support.ts";

withSettings();

test("an admin shortens the retention and forbids inline answers; both go back to the file's value by one press", async () => {
  const page = await settings();
  const days = page.getByRole("textbox", { name: "Days until the content of an ended question is erased" });
  expect(await days.getAttribute("placeholder")).toBe("holdpoint.yaml: 30");
  await days.fill("soon");
  await page.getByRole("button", { name: "Save the retention" }).click();
  await page.getByRole("alert").getByText("retention_days").waitFor();
  expect(await days.inputValue()).toBe("soon");
  await days.fill("7");
  await save(page, "Save the retention");
  expect(platform().retainMs).toBe(7 * DAY_MS);
  await history(page, "how long content is kept from 30 d to 7 d");
  await page.getByRole("button", { name: /^Back to the file’s value: Days until the content/ }).click();
  await expect.poll(() => platform().retainMs).toBe(30 * DAY_MS);
  await history(page, "how long content is kept from 7 d to what holdpoint.yaml says");

  await page.getByRole("combobox", { name: "Tokens for inline answers" }).selectOption("not allowed");
  await page.getByRole("button", { name: "Save the settings" }).click();
  await expect.poll(() => platform().inlineAnswers).toBe(false);
  await history(page, "inline answers from allowed to not allowed");
  await page.getByRole("button", { name: "Back to the file’s value: Tokens for inline answers" }).click();
  await expect.poll(() => platform().inlineAnswers).toBe(true);
  await on.leave(page);
});

test("an admin sets the business hours; a wrong time zone is refused with what to write, and nothing that was typed is lost", async () => {
  const page = await settings(PHONE);
  const hours = page.getByRole("region", { name: "Business hours" });
  const zone = hours.getByLabel("Time zone");
  await zone.fill("Mars/Olympus");
  await hours.getByLabel("Mon").uncheck();
  await hours.getByLabel("Work begins at").fill("08:30");
  await hours.getByLabel("Holidays").fill("2026-12-25\n2027-01-01");
  await hours.getByRole("button", { name: "Save the hours" }).click();
  await hours.getByText("Mars/Olympus is not an IANA time zone such as Europe/Berlin").waitFor();
  expect(await hours.getByLabel("Work begins at").inputValue()).toBe("08:30");
  await zone.fill("Europe/Berlin");
  await save(page, "Save the hours");
  expect(platform().hours).toEqual({
    ...{ timeZone: "Europe/Berlin", days: ["tue", "wed", "thu", "fri"], opensAt: 510, closesAt: 1020 },
    holidays: ["2026-12-25", "2027-01-01"],
  });
  await history(page, "business hours to Tue, Wed, Thu, Fri, 08:30 to 17:00, Europe/Berlin, 2 holidays");
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  await hours.getByRole("button", { name: "Back to the file’s value" }).click();
  await expect.poll(() => platform().hours).toBeUndefined();
  await expect.poll(() => zone.inputValue()).toBe("UTC");
  await on.leave(page);
});

test("what is typed in one form stays when another is saved, and a value that was saved meanwhile is not replaced", async () => {
  const page = await settings();
  const field = page.locator("input[name=max_open_checks]");
  await field.fill("42");
  await page.locator("input[name=delivery_retention_days]").fill("12");
  await on.call("PATCH", "/v1/settings", { max_open_checks: 7 });
  await save(page, "Save the retention");
  await expect.poll(() => page.getByRole("button", { name: /^Back to the file’s value/ }).count()).toBe(1);
  expect(await field.inputValue()).toBe("42");
  await page.getByRole("button", { name: "Save the settings" }).click();
  const told = page.getByText("somebody has changed this meanwhile. It is saved as max_open_checks: 7.");
  await told.waitFor();
  expect(await field.inputValue()).toBe("42");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Show what is saved" }).click();
  await expect.poll(() => field.inputValue()).toBe("7");
  await field.fill("43");
  await on.call("PATCH", "/v1/settings", { max_open_checks: 8, grant_max: "2d" });
  await page.getByRole("button", { name: "Save the settings" }).click();
  await page.getByText("It is saved as max_open_checks: 8.").waitFor();
  const form = page.getByRole("region", { name: "Settings of the server" });
  await form.getByRole("button", { name: "Save the settings" }).click();
  await form.getByText("Saved.", { exact: true }).waitFor();
  const { changed } = await (await on.call("GET", "/v1/settings")).json();
  expect(changed).toMatchObject({ max_open_checks: 43, grant_max: "2d" });
  await on.call("PATCH", "/v1/settings", { grant_max: null });
  await on.call("PATCH", "/v1/settings", { max_open_checks: null, delivery_retention_days: null });
  await on.leave(page);
});
