/** Pages for people: review by link, and the operator's console. */

import type { Context } from "hono";
import { NATIVE_LIMITS } from "../http/body.ts";
import type { Face } from "../http/face.ts";
import { type MountOptions, mountRoutes, serve } from "../http/mount.ts";
import type { PageDeps } from "./deps.ts";
import { appDoors, doors } from "./doors.ts";
import { pageDialect } from "./errors.ts";
import { appOperations, operations } from "./operations.ts";
import { readForm, readStrangersForm, STRANGERS_BYTES_MAX } from "./posted-form.ts";
import { appRoutes } from "./routes/console.ts";
import { readDraft } from "./routes/draft.ts";
import { routes } from "./routes/index.ts";

const special = {
  answerForm: { readBody: readForm },
  challengeForm: { readBody: readForm },
  keepDraft: { readBody: readDraft },
  useLink: { readBody: readStrangersForm },
  emailSignIn: { readBody: readStrangersForm },
  oidcLogout: { readBody: readStrangersForm },
  signInByPasskey: { limits: { ...NATIVE_LIMITS, bytesMax: STRANGERS_BYTES_MAX } },
};

export function pagesFace(deps: PageDeps): Face {
  return {
    dialect: pageDialect(deps.renderer),
    paths: [],
    mount(app, { onReply: _undeclared, ...options }) {
      mountRoutes(app, operations, routes, deps, { ...options, doors, special });
      if (deps.renderer.app === undefined) return;
      mountRoutes(app, appOperations, appRoutes, deps, { ...options, doors: appDoors });
    },
  };
}

/** The answer form of the review page, for another address that takes it too. */
export function answerOnPage(deps: PageDeps): (options: MountOptions) => (c: Context) => Promise<Response> {
  return ({ onReply: _undeclared, ...options }) => {
    const dialect = pageDialect(deps.renderer);
    return serve("answerForm", operations, routes, deps, { ...options, dialect, doors, special });
  };
}

export type { PageDeps } from "./deps.ts";
export { plainRenderer } from "./plain/index.ts";
export type { Renderer } from "./render.ts";
export { SCRIPTED_HEADERS } from "./render.ts";
