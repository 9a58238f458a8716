/** The HITL Protocol's face: every hold is a case, whichever door it was placed through. */

import { hitlSet } from "@holdpoint/protocol/hitl";
import type { Face } from "../http/face.ts";
import { mountAnswer } from "./answer.ts";
import { mountCancel } from "./cancel.ts";
import { mountCreate } from "./create.ts";
import type { HitlDeps } from "./deps.ts";
import { mountDiscovery } from "./discovery.ts";
import { hitlDialect } from "./errors.ts";
import { mountPoll } from "./poll.ts";
import { mountPrefill } from "./prefill.ts";
import { mountSession } from "./session.ts";
import { mountStream } from "./stream.ts";

export function hitlFace(deps: HitlDeps): Face {
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
      mountCreate(app, deps, options);
      mountPoll(app, deps, options);
      mountStream(app, deps, options);
      mountAnswer(app, deps, options);
      mountCancel(app, deps, options);
      mountSession(app, deps, options);
      mountPrefill(app, deps, options);
      mountDiscovery(app, deps, options);
    },
  };
}

export { caseCallback } from "./callback.ts";
export { HITL_CALLBACKS } from "./create.ts";
export type { HitlDeps } from "./deps.ts";
export { resultSigning, type SignResult } from "./signature.ts";
