import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { NO_PLATFORM } from "../../kernel/platform.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const FORM = { fields: [{ key: "contract", label: "Contract", type: "x-file-upload", required: true }] };
const PDF = Buffer.from("%PDF-1.7 a contract");
const sha256 = createHash("sha256").update(PDF).digest("hex");
const MIB = 1024 * 1024;

type Form = typeof FORM | { readonly fields: readonly object[] };

async function place(test: TestServer, form: Form = FORM, key = test.keys.agent) {
  const body = { type: "input", prompt: "The contract?", form };
  const { body: hold } = await test.call("POST", "/v1/holds", { key, body });
  return {
    id: String(hold.id),
    token: new URL(hold.review_url ?? "http://x?token=").searchParams.get("token") ?? "",
  };
}

interface Sent {
  readonly key?: string;
  readonly token?: string;
  readonly name?: string;
  readonly body?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  readonly more?: Readonly<Record<string, string>>;
}

async function upload({ server }: TestServer, holdId: string, sent: Sent) {
  const { key, token, name = "contract.pdf", body = PDF, headers = {}, more = {} } = sent;
  const query = new URLSearchParams({ hold_id: holdId, name, ...more, ...(token && { token }) });
  const auth = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const init = { method: "POST", body, headers: { ...auth, ...headers }, duplex: "half" };
  const reply = await server.app.request(`/v1/files?${query}`, init as RequestInit);
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

function download({ server }: TestServer, fileId: unknown, key?: string, token?: string) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return server.app.request(`/v1/files/${fileId}${token === undefined ? "" : `?token=${token}`}`, {
    headers,
  });
}

const named = ({ file_id, name, sha256: hash }: Record<string, unknown>) => ({ file_id, name, sha256: hash });

test("a file is uploaded by link, named in the answer, and downloaded by the asker", async () => {
  await using test = await testServer();
  const { id, token } = await place(test);
  const { status, body } = await upload(test, id, { token });
  expect(status).toBe(201);
  expect(body).toEqual({
    file_id: expect.stringMatching(/^file_/),
    name: "contract.pdf",
    sha256,
    bytes: PDF.length,
    hold_id: id,
  });
  const answer = { action: "submit", data: { contract: named(body) } };
  const answered = await test.call("POST", `/v1/holds/${id}/answer`, {
    key: test.keys.operator,
    body: answer,
  });
  expect(answered.body.outcome.data).toEqual(answer.data);
  for (const reply of [
    await download(test, body["file_id"], test.keys.agent),
    await download(test, body["file_id"], test.keys.operator),
    await download(test, body["file_id"], undefined, token),
  ]) {
    expect(reply.status).toBe(200);
    expect(Buffer.from(await reply.arrayBuffer()).equals(PDF)).toBe(true);
  }
});

test("a download is always an attachment, whatever type the file claims", async () => {
  await using test = await testServer();
  const { id, token } = await place(test);
  const name = 'é"<script>.html';
  const { body } = await upload(test, id, { token, name, headers: { "content-type": "text/html" } });
  const { headers } = await download(test, body["file_id"], undefined, token);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition":
      "attachment; filename=\"___script_.html\"; filename*=UTF-8''%C3%A9%22%3Cscript%3E.html",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "private, no-store",
  });
});

test("an upload of more than 10 MiB is refused by its announced length, or as soon as it exceeds the limit", async () => {
  await using test = await testServer();
  const { id, token } = await place(test);
  const announced = await upload(test, id, { token, headers: { "content-length": String(10 * MIB + 1) } });
  expect(announced).toMatchObject({ status: 413, body: { code: "too_large" } });
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += MIB;
      controller.enqueue(new Uint8Array(MIB));
    },
  });
  expect(await upload(test, id, { token, body: endless })).toMatchObject({
    status: 413,
    body: { code: "too_large" },
  });
  expect(sent).toBeLessThanOrEqual(13 * MIB);
  expect(await upload(test, id, { token, body: new Uint8Array(10 * MIB) })).toMatchObject({
    status: 201,
    body: { bytes: 10 * MIB },
  });
});

