import { expect, test } from "vitest";
import { gathered } from "../store/file-port.ts";
import { memoryFiles } from "../store/memory/memory-files.ts";
import { testServer } from "../testing/test-server.ts";

const FORM = { fields: [{ key: "contract", label: "Contract", type: "x-file-upload" }] };
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

async function serverWithFiles() {
  const files = memoryFiles();
  const test = await testServer({ files });
  const { server, keys } = test;
  const { body: hold } = await test.call("POST", "/v1/holds", {
    key: keys.agent,
    body: { type: "input", prompt: "The contract?", form: FORM },
  });
  const upload = async () => {
    const reply = await server.app.request(`/v1/files?hold_id=${hold.id}&name=contract.pdf`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.operator}` },
      body: "content",
    });
    const { file_id, name, sha256 } = (await reply.json()) as Record<string, string>;
    return { file_id, name, sha256 };
  };
  const answer = (contract?: object) =>
    test.call("POST", `/v1/holds/${hold.id}/answer`, {
      key: keys.operator,
      body: { action: "submit", data: contract === undefined ? {} : { contract } },
    });
  const kept = async () => {
    await server.files.settled();
    return gathered(files.list());
  };
  return { ...{ test, files, hold, upload, answer, kept }, [Symbol.asyncDispose]: () => server.stop() };
}

test("U2 an answer keeps the file it names, and the bytes of the other uploads are removed", async () => {
  await using to = await serverWithFiles();
  const [one, other] = [await to.upload(), await to.upload()];
  expect(await to.kept()).toHaveLength(2);
  await to.answer(one);
  expect(await to.kept()).toEqual([one.file_id]);
  expect(other.file_id).not.toBe(one.file_id);
});

test("U2 erasing a hold removes the bytes of its files", async () => {
  await using to = await serverWithFiles();
  const one = await to.upload();
  await to.answer(one);
  const by = { role: "admin", via: "key", id: "key_root", name: "root" } as const;
  await to.test.server.engine.run({ kind: "erase_hold", workspace: "default", by, holdId: to.hold.id });
  expect(await to.kept()).toEqual([]);
  const reply = await to.test.server.app.request(`/v1/files/${one.file_id}`, {
    headers: { authorization: `Bearer ${to.test.keys.agent}` },
  });
  expect(reply.status).toBe(404);
});

test("U2 the timer removes the bytes of an upload that no answer used for a week", async () => {
  await using to = await serverWithFiles();
  await to.upload();
  await to.test.clock.advance(WEEK_MS - 1);
  expect(await to.kept()).toHaveLength(1);
  await to.test.clock.advance(1);
  await expect.poll(() => to.kept()).toEqual([]);
});

test("U2 the sweep removes bytes that no hold names in two sweeps in a row", async () => {
  await using to = await serverWithFiles();
  const known = await to.upload();
  const one = async function* () {
    yield new Uint8Array(3);
  };
  await to.files.write(`file_00_${to.hold.id}`, one());
  await to.files.write("file_00_hold_gone", one());
  await to.test.server.files.sweep();
  expect(await to.kept()).toHaveLength(3);
  await to.test.server.files.sweep();
  expect(await to.kept()).toEqual([known.file_id]);
});

test("U1 the bytes of an upload are removed when the hold ended during the upload", async () => {
  await using to = await serverWithFiles();
  const pending = Promise.withResolvers<void>();
  const content = new ReadableStream({
    async pull(controller) {
      await pending.promise;
      controller.enqueue(new Uint8Array(3));
      controller.close();
    },
  });
  const reply = to.test.server.app.request(`/v1/files?hold_id=${to.hold.id}&name=late.pdf`, {
    method: "POST",
    headers: { authorization: `Bearer ${to.test.keys.operator}` },
    body: content,
    duplex: "half",
  } as RequestInit);
  await to.answer();
  pending.resolve();
  expect((await reply).status).toBe(409);
  expect(await to.kept()).toEqual([]);
});

test("U2 the room that files take is read without going through every file, also where nothing was uploaded", async () => {
  const files = memoryFiles();
  let lists = 0;
  const counting = {
    ...files,
    list: () => {
      lists += 1;
      return files.list();
    },
  };
  await using test = await testServer({ files: counting });
  await test.server.files.sweep();
  lists = 0;
  for (let n = 0; n < 3; n += 1)
    expect((await test.call("GET", "/v1/overview", { key: test.keys.operator })).body.files.bytes).toBe(0);
  expect(lists).toBe(0);
});
