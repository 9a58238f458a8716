/**
 * What a face is to the server: operations as data, words for what goes wrong, and how to mount it. Whoever adds one gives
 * `server.ts` a `Face`; its operations are then in `/openapi.json` and `/docs`, and in every test that reads them.
 */

import type { OperationSet } from "@holdpoint/protocol";
import type { Hono } from "hono";
import { type MountOptions, send } from "./mount.ts";
import { type Dialect, HttpTrouble, problemDetails, type Trouble } from "./respond.ts";

export interface Face {
  readonly set: OperationSet;
  readonly dialect: Dialect;
  /** What nobody serves under these paths is refused in this face's words. */
  readonly paths: readonly string[];
  /** `options` already speak the face's dialect. */
  mount(app: Hono, options: MountOptions): void;
}

export function mountFaces(app: Hono, faces: readonly Face[], options: MountOptions): void {
  for (const face of faces) face.mount(app, { ...options, dialect: face.dialect });
  app.notFound((c) => send(dialectFor(c.req.path, faces)(unserved(app, c.req.method, c.req.path))));
  app.onError((error, c) => {
    if (error instanceof HttpTrouble) return send(dialectFor(c.req.path, faces)(error.trouble));
    options.onFault?.(error, "http");
    return send(dialectFor(c.req.path, faces)({ code: "internal" }));
  });
}

/** The longest path that fits: one face may live under another's. */
function dialectFor(path: string, faces: readonly Face[]): Dialect {
  const isUnder = (root: string) => path === root || path.startsWith(`${root}/`);
  const fitting = faces.flatMap(({ paths, dialect }) =>
    paths.filter(isUnder).map((root) => ({ root, dialect })),
  );
  return fitting.toSorted((one, other) => other.root.length - one.root.length)[0]?.dialect ?? problemDetails;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Nothing there, or something there for other methods; who serves this one has looked and found nothing. */
function unserved(app: Hono, asked: string, path: string): Trouble {
  const taken = METHODS.filter((method) => {
    const [handlers] = app.router.match(method, path);
    return handlers.some(([[, route]]) => route.method === method);
  });
  const isServed = taken.some((method) => method === asked || (method === "GET" && asked === "HEAD"));
  if (taken.length === 0 || isServed) return { code: "not_found", detail: "nothing is served here" };
  const allow = taken.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  return { code: "method_not_allowed", detail: `this address takes ${allow}`, allow };
}
