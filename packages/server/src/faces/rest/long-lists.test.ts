import { expect, test } from "vitest";
import { testServer } from "../../testing/test-server.ts";

test("G13: a list that is the whole reply is sent in pieces too", async () => {
  await using server = await testServer();
  const call = (method: string, path: string, body?: object) =>
    server.call(method, `/api/v1/${path}`, { key: server.keys.dev, ...(body && { body }) });
  const { id } = (await call("POST", "intents", { title: "Long" })).body;
  for (let count = 0; count < 5; count += 1) {
    const task = { name: `task ${count}`, input: { text: "x".repeat(600_000) } };
    expect((await call("POST", `intents/${id}/tasks`, task)).status).toBe(200);
  }
  const headers = { authorization: `Bearer ${server.keys.dev}` };
  const reply = await server.server.app.fetch(
    new Request(`http://localhost/api/v1/intents/${id}/tasks`, { headers }),
  );
  const pieces: Uint8Array[] = [];
  for await (const piece of reply.body ?? []) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(4);
  const tasks: readonly { readonly name: string }[] = JSON.parse(Buffer.concat(pieces).toString());
  expect(tasks.map(({ name }) => name).toSorted()).toEqual([0, 1, 2, 3, 4].map((at) => `task ${at}`));
});

test("G13: a list of more than 2 MiB is sent in pieces, and is the same JSON as a short one", async () => {
  await using server = await testServer();
  const { agent, operator } = server.keys;
  const text = 'ä"\\'.repeat(20_000);
  for (let count = 0; count < 51; count += 1) {
    const ask = { type: "approval", prompt: `Hold ${count}?`, context: { text } };
    expect((await server.call("POST", "/v1/holds", { key: agent, body: ask })).status).toBe(201);
  }
  const list = async (query: string) => {
    const headers = { authorization: `Bearer ${operator}` };
    const reply = await server.server.app.fetch(
      new Request(`http://localhost/v1/holds${query}`, { headers }),
    );
    const pieces: Uint8Array[] = [];
    for await (const piece of reply.body ?? []) pieces.push(piece);
    return {
      pieces,
      type: reply.headers.get("content-type"),
      body: JSON.parse(Buffer.concat(pieces).toString()),
    };
  };
  const all = await list("");
  expect(all.type).toBe("application/json");
  // About half a MiB each: a turn for each of a thousand short items would take too many of them.
  expect(all.pieces.length).toBe(9);
  expect(all.body.holds).toHaveLength(50);
  expect(Object.keys(all.body)).toEqual(["holds", "next_cursor"]);
  const rest = await list(`?cursor=${encodeURIComponent(all.body.next_cursor)}`);
  expect(rest.pieces).toHaveLength(1);
  const prompts = [...all.body.holds, ...rest.body.holds].map(({ prompt }) => prompt);
  expect(new Set(prompts).size).toBe(51);
  expect(
    all.body.holds.every(
      ({ context }: { context: object }) => JSON.stringify(context) === JSON.stringify({ text }),
    ),
  ).toBe(true);
});
