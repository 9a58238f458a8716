import { moved } from "./moved.ts";

/** Throws: everything of this entry is in `@holdpoint/hitl/agent` now. The names are still listed, because an import of a missing name fails before this sentence could be read. */
export const {
  HitlError,
  accessWith,
  byBrowser,
  byButtons,
  byMessage,
  byTerminal,
  callbackInbox,
  caseBook,
  detectReview,
  followChain,
  formSummary,
  hitlAgent,
  humanAction,
  improve,
  isHitlError,
  readCallback,
  readReview,
  reviewMessage,
  submitInline,
  suggestionsOf,
  verifyCallback,
  waitForDecision,
} = moved("@holdpoint/sdk/hitl/agent", "@holdpoint/hitl/agent");
