/**
 * What the server knows of a face: its operations as data, its dialect for errors, and how to mount it. To add a face, give
 * `server.ts` a `Face`; its operations then appear in `/openapi.json` and `/docs`, and in every test that reads them.
 */

import type { OperationSet } from "@holdpoint/protocol";
import type { Hono } from "hono";
import { fail, HttpFailure } from "./failure.ts";
import type { MountOptions } from "./mount.ts";
import { type Dialect, problemDetails, replyDefaults, send } from "./respond.ts";

export interface Face {
  /** The operations in `/openapi.json`; absent: the face serves pages, which are not part of the API. */
  readonly set?: OperationSet;
  readonly dialect: Dialect;
  /** Requests under these paths that no operation serves are refused in this face's dialect. */
  readonly paths: readonly string[];
  /** A better answer than `not_found` for a path under those that no operation serves. */
  whyUnserved?(path: string): HttpFailure | undefined;
  /** `options` already have the face's dialect. */
  mount(app: Hono, options: MountOptions): void;
}

export function mountFaces(app: Hono, faces: readonly Face[], options: MountOptions): void {
  const defaults = replyDefaults(options.headers);
  for (const face of faces) face.mount(app, { ...options, dialect: face.dialect });
  const refuse = (path: string, failure: HttpFailure) => {
    const reply = dialectFor(path, faces)(failure) ?? problemDetails(failure);
    return send(reply, defaults);
  };
  app.notFound((c) => refuse(c.req.path, why(c.req.method, c.req.path)));
  const why = (method: string, path: string) => {
    const failure = unserved(app, method, path);
    if (failure.failure.code !== "not_found") return failure;
    return faces.map((face) => face.whyUnserved?.(path)).find((known) => known !== undefined) ?? failure;
  };
  app.onError((error, c) => {
    if (error instanceof HttpFailure) return refuse(c.req.path, error);
    options.onFault?.(error, "http");
    return refuse(c.req.path, fail("internal"));
  });
}

/** The dialect of the face with the longest matching path, because one face may be mounted below another. */
function dialectFor(path: string, faces: readonly Face[]): Dialect {
  const isUnder = (root: string) => path === root || path.startsWith(`${root}/`);
  const fitting = faces.flatMap(({ paths, dialect }) =>
    paths.filter(isUnder).map((root) => ({ root, dialect })),
  );
  return fitting.toSorted((one, other) => other.root.length - one.root.length)[0]?.dialect ?? problemDetails;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** `not_found`, or `method_not_allowed` when the path is served for other methods only. */
function unserved(app: Hono, asked: string, path: string): HttpFailure {
  const taken = METHODS.filter((method) => {
    const [handlers] = app.router.match(method, path);
    return handlers.some(([[, route]]) => route.method === method);
  });
  const isServed = taken.some((method) => method === asked || (method === "GET" && asked === "HEAD"));
  if (taken.length === 0 || isServed) return fail("not_found", "nothing is served here");
  const allow = taken.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  return fail("method_not_allowed", `this address takes ${allow}`, {}, { allow });
}
