/** Verifies the whole log, including OpenIntent's own checks. */

import { TABLE } from "./domains.ts";
import { type Verify, verifyWith } from "./engine/verify.ts";
import { IntentWalk } from "./openintent/reads/verify-intents.ts";

export const verifyLog: Verify = (store, options) =>
  verifyWith(TABLE, (copy, breaks) => new IntentWalk(copy, breaks), store, options);
