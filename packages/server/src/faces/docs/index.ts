/** Serves the OpenAPI document of all faces, and the reference pages made from it. */

import type { Face } from "../http/face.ts";
import { mountRoutes } from "../http/mount.ts";
import { problemDetails } from "../http/respond.ts";
import { operations } from "./operations.ts";
import { type DocsDeps, documentsOf, routes } from "./routes.ts";

export function docsFace(deps: DocsDeps): Face {
  return {
    dialect: problemDetails,
    paths: [],
    mount: (app, options) => mountRoutes(app, operations, routes, documentsOf(deps), options),
  };
}
