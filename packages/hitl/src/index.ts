/**
 * @module
 * The HITL Protocol from both sides: for agents that call services which may ask for a person, for bringing reviews into
 * messengers, and for services that add reviews to an API of their own. Each side also has its own entry.
 */

export type {
  Decision,
  Deliver,
  HitlAgent,
  HitlAgentOptions,
  HumanAction,
  Review,
  Submitted,
} from "./agent/index.ts";
export {
  accessWith,
  byBrowser,
  byButtons,
  byMessage,
  byTerminal,
  callbackInbox,
  caseBook,
  detectReview,
  followChain,
  hitlAgent,
  humanAction,
  improve,
  isHitlError,
  reviewMessage,
  submitInline,
  verifyCallback,
  waitForDecision,
} from "./agent/index.ts";
export { answerTap, discord, slack, teams, telegram, whatsapp } from "./render/index.ts";
export type { HitlDeclaration, HitlService, HitlServiceOptions, ServiceAsk } from "./service/index.ts";
export { expressHitl, hitlService, honoHitl, nextHitl } from "./service/index.ts";
