/** One agent fills the outbox with messages for a host that accepts connections and never answers (attack 2). */

import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { measuringServer } from "../pauses/paused-server.ts";
import type { Found } from "./attacked.ts";

const SUBSCRIPTIONS = 10;
const ENTRIES = 200;
/** The sender works between requests, so that the turns of many are looked at. */
const LOOKS = 20;

async function hungHost() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** `intents`: each brings 2,000 messages. */
export async function fillOutbox(intents: number, pauseMax: number, deadline: number): Promise<Found> {
  await using server = await measuringServer();
  // Gone before the server stops, whose clock nobody moves on to the moment when it gives up waiting.
  using hung = await hungHost();
  const wrong: string[] = [];
  let pauseMs = 0;
  let tried = 0;
  let isFirst = true;
  const headers = { authorization: `Bearer ${server.keys.agent}`, "content-type": "application/json" };
  const noted = (what: string, ms: number) => {
    tried += 1;
    // The first of their kind may have been compiled.
    if (isFirst) return;
    pauseMs = Math.max(pauseMs, ms);
    if (ms > pauseMax) wrong.push(`${what}: ${Math.round(ms)} ms`);
  };
  const send = async (method: string, path: string, body: object) => {
    const sent = { method, path: `/api/v1/${path}`, headers, body: JSON.stringify(body) };
    const { status, text, pauseMs: ms } = await server.measure(sent);
    if (status >= 300) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`);
    noted(`${method} ${path}`, ms);
    return JSON.parse(text) as { readonly id: string };
  };
  const entries = Array.from({ length: ENTRIES }, (_, n) => ({
    ...{ principal_id: `agent-${n}`, principal_type: "agent", permission: "read" },
  }));
  for (let n = 0; n < intents; n += 1) {
    if (performance.now() > deadline) return { tried, wrong, pauseMs, isCut: true };
    const { id } = await send("POST", "intents", { title: "Refund" });
    for (let each = 0; each < SUBSCRIPTIONS; each += 1)
      await send("POST", "subscriptions", { intent_id: id, webhook_url: hung.url });
    await send("PUT", `intents/${id}/acl`, { default_policy: "open", entries });
    isFirst = false;
  }
  const look = { authorization: `Bearer ${server.keys.operator}` };
  for (let each = 0; each < LOOKS; each += 1) {
    for (const path of ["/healthz", "/metrics", "/v1/deliveries?state=queued&limit=100"]) {
      const { status, pauseMs: ms } = await server.measure({ method: "GET", path, headers: look });
      if (status !== 200) wrong.push(`${path}: ${status}`);
      noted(path, ms);
    }
  }
  return { tried, wrong, pauseMs };
}
