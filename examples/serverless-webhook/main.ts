/** Serves the handlers on this machine, registers the webhook, and asks for one refund. A platform does the first of these for you. */

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { handlers } from "./function.ts";

const server = createServer();
await new Promise<void>((resolve) =>
  server.listen(Number(process.env["PORT"] ?? 4203), "127.0.0.1", resolve),
);
const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const { ask, webhook } = handlers({
  webhookSecret: await register(`${here}/webhook`),
  pay(order) {
    console.log(`paid: order ${order}`);
    return `receipt-${order}`;
  },
});

server.on("request", async (incoming, reply) => {
  const { pathname } = new URL(incoming.url ?? "/", here);
  const request = new Request(`${here}${pathname}`, {
    method: incoming.method ?? "POST",
    headers: incoming.headers as Record<string, string>,
    body: await text(incoming),
  });
  const response = await (pathname === "/webhook" ? webhook : ask)(request);
  reply.writeHead(response.status, Object.fromEntries(response.headers));
  reply.end(await response.text());
});

const order = process.argv[2] ?? "1042";
const asked = await fetch(`${here}/refunds`, { method: "POST", body: JSON.stringify({ order }) });
console.log(`asked, and nothing waits: ${JSON.stringify(await asked.json())}`);

/** In production an administrator does this once and puts the secret into the function's environment. */
async function register(url: string): Promise<string> {
  const { HOLDPOINT_URL: holdpoint, HOLDPOINT_API_KEY: key } =
    process.env["HOLDPOINT_URL"] === undefined ? localServer() : process.env;
  const reply = await fetch(`${holdpoint}/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url, events: ["hold.decided"], description: "serverless-webhook example" }),
  });
  if (!reply.ok) throw new Error(`the webhook was not registered: ${await reply.text()}`);
  return ((await reply.json()) as { readonly secret: string }).secret;
}

/** What `npx holdpoint start` leaves in this folder. */
function localServer(): Readonly<Record<string, string>> {
  try {
    const { url, api_key } = JSON.parse(readFileSync(".holdpoint/credentials.json", "utf8"));
    return { HOLDPOINT_URL: url, HOLDPOINT_API_KEY: api_key };
  } catch {
    return {};
  }
}
