/** For Next.js: a catch-all route file that exports these. */

import type { HitlService } from "./service.ts";

type Handler = (request: Request) => Promise<Response>;

/** Route handlers for a catch-all route of Next.js. */
export function nextHitl(
  service: Pick<HitlService, "handle">,
): Readonly<Record<"GET" | "HEAD" | "POST" | "PUT", Handler>> {
  const handler: Handler = async (request) =>
    (await service.handle(request)) ?? new Response(null, { status: 404 });
  return { GET: handler, HEAD: handler, POST: handler, PUT: handler };
}
