/**
 * Serves the route files the way Next.js would, so that they run here without it: Next itself is not installed. In a project of
 * yours copy `hitl.ts` and `app/`, and leave this file behind.
 *
 *   npm run ts -- examples/hitl-next/main.ts
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sendResponse, toRequest } from "@holdpoint/hitl/service";

interface Segments {
  readonly params: Promise<{ readonly batch: string }>;
}
type Route = Readonly<Partial<Record<string, (request: Request, segments: Segments) => Promise<Response>>>>;

const server = createServer(async (req, res) => {
  const request = toRequest(req, process.env["BASE_URL"] ?? "");
  const { pathname } = new URL(request.url);
  const batch = /^\/api\/letters\/([^/]+)\/send$/.exec(pathname)?.[1];
  const route = await routeAt(pathname, batch);
  const handler = route[request.method] ?? (async () => new Response(null, { status: 405 }));
  await sendResponse(await handler(request, { params: Promise.resolve({ batch: batch ?? "" }) }), res);
});

function routeAt(pathname: string, batch: string | undefined): Promise<Route> {
  if (pathname === "/api/letters") return import("./app/api/letters/route.ts");
  if (batch !== undefined) return import("./app/api/letters/[batch]/send/route.ts");
  return import("./app/[...hitl]/route.ts");
}

server.listen(Number(process.env["PORT"] ?? 4202), "127.0.0.1", () => {
  process.env["BASE_URL"] = `http://localhost:${(server.address() as AddressInfo).port}`;
  console.log(`letters are sent at ${process.env["BASE_URL"]}`);
});
