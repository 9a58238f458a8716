/** For Hono: `app.use(honoHitl(service))`. */

import type { HitlService } from "./service.ts";

/** As much of Hono's context as is needed, so that Hono need not be installed. */
interface HonoContext {
  readonly req: { readonly raw: Request };
}

/** Hono middleware that serves the addresses of the service and passes every other request on. */
export function honoHitl(service: Pick<HitlService, "handle">) {
  return async (context: HonoContext, next: () => Promise<void>): Promise<Response | undefined> => {
    const response = await service.handle(context.req.raw);
    if (response === undefined) await next();
    return response;
  };
}
