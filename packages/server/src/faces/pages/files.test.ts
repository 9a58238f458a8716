/** Files on the review page and in the console, as a browser without script sends them. */

import { expect, test } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const FORM = {
  fields: [
    { key: "contract", label: "Contract", type: "x-file-upload", required: true },
    { key: "note", label: "Note", type: "text", required: true },
  ],
};
const SCHEMA = {
  type: "object",
  properties: {
    scan: { type: "object", title: "The scan", "x-file-upload": true },
    note: { type: "string" },
  },
  required: ["scan"],
};
const MIB = 1024 * 1024;

async function place(test: TestServer, more: object) {
  const body = { type: "input", prompt: "The contract?", ...more };
  const { body: hold } = await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
  const { pathname, search } = new URL(hold.review_url);
  return { id: String(hold.id), page: pathname + search, answerPath: `${pathname}/answer${search}` };
}

async function post(test: TestServer, path: string, parts: Readonly<Record<string, string | File>>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(parts)) body.append(name, value);
  const reply = await test.server.app.request(path, { method: "POST", body });
  return { status: reply.status, html: await reply.text() };
}

const outcomeOf = async (test: TestServer, id: string) =>
  (await test.call("GET", `/v1/holds/${id}`, { key: test.keys.agent })).body.outcome;

const file = (name = "contract.pdf", content = "signed") => new File([content], name);
const named = { file_id: expect.stringMatching(/^file_/), name: "contract.pdf", sha256: expect.any(String) };

test("a file field is a file input in a multipart form", async () => {
  await using test = await testServer();
  const { page } = await place(test, { form: FORM });
  const { body: html } = await test.call("GET", page);
  expect(html).toContain("enctype=multipart/form-data");
  expect(html).toMatch(/<input type="file" id="contract" name="contract" required/);
});

test("one form post carries a file and the answer", async () => {
  await using test = await testServer();
  const { id, answerPath } = await place(test, { form: FORM });
  const { status } = await post(test, answerPath, { _action: "submit", note: "here", contract: file() });
  expect(status).toBe(303);
  expect(await outcomeOf(test, id)).toMatchObject({ door: "page", data: { contract: named, note: "here" } });
});

test("an uploaded file is kept when another field is invalid, and can be replaced", async () => {
  await using test = await testServer();
  const { id, answerPath } = await place(test, { form: FORM });
  const first = await post(test, answerPath, { _action: "submit", note: "", contract: file("old.pdf") });
  expect(first.status).toBe(422);
  expect(first.html).toContain("Sent: old.pdf");
  const kept = /name="contract" value="([^"]*)"/.exec(first.html)?.[1]?.replaceAll("&quot;", '"') ?? "";
  const again = { _action: "submit", note: "n", contract: kept };
  expect((await post(test, answerPath, again)).status).toBe(303);
  expect(await outcomeOf(test, id)).toMatchObject({ data: { contract: { name: "old.pdf" } } });
});

test("the page of a settled hold offers the file to people who may read the answer, and hides it from others", async () => {
  await using test = await testServer();
  const { id, page, answerPath } = await place(test, { form: FORM });
  await post(test, answerPath, { _action: "submit", note: "here", contract: file('<b>"a".pdf') });
  const { body: html } = await test.call("GET", page);
  const [, href = "", name] = /<a href="([^"]+)" download>([^<]*)<\/a>/.exec(html) ?? [];
  expect(name).toBe("&lt;b&gt;&quot;a&quot;.pdf");
  const got = await test.server.app.request(href.replaceAll("&amp;", "&"));
  expect([got.status, await got.text()]).toEqual([200, "signed"]);
  expect(got.headers.get("content-disposition")).toMatch(/^attachment/);
  const secret = { fields: [{ ...FORM.fields[0], sensitive: true }] };
  const hidden = await place(test, { form: secret });
  await post(test, hidden.answerPath, { _action: "submit", contract: file() });
  expect(await outcomeOf(test, hidden.id)).toMatchObject({ kind: "decided" });
  expect((await test.call("GET", hidden.page)).body).not.toContain("/v1/files/");
  expect(await outcomeOf(test, id)).toMatchObject({ kind: "decided" });
});

test("a person who is signed in to the console downloads the file with their session", async () => {
  await using test = await testServer();
  const { id, answerPath } = await place(test, { form: FORM });
  await post(test, answerPath, { _action: "submit", note: "here", contract: file() });
  const body = { name: "Ada" };
  const made = await test.call("POST", "/v1/sign-ins", { key: test.keys.admin, body });
  const { pathname, search } = new URL(made.body.url);
  const person = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
  const entered = await test.server.app.request(pathname + search, { headers: person });
  const headers = { cookie: entered.headers.get("set-cookie")?.split(";")[0] ?? "" };
  const page = await (await test.server.app.request(`/console/holds/${id}`, { headers })).text();
  const [, href = ""] = /<a href="([^"]+)" download>contract.pdf<\/a>/.exec(page) ?? [];
  expect(href).toMatch(/^\/v1\/files\/file_\w+$/);
  expect((await test.server.app.request(href, { headers })).status).toBe(200);
  expect((await test.server.app.request(href)).status).toBe(401);
});

test("a file in a JSON Schema has an input beside the JSON text", async () => {
  await using test = await testServer();
  const { id, page, answerPath } = await place(test, { response_schema: SCHEMA });
  expect((await test.call("GET", page)).body).toContain('name="_file/scan"');
  const sent = { _action: "submit", data: '{"note":"n"}', "_file/scan": file("C:\\docs\\contract.pdf") };
  expect((await post(test, answerPath, sent)).status).toBe(303);
  expect(await outcomeOf(test, id)).toMatchObject({ data: { note: "n", scan: named } });
});

test("a file that is too large is reported on the page, and nothing is answered", async () => {
  await using test = await testServer();
  const { id, answerPath } = await place(test, { form: FORM });
  const [just, far] = [10 * MIB + 1, 12 * MIB].map((size) => new File([new Uint8Array(size)], "big.bin"));
  const beside = await post(test, answerPath, { _action: "submit", note: "n", contract: just as File });
  expect(beside).toMatchObject({ status: 422, html: expect.stringContaining("must be at most 10 MiB") });
  const much = await post(test, answerPath, { _action: "submit", note: "n", contract: far as File });
  expect(much).toMatchObject({ status: 413, html: expect.stringContaining("too large") });
  expect(await outcomeOf(test, id)).toBeUndefined();
});

test("an empty file input, a broken multipart body and an unexpected file are refused", async () => {
  await using test = await testServer();
  const { answerPath } = await place(test, { form: FORM });
  const none = await post(test, answerPath, { _action: "submit", note: "n", contract: new File([], "") });
  expect(none).toMatchObject({ status: 422, html: expect.stringContaining("must be answered") });
  const broken = await test.server.app.request(answerPath, {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: "--x\r\nnonsense",
  });
  expect(broken.status).toBe(400);
  const plain = await place(test, { form: { fields: [{ key: "a", label: "A", type: "text" }] } });
  const stray = await post(test, plain.answerPath, { _action: "submit", a: "x", b: file() });
  expect(stray).toMatchObject({ status: 422 });
});
