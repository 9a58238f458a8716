/** Restate's server, and a service whose handler waits for an awakeable. The bench speaks to the server's own ingress. */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer as createHttp2Server } from "node:http2";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import * as restate from "@restatedev/restate-sdk";
import type { Answer } from "./front.ts";

const refunds = restate.service({
  name: "refunds",
  handlers: {
    refund: async (ctx: restate.Context, { key }: { readonly key: string }) => {
      const answer = ctx.awakeable<Answer>();
      // Who is to answer must learn the awakeable's id.
      await ctx.run("ask", () => void process.send?.({ key, awakeable: answer.id }));
      const { action } = await answer.promise;
      return { status: "decided", action };
    },
  },
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

const binary = createRequire(import.meta.url).resolve(
  `@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
);
const [node, admin, ingress] = [await freePort(), await freePort(), await freePort()];
const at = (port: number) => `127.0.0.1:${port}`;
const server = spawn(binary, ["--base-dir", process.argv[2] ?? "."], {
  env: {
    ...process.env,
    ...{ RESTATE_BIND_ADDRESS: at(node), RESTATE_ADMIN__BIND_ADDRESS: at(admin) },
    ...{ RESTATE_INGRESS__BIND_ADDRESS: at(ingress), RESTATE_DISABLE_TELEMETRY: "true" },
  },
  stdio: "ignore",
});
process.once("exit", () => server.kill("SIGKILL"));
process.once("disconnect", () => process.exit(0));
process.on("message", async () => {
  server.kill("SIGKILL");
  if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  process.send?.({ rss: 0 });
});

const service = createHttp2Server(restate.createEndpointHandler({ services: [refunds] }));
await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
const registration = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ uri: `http://${at((service.address() as AddressInfo).port)}` }),
};
for (let tries = 0; ; tries += 1) {
  const reply = await fetch(`http://${at(admin)}/deployments`, registration).catch(() => undefined);
  if (reply?.ok) break;
  if (tries > 300 || server.exitCode !== null)
    throw new Error(`Restate's server does not register the service: ${await reply?.text()}`);
  await pause(100);
}
const { stdout } = spawnSync(binary, ["--dump-config"], { encoding: "utf8" });
const isSynced = !/rocksdb-disable-wal(-fsync)? = true/.test(stdout);
const durable = `RocksDB, write-ahead log ${isSynced ? "with" : "without"} fsync`;
process.send?.({ url: `http://${at(ingress)}`, key: "none", durable });
