/** Files on the review page: with script each by itself, without script with the form. */

import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stage } from "./shared.ts";
import { DESKTOP, type Stage, violations } from "./support.ts";

let on: Stage;
beforeAll(async () => {
  on = await stage();
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

const content = Buffer.from("%PDF-1.7 signed");
const sha256 = createHash("sha256").update(content).digest("hex");
const file = { name: "contract.pdf", mimeType: "application/pdf", buffer: content };
const FORM = {
  type: "input",
  prompt: "The signed contract, please.",
  form: {
    fields: [
      { key: "contract", label: "Contract", type: "x-file-upload", required: true },
      { key: "note", label: "Note", type: "text" },
    ],
  },
};
const SCHEMA = {
  type: "input",
  prompt: "The signed contract, please.",
  response_schema: {
    type: "object",
    properties: { scan: { type: "object", title: "Scan", "x-file-upload": true }, note: { type: "string" } },
    required: ["scan"],
  },
};

async function contentOf(fileId: string): Promise<Buffer> {
  return Buffer.from(await (await on.call("GET", `/v1/files/${fileId}`)).arrayBuffer());
}

test("with script a file is uploaded as soon as it is chosen, and named in the answer", async () => {
  const hold = await on.place(FORM);
  const page = await on.open(hold, DESKTOP);
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Must be answered.").waitFor();
  await page.getByLabel("Contract").setInputFiles(file);
  await page.getByText("Sent: contract.pdf").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel("Note").fill("as agreed");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  const { outcome } = await on.read(hold.id);
  expect(outcome.data).toEqual({
    contract: { file_id: expect.any(String), name: "contract.pdf", sha256 },
    note: "as agreed",
  });
  expect((await contentOf(outcome.data.contract.file_id)).equals(content)).toBe(true);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "contract.pdf" }).click(),
  ]);
  expect((await buffer(await download.createReadStream())).equals(content)).toBe(true);
  expect(await violations(page)).toEqual([]);
  await on.leave(page);
});

test("a file that is too large is refused before it is uploaded, and a storage error is shown", async () => {
  const hold = await on.place(FORM);
  const page = await on.open(hold, DESKTOP);
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-files-"));
  const large = join(folder, "large.bin");
  await writeFile(large, Buffer.alloc(10 * 1024 * 1024 + 1));
  await page.getByLabel("Contract").setInputFiles(large);
  await page.getByText("This file is larger than 10 MiB.").waitFor();
  await rm(folder, { recursive: true });
  await page.route("**/v1/files?*", (route) => route.abort());
  await page.getByLabel("Contract").setInputFiles(file);
  await page.getByText("There is no connection. Choose the file again.").waitFor();
  await on.leave(page);
});

test("of two files chosen one after the other the answer names the second, whichever upload ends last", async () => {
  const hold = await on.place(FORM);
  const page = await on.open(hold, DESKTOP);
  const { promise: late, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: isSending, resolve: onSending } = Promise.withResolvers<void>();
  let sent = 0;
  await page.route("**/v1/files?*", async (route) => {
    sent += 1;
    onSending();
    if (sent === 1) await late;
    await route.continue();
  });
  await page.getByLabel("Contract").setInputFiles({ ...file, name: "wrong.pdf", buffer: Buffer.from("no") });
  await page.getByText("Sending wrong.pdf").waitFor();
  // The script that sends a file is loaded with the first one.
  await isSending;
  await page.getByLabel("Contract").setInputFiles(file);
  await page.getByText("Sent: contract.pdf").waitFor();
  const first = page.waitForResponse((reply) => reply.url().includes("/v1/files?"));
  arrive();
  await (await first).finished();
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect((await on.read(hold.id)).outcome.data.contract).toMatchObject({ name: "contract.pdf", sha256 });
  await on.leave(page);
});

test("a schema that asks for a file shows the same input", async () => {
  const hold = await on.place(SCHEMA);
  const page = await on.open(hold, DESKTOP);
  await page.getByLabel("Scan").setInputFiles(file);
  await page.getByText("Sent: contract.pdf").waitFor();
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect((await on.read(hold.id)).outcome.data.scan).toMatchObject({ name: "contract.pdf", sha256 });
  await on.leave(page);
});

test.each([
  ["a form", FORM, "Contract", "contract"],
  ["a schema", SCHEMA, "Scan", "scan"],
])("without script the file is sent with the form: %s", async (_, ask, label, key) => {
  const hold = await on.place(ask);
  const page = await on.open(hold, { ...DESKTOP, javaScriptEnabled: false });
  await page.getByLabel(label).setInputFiles(file);
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  const { outcome } = await on.read(hold.id);
  expect(outcome.data[key]).toMatchObject({ name: "contract.pdf", sha256 });
  expect((await contentOf(outcome.data[key].file_id)).equals(content)).toBe(true);
  await on.leave(page);
});

test("no page above had an error or a policy violation", () => {
  expect(on.trouble).toEqual([]);
});
