/** Serves the agent over AG-UI on port 4200, or on `PORT`, and answers for whoever the app says is signed in. */

import { createAgUiHandler } from "@holdpoint/adapters/ag-ui";
import { Holdpoint } from "@holdpoint/sdk";
import { serve } from "@hono/node-server";
import { refundAgent } from "./agent.ts";

const handler = createAgUiHandler({
  agent: refundAgent,
  holdpoint: new Holdpoint(),
  // A real app reads its own sign-in here; null would let nobody answer.
  identify: (request) => ({ id: request.headers.get("x-user") ?? "ada", name: "Ada" }),
  onError: (error) => console.error(error),
});

const port = Number(process.env["PORT"] ?? 4200);
serve({ fetch: handler, port, hostname: "127.0.0.1" }, (address) => {
  console.log(`The agent listens on http://127.0.0.1:${address.port}/`);
});
