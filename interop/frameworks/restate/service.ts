/** Serves the recipe and its doorbell, and says where. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNode } from "@holdpoint/adapters/handlers";
import * as restate from "@restatedev/restate-sdk";
import { refunds, ring } from "./refunds.ts";

const ingress = process.env["INGRESS"] ?? "";
let handler: ReturnType<typeof ring> | undefined;
const http = createServer(
  toNode(async (request) => handler?.(request) ?? new Response(null, { status: 503 })),
);
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
const reply = await fetch(`${process.env["HOLDPOINT_URL"]}/v1/webhooks`, {
  method: "POST",
  headers: {
    authorization: `Bearer ${process.env["HOLDPOINT_API_KEY"]}`,
    "content-type": "application/json",
  },
  body: JSON.stringify({ url, events: ["hold.decided", "hold.expired", "hold.cancelled"] }),
});
handler = ring(ingress, ((await reply.json()) as { readonly secret: string }).secret);
process.stdout.write(`service at ${await restate.serve({ services: [refunds], port: 0 })}\n`);
