/**
 * Serves the route files the way Next.js would, so that they run here without it: Next itself is not installed. In a project of
 * yours copy `hitl.ts` and `app/`, and leave this file behind.
 *
 *   npm run ts -- examples/hitl-next/main.ts
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sendResponse, toRequest } from "@holdpoint/sdk/hitl/service";

type Route = Readonly<Partial<Record<string, (request: Request) => Promise<Response>>>>;

const server = createServer(async (req, res) => {
  const request = toRequest(req, process.env["BASE_URL"] ?? "");
  const own = new URL(request.url).pathname === "/api/letters";
  const route: Route = own
    ? await import("./app/api/letters/route.ts")
    : await import("./app/[...hitl]/route.ts");
  const handler = route[request.method] ?? (async () => new Response(null, { status: 405 }));
  await sendResponse(await handler(request), res);
});

server.listen(Number(process.env["PORT"] ?? 4202), "127.0.0.1", () => {
  process.env["BASE_URL"] = `http://localhost:${(server.address() as AddressInfo).port}`;
  console.log(`letters are sent at ${process.env["BASE_URL"]}`);
});
