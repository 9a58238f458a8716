/** The HITL Protocol's face: every hold is a case, whichever door it was placed through. */

import { everyAddressOf, hitlSet } from "@holdpoint/protocol/hitl";
import { Limiter } from "../../identity/limiter.ts";
import type { Face } from "../http/face.ts";
import { isBrowserForm } from "../http/form-text.ts";
import { mountRoutes, type Special } from "../http/mount.ts";
import type { HitlParts } from "./deps.ts";
import { doors } from "./doors.ts";
import { hitlDialect } from "./errors.ts";
import { operations } from "./operations.ts";
import { readFormBody } from "./routes/answer.ts";
import { routes } from "./routes/index.ts";
import { POLLS_PER_MINUTE } from "./routes/poll.ts";

export function hitlFace(parts: HitlParts): Face {
  const { clock, store } = parts.engine;
  const polls = new Limiter(clock, { budget: POLLS_PER_MINUTE, windowMs: 60_000 }, { store, of: "poll" });
  return {
    set: hitlSet,
    dialect: hitlDialect,
    paths: [
      "/hitl",
      "/reviews",
      "/review",
      "/v1/reviews",
      "/api/reviews",
      "/.well-known/hitl.json",
      "/.well-known/jwks.json",
    ],
    mount(app, options) {
      const onPage = parts.answerOnPage?.(options);
      const instead: NonNullable<Special["instead"]> = (c) => (isBrowserForm(c) ? onPage?.(c) : undefined);
      const special = { respondCase: { readBody: readFormBody, instead } };
      const more = { doors, special, addressesOf: everyAddressOf };
      mountRoutes(app, operations, routes, { ...parts, polls }, { ...options, ...more });
    },
  };
}

export { caseCallback } from "./callback.ts";
export type { HitlParts } from "./deps.ts";
export { HITL_CALLBACKS } from "./routes/create.ts";
export { resultSigning, type SignResult } from "./signature.ts";
export type { Verifiers } from "./verifiers.ts";
