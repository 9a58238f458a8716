/** Settings of the server in a real browser: each kind is changed, counts, is on record from what to what, and goes back to the file. */

import { expect, test } from "vitest";
import { history, on, platform, save, settings, site, withSettings } from "./settings.fixture.ts";
import { DESKTOP, PHONE, violations, widthLeft } from "./support.ts";

withSettings();

test("an admin changes a number on a phone; it counts, is on record by name, and an empty field goes back to the file", async () => {
  const page = await settings(PHONE);
  const field = page.getByRole("spinbutton", {
    name: "Open questions that the checks of one agent may have",
  });
  await field.fill("7");
  await save(page, "Save the settings");
  expect(platform().maxOpenChecks).toBe(7);
  await page.getByText("Changed here. holdpoint.yaml: 100.").waitFor();
  await history(
    page,
    "Ada Obi changed the server's settings: open questions of one agent’s checks from 100 to 7.",
  );
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  await field.fill("");
  await page.getByRole("button", { name: "Save the settings" }).click();
  await expect.poll(() => platform().maxOpenChecks).toBe(100);
  await on.leave(page);
});

test("an admin changes the patterns that are removed from notifications only with a fresh sign-in; a pattern that RE2 cannot read is named", async () => {
  const page = await settings();
  const patterns = page.getByRole("textbox", { name: "Patterns", exact: true });
  expect(await patterns.inputValue()).toBe("\\d{16}");
  await patterns.fill("\\d{16}\n(?=a)b");
  await page.getByRole("button", { name: "Save the patterns" }).click();
  await page.getByText('the pattern "(?=a)b" is not an RE2 pattern', { exact: false }).waitFor();
  await site.server.clock.advance(10 * 60_000 + 1);
  await patterns.fill("");
  await page.getByRole("button", { name: "Save the patterns" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again to go on" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("this needs a sign-in within the last 10 minutes").waitFor();
  expect(platform().redact).toEqual(["\\d{16}"]);
  await on.signIn(page, { path: "/console/settings" });
  await patterns.fill("");
  await save(page, "Save the patterns");
  expect(platform().redact).toEqual([]);
  await history(page, "redaction from “\\d{16}” to nothing");
  await page.getByRole("button", { name: "Back to the file’s value: Patterns" }).click();
  await expect.poll(() => platform().redact).toEqual(["\\d{16}"]);
  await on.leave(page);
});

test("the overview says how much room uploaded files take, warns before it is full, and leads an admin to the setting", async () => {
  const fields = [{ key: "contract", label: "Contract", type: "x-file-upload" }];
  const { keys } = site.server;
  const body = { type: "input", prompt: "The contract, please.", form: { fields } };
  const { body: hold } = await site.server.call("POST", "/v1/holds", { key: keys.agent, body });
  const sent = await fetch(`${site.url}/v1/files?hold_id=${hold.id}&name=contract.pdf`, {
    ...{ method: "POST", body: Buffer.alloc(950_000) },
    headers: { authorization: `Bearer ${keys.operator}`, "content-type": "application/octet-stream" },
  });
  expect(sent.status).toBe(201);
  const page = await on.page(PHONE);
  await on.signIn(page, { path: "/console/overview" });
  const panel = page.locator("#files");
  await panel.getByText("They take 928 kB of 10 GB, less than 1 %.").waitFor();
  expect(await panel.getByText("little room left").count()).toBe(0);
  await panel.getByRole("link", { name: "Change the room in Settings" }).click();
  await page.getByRole("spinbutton", { name: "Megabytes that the uploaded files" }).fill("1");
  await save(page, "Save the settings");
  await page.goto(`${site.url}/console/overview`);
  await panel.getByText("They take 928 kB of 1 MB, 90 %.").waitFor();
  await panel.getByText("uploads that do not fit are refused", { exact: false }).waitFor();
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  await on.signIn(page, { name: "kim", role: "operator", path: "/console/overview" });
  await panel
    .getByText("Admins of the workspace default change the room in Settings.", { exact: false })
    .waitFor();
  expect(await panel.getByRole("link").count()).toBe(0);
  await on.leave(page);
});

test("an operator sees no settings of the server, and the API refuses them", async () => {
  const page = await on.page(DESKTOP);
  await on.signIn(page, { name: "kim", role: "operator", path: "/console/settings" });
  await page.getByRole("heading", { name: "How you work in this browser" }).waitFor();
  await page.getByText("Only admins of the workspace default change them.", { exact: false }).waitFor();
  expect(await page.getByRole("button", { name: "Save the settings" }).count()).toBe(0);
  expect(await page.getByText("Back to the file’s value").count()).toBe(0);
  await on.leave(page);
});