test("G7 the asker, read-only roles, strangers and wrong links cannot upload", async () => {
  await using test = await testServer();
  const { id, token } = await place(test);
  const other = await place(test);
  const { agent, auditor, otherAgent, elsewhere, app } = test.keys;
  expect(await upload(test, id, { key: agent })).toMatchObject({
    status: 403,
    body: { code: "not_allowed" },
  });
  expect(await upload(test, id, { key: auditor })).toMatchObject({ status: 403 });
  for (const key of [otherAgent, elsewhere, app])
    expect(await upload(test, id, { key })).toMatchObject({ status: 404 });
  expect(await upload(test, id, { token: other.token })).toMatchObject({ status: 401 });
  expect(await upload(test, id, {})).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  const { body } = await upload(test, id, { token });
  for (const key of [agent, otherAgent, elsewhere]) {
    expect((await download(test, body["file_id"], key)).status).toBe(404);
  }
  expect((await download(test, body["file_id"], undefined, other.token)).status).toBe(401);
  expect((await download(test, body["file_id"])).status).toBe(401);
  expect((await download(test, "file_x", test.keys.operator)).status).toBe(404);
});

test("an app can upload for a named user of its own", async () => {
  await using test = await testServer();
  const { app } = test.keys;
  const { id } = await place(test, FORM, app);
  expect(await upload(test, id, { key: app })).toMatchObject({ status: 403 });
  expect(await upload(test, id, { key: app, more: { claimed_name: "Ada" } })).toMatchObject({ status: 201 });
});

test("an answer can only name unchanged files that were uploaded to its own hold", async () => {
  await using test = await testServer();
  const { id, token } = await place(test);
  const other = await place(test);
  const { body: mine } = await upload(test, id, { token });
  const { body: theirs } = await upload(test, other.id, { token: other.token });
  const answer = (contract: object) =>
    test.call("POST", `/v1/holds/${id}/answer`, {
      key: test.keys.operator,
      body: { action: "submit", data: { contract } },
    });
  for (const wrong of [
    named(theirs),
    { ...named(mine), sha256: "0".repeat(64) },
    { ...named(mine), name: "x" },
  ]) {
    expect((await answer(wrong)).body).toMatchObject({
      code: "invalid_answer",
      fields: [{ key: "contract", rule: "file" }],
    });
  }
  expect((await answer(named(mine))).status).toBe(200);
  expect(await upload(test, id, { token })).toMatchObject({ status: 409, body: { code: "already_settled" } });
});

test("a hold that asks for no file accepts none, and a hold accepts at most twenty", async () => {
  await using test = await testServer();
  const plain = await place(test, { fields: [{ key: "a", label: "A", type: "text" }] });
  expect(await upload(test, plain.id, { token: plain.token })).toMatchObject({
    status: 409,
    body: { code: "no_file_wanted" },
  });
  const { id, token } = await place(test);
  for (let each = 0; each < 20; each += 1)
    expect(await upload(test, id, { token })).toMatchObject({ status: 201 });
  expect(await upload(test, id, { token })).toMatchObject({ status: 409, body: { code: "too_many_files" } });
});

test("attack 12: the files of a workspace have a limit, which the overview and the metrics show", async () => {
  const fileBytesMax = 2 * PDF.length;
  await using test = await testServer({ platform: { ...NO_PLATFORM, fileBytesMax } });
  const { operator } = test.keys;
  const { id } = await place(test);
  const first = await upload(test, id, { key: operator });
  expect(await upload(test, id, { key: operator })).toMatchObject({ status: 201 });
  const other = await place(test);
  expect(await upload(test, other.id, { key: operator })).toMatchObject({
    status: 409,
    body: { code: "file_quota_reached", detail: expect.stringContaining("file_quota_mb") },
  });
  const files = async () => (await test.call("GET", "/v1/overview", { key: operator })).body.files;
  expect(await files()).toEqual({ bytes: 2 * PDF.length, bytes_max: fileBytesMax });
  const metrics = await test.call("GET", "/metrics", { key: operator });
  expect(metrics.body).toContain(`holdpoint_file_bytes{workspace="default"} ${2 * PDF.length}`);
  const body = { action: "submit", data: { contract: named(first.body) } };
  await test.call("POST", `/v1/holds/${id}/answer`, { key: operator, body });
  expect(await files()).toMatchObject({ bytes: PDF.length });
  expect(await upload(test, other.id, { key: operator })).toMatchObject({ status: 201 });
});

test.each(["../etc/passwd", "a\\b", "", "x".repeat(201), "line\nbreak"])(
  "%j is refused as a file name",
  async (name) => {
    await using test = await testServer();
    const { id, token } = await place(test);
    expect(await upload(test, id, { token, name })).toMatchObject({
      status: 400,
      body: { code: "invalid_query" },
    });
  },
);
