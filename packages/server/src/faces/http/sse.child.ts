/**
 * Streams the given number of frames to a client of its own and prints how many promises are kept afterwards. It counts them in a
 * process of its own, because counting walks the whole heap.
 */

import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { queryObjects } from "node:v8";
import { createAdaptorServer } from "@hono/node-server";
import { ManualClock } from "../../testing/manual-clock.ts";
import { eventStream, type Frame } from "./sse.ts";

const count = Number(process.argv[2]);
const sent = Promise.withResolvers<void>();

async function* frames(signal: AbortSignal): AsyncGenerator<readonly Frame[]> {
  for (let id = 1; id <= count; id += 1) {
    yield [{ id: String(id), data: {} }];
    // Each frame is a chunk of its own, as on a server whose events come one after another.
    await nextTurn();
  }
  sent.resolve();
  await once(signal, "abort");
}

const promises = () => queryObjects(Promise, { format: "count" }) as number;
const listening = { clock: new ManualClock(), isWelcome: async () => true };
const server = createAdaptorServer({ fetch: () => eventStream(frames, listening) });
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
const before = promises();
const request = get({ host: "127.0.0.1", port });
const [reply] = (await once(request, "response")) as [IncomingMessage];
let bytes = 0;
reply.on("data", (chunk: Buffer) => {
  bytes += chunk.length;
});
await sent.promise;
process.stdout.write(`${JSON.stringify({ bytes, kept: promises() - before })}\n`);
request.destroy();
server.close();
