import { moved } from "./moved.ts";

/** Throws: everything of this entry is in `@holdpoint/hitl/service` now. The names are still listed, because an import of a missing name fails before this sentence could be read. */
export const { caseKey, expressHitl, hitlService, honoHitl, nextHitl, sendResponse, toRequest } = moved(
  "@holdpoint/sdk/hitl/service",
  "@holdpoint/hitl/service",
);
