/** Every refusal of this face by its code. Codes keep the spelling that their sources gave them. */
export const HITL_ERROR_STATUS = {
  HITL_CHOICE_REQUIRED: 400,
  VALIDATION_ERROR: 400,
  missing_action: 400,
  invalid_json: 400,
  invalid_request: 400,
  invalid_token: 401,
  unauthorized: 401,
  action_not_inline: 403,
  identity_mismatch: 403,
  verification_required: 403,
  verification_failed: 403,
  not_found: 404,
  duplicate_submission: 409,
  case_cancelled: 409,
  case_expired: 410,
  method_not_allowed: 405,
  payload_too_large: 413,
  invalid_action: 422,
  validation_failed: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type HitlErrorCode = keyof typeof HITL_ERROR_STATUS;

export const HITL_ERROR_CODES = Object.keys(HITL_ERROR_STATUS) as readonly HitlErrorCode[];
