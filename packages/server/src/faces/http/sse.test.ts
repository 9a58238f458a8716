import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { queryObjects } from "node:v8";
import { createAdaptorServer } from "@hono/node-server";
import { expect, test } from "vitest";
import { ManualClock } from "../../testing/manual-clock.ts";
import { eventStream, type Frame } from "./sse.ts";

const FRAMES = 2_000;

test("G13 an open stream keeps nothing of the frames that it has sent", async () => {
  const sent = Promise.withResolvers<void>();
  async function* frames(signal: AbortSignal): AsyncGenerator<readonly Frame[]> {
    for (let id = 1; id <= FRAMES; id += 1) {
      yield [{ id: String(id), data: {} }];
      // Each frame is a chunk of its own, as on a server whose events come one after another.
      await nextTurn();
    }
    sent.resolve();
    await once(signal, "abort");
  }
  const listening = { clock: new ManualClock(), isWelcome: async () => true };
  const server = createAdaptorServer({ fetch: () => eventStream(frames, listening) });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const before = queryObjects(Promise, { format: "count" }) as number;
  const request = get({ host: "127.0.0.1", port });
  const [reply] = (await once(request, "response")) as [IncomingMessage];
  let bytes = 0;
  reply.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await sent.promise;
  expect(bytes).toBeGreaterThan(FRAMES * 10);
  expect((queryObjects(Promise, { format: "count" }) as number) - before).toBeLessThan(FRAMES / 10);
  request.destroy();
  server.close();
  await once(server, "close");
});
