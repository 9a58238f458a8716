/** Pages for people: review by link, and the operator's console. */

import type { Hono } from "hono";
import { mountConsole } from "./console.ts";
import type { PageDeps } from "./deps.ts";
import { PLAIN_CSS } from "./plain/style.ts";
import { mountReview } from "./review.ts";

export function mountPages(app: Hono, deps: PageDeps): void {
  mountReview(app, deps);
  mountConsole(app, deps);
  app.get("/", (c) => c.redirect("/console", 302));
  app.get("/assets/web/:file", (c) => {
    const path = c.req.param("file");
    return deps.asset?.(path, c.req.header("accept-encoding") ?? "") ?? c.notFound();
  });
  app.get("/assets/plain.css", (c) =>
    c.body(PLAIN_CSS, 200, {
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=300",
      "x-content-type-options": "nosniff",
    }),
  );
}

export type { PageDeps } from "./deps.ts";
export { plainRenderer } from "./plain/index.ts";
export type { Renderer } from "./render.ts";
export { SCRIPTED_HEADERS } from "./render.ts";
