/**
 * @module
 * Gate rules and grants: which tool calls need a person. Pure: no clock, no I/O, no dependencies.
 */
export { checkRules } from "./check-rules.ts";
export type { AskRules, Evaluation, Match } from "./evaluate.ts";
export { allowsEveryCall, askRules, evaluate, isAbout } from "./evaluate.ts";
export { explainRule } from "./explain-rule.ts";
export type { GrantPost } from "./grant-post.ts";
export {
  GRANT_ARG,
  GRANT_FOR,
  GRANT_MAX,
  GRANT_MIN,
  GRANT_USES,
  readGrantPost,
} from "./grant-post.ts";
export type { ArgTerm, ArgTermIn, GrantArgs } from "./grant-terms.ts";
export { explainGrantArgs, grantArgs, isExact, matchesGrant } from "./grant-terms.ts";
export type { RecordedCheck, Replay, ReplayedCase } from "./replay.ts";
export { NOTHING, replay, sum } from "./replay.ts";
export type { RuleWarning } from "./review-rules.ts";
export { reviewRules } from "./review-rules.ts";
export type {
  ArgCondition,
  AskSettings,
  DecisionRule,
  GateRule,
  RuleMode,
  RuleSet,
  ToolCall,
  Verdict,
} from "./rule.ts";
export { CONDITIONS_MAX, NO_RULES, RULE_MODES, RULES_MAX, STANDING_CALLS_MAX, VERDICTS } from "./rule.ts";
export type { SimilarTerms } from "./similar.ts";
export { explainSimilar, GRANT_SIMILAR, SIMILAR_LABEL, similarInRepository } from "./similar.ts";
