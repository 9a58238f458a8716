/** Messages on lines (L1, L2). */

import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { LineTransport } from "./line-transport.ts";
import type { Message } from "./messages.ts";

function pair(keepsText: boolean) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport({ input, output, keepsText });
  const heard: Message[] = [];
  const troubles: Error[] = [];
  let isClosed = false;
  transport.onmessage = (message: Message) => heard.push(message);
  transport.onerror = (error) => troubles.push(error);
  transport.onclose = () => {
    isClosed = true;
  };
  void transport.start();
  const written = async () => {
    await new Promise(setImmediate);
    return String(output.read() ?? "");
  };
  return { input, output, transport, heard, troubles, written, isClosed: () => isClosed };
}

const turn = () => new Promise(setImmediate);
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

test("messages are read however their bytes are cut, also within a character", async () => {
  const { input, heard } = pair(false);
  const bytes = Buffer.from(
    `${PING}\r\n\n{"jsonrpc":"2.0","method":"note","params":{"text":"gr\u00fc\u00df 👍"}}\n`,
  );
  for (const byte of bytes) input.write(Buffer.from([byte]));
  await turn();
  expect(heard).toEqual([
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", method: "note", params: { text: "gr\u00fc\u00df 👍" } },
  ]);
});

test("messages of one moment are written at once, in their order", async () => {
  const { transport, output, written } = pair(false);
  let writes = 0;
  const { write } = output;
  output.write = ((...given: Parameters<typeof write>) => {
    writes += 1;
    return write.apply(output, given);
  }) as typeof write;
  for (let id = 0; id < 3; id += 1) void transport.send({ jsonrpc: "2.0", id, method: "ping" });
  expect((await written()).match(/"id":\d/g)).toEqual(['"id":0', '"id":1', '"id":2']);
  expect(writes).toBe(1);
});

test("what came from the MCP server leaves as it was written, numbers included (L1)", async () => {
  const server = pair(true);
  const client = pair(false);
  const text = '{"jsonrpc":"2.0","id":1,"result":{"big":12345678901234567890,"one":1.0}}';
  server.input.write(`${text}\n`);
  await turn();
  await client.transport.send(server.heard[0] as Message);
  expect(await client.written()).toBe(`${text}\n`);
});

test("a client cannot send text to the server that the rules read otherwise (L1)", async () => {
  const server = pair(true);
  const client = pair(false);
  client.input.write(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wire"},"method":"ping"}\n',
  );
  await turn();
  await server.transport.send(client.heard[0] as Message);
  const text = await server.written();
  expect(text).not.toContain("tools/call");
  expect(JSON.parse(text)).toMatchObject({ method: "ping" });
});

test.each([
  "{",
  "7",
  "null",
  "[]",
  "{}",
  '{"jsonrpc":"1.0","id":1,"method":"a"}',
  '{"jsonrpc":"2.0","id":{},"method":"a"}',
  '{"jsonrpc":"2.0","id":1,"method":7}',
  '{"jsonrpc":"2.0","id":1,"method":"a","params":[]}',
  '{"jsonrpc":"2.0","id":1}',
  '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}',
  '{"jsonrpc":"2.0","result":{}}',
  '{"jsonrpc":"2.0","id":null,"method":"a"}',
])("the line %s is reported and left out (L2)", async (line) => {
  const { input, heard, troubles } = pair(false);
  input.write(`${line}\n${PING}\n`);
  await turn();
  expect(troubles).toHaveLength(1);
  expect(heard).toHaveLength(1);
});

test("a line without end closes the connection (L2)", async () => {
  const { input, troubles, isClosed, transport } = pair(false);
  const part = Buffer.alloc(16 * 1_024 * 1_024, "x");
  for (let n = 0; n < 5; n += 1) input.write(part);
  while (!isClosed()) await turn();
  expect(troubles[0]?.message).toContain("64 MiB");
  await expect(transport.send({ jsonrpc: "2.0", method: "a" })).rejects.toThrow("closed");
});

test("the connection ends with its input", async () => {
  const { input, isClosed } = pair(false);
  input.end();
  while (!isClosed()) await turn();
});
