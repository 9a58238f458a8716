/**
 * @module
 * The HITL Protocol without a schema library: its words, its value formats, its error codes and the choice gate. An
 * agent in a browser or a worker can import this alone.
 */
export type { Choice } from "./choice.ts";
export { readChoice } from "./choice.ts";
export type { HitlErrorCode } from "./error-codes.ts";
export { HITL_ERROR_CODES, HITL_ERROR_STATUS } from "./error-codes.ts";
export { CASE_ID, fitsLength, hasLength, isDateTime, isSafeUrl } from "./formats.ts";
export type {
  CallbackEventName,
  CaseEventName,
  CaseStatus,
  DefaultAction,
  HitlVersion,
  Platform,
  Priority,
  TerminalStatus,
} from "./vocabulary.ts";
export {
  CALLBACK_EVENTS,
  CALLBACK_SIGNATURE_HEADER,
  CASE_EVENTS,
  CASE_STATUSES,
  chooseVersion,
  DEFAULT_ACTIONS,
  DEFAULT_HITL_VERSION,
  HITL_VERSION_HEADER,
  HITL_VERSIONS,
  HITL_VERSIONS_HEADER,
  isPlatform,
  isTerminal,
  OPEN_STATUSES,
  PLATFORMS,
  PRIORITIES,
  PROMPT_LENGTH_MAX,
  REQUIRED_MEMBERS,
  SKILL_INFO_LENGTH_MAX,
  SUBMIT_CHANNEL_OF,
  SUBMIT_CHANNELS,
  SUBMIT_TOKEN_LENGTH_MIN,
  submitChannel,
  TERMINAL_STATUSES,
  TRANSPORTS,
} from "./vocabulary.ts";
