/** Small valid objects that the tests bend out of shape. Every member of a shape occurs in at least one of them. */

import type { JsonObject } from "../../rules/json.ts";

const AT = "2026-03-01T10:00:00Z";
export const TOKEN = "tE5t-tOk3n_".repeat(4).slice(0, 43);

export const FIELD: JsonObject = {
  key: "pay",
  label: "Pay",
  type: "range",
  required: true,
  placeholder: "e.g. 5",
  hint: "Per hour",
  default: 3,
  default_ref: "https://shop.example/prefill/pay",
  sensitive: true,
  options: [{ value: "a", label: "A" }],
  validation: { minLength: 0, maxLength: 9, pattern: "^[0-9]+$", min: 1, max: 9 },
  conditional: { field: "kind", operator: "in", value: ["a", "b"] },
};

const HITL_COMMON: JsonObject = {
  case_id: "review_ab12",
  review_url: `https://shop.example/review/review_ab12?token=${TOKEN}`,
  poll_url: "https://shop.example/reviews/review_ab12/status",
  callback_url: null,
  events_url: "https://shop.example/reviews/review_ab12/events",
  type: "confirmation",
  prompt: "Send three letters?",
  timeout: "24h",
  default_action: "abort",
  created_at: AT,
  expires_at: "2026-03-02T10:00:00Z",
  context: {
    letters: 3,
    form: { session_id: "s1", steps: [{ title: "One", description: "First", fields: [FIELD] }] },
  },
  reminder_at: ["2026-03-01T20:00:00Z"],
  previous_case_id: "review_x",
  surface: { format: "json-render", version: "1.0" },
  submit_url: "https://shop.example/reviews/review_ab12/respond",
  submit_token: TOKEN,
  inline_actions: ["confirm", "cancel"],
};

export const POLICY: JsonObject = {
  mode: "required",
  required_for: ["inline_submit", "browser_submit"],
  requirements: {
    any_of: [
      {
        all_of: [
          {
            proof_type: "proof_of_human",
            provider: "some_provider",
            min_assurance: "high",
            presentation_formats: ["jwt"],
          },
        ],
      },
    ],
  },
  binding: {
    case_id: true,
    action: true,
    challenge: "c1",
    freshness_seconds: 300,
    expires_at: AT,
    single_use: true,
  },
  fallback: { on_missing: "browser_review", on_invalid: "reject" },
};

export const HITL_07: JsonObject = { spec_version: "0.7", ...HITL_COMMON };
export const HITL_08: JsonObject = { spec_version: "0.8", ...HITL_COMMON, verification_policy: POLICY };

export const VERIFICATION_RESULT: JsonObject = {
  satisfied: true,
  verified_evidence: [
    {
      proof_type: "proof_of_human",
      provider: "some_provider",
      assurance_level: "high",
      bound_to_case: true,
      bound_to_action: true,
      fresh: true,
      single_use_enforced: true,
      verified_at: AT,
    },
  ],
  missing_requirements: ["second factor"],
};

const PERSON: JsonObject = { platform: "telegram", platform_user_id: "123", display_name: "Ada" };

export const SUBMISSION_CONTEXT: JsonObject = {
  mode: "inline_submit",
  submitted_via: "telegram_inline_button",
  submitted_by: PERSON,
  verification_result: VERIFICATION_RESULT,
};

export const COMPLETED: JsonObject = {
  status: "completed",
  case_id: "review_ab12",
  created_at: AT,
  opened_at: AT,
  expires_at: "2026-03-02T10:00:00Z",
  completed_at: AT,
  reminder_sent_at: AT,
  result: {
    action: "confirm",
    data: { note: "Go" },
    signature: {
      algorithm: "RS256",
      value: "c2ln",
      signed_at: AT,
      signer: "https://shop.example/.well-known/jwks.json",
    },
  },
  responded_by: { name: "Ada", email: "ada@shop.example" },
  next_case_id: "review_y",
};
export const COMPLETED_08: JsonObject = { ...COMPLETED, submission_context: SUBMISSION_CONTEXT };
export const IN_PROGRESS: JsonObject = {
  status: "in_progress",
  case_id: "review_ab12",
  created_at: AT,
  opened_at: AT,
  progress: { current_step: 2, total_steps: 3, completed_fields: 4, total_fields: 9 },
};
export const EXPIRED: JsonObject = {
  status: "expired",
  case_id: "review_ab12",
  expired_at: AT,
  default_action: "skip",
};
export const CANCELLED: JsonObject = {
  status: "cancelled",
  case_id: "review_ab12",
  cancelled_at: AT,
  reason: "No longer needed",
};

export const SUBMIT: JsonObject = {
  action: "confirm",
  data: {},
  submitted_via: "telegram_inline_button",
  submitted_by: PERSON,
};
export const EVIDENCE: JsonObject = {
  proof_type: "proof_of_human",
  provider: "some_provider",
  format: "provider_opaque",
  presentation: { proof: "opaque" },
  binding: { case_id: "review_ab12", action: "confirm", challenge: "c1" },
};
export const SUBMIT_08: JsonObject = { ...SUBMIT, verification_evidence: [EVIDENCE] };

const DISCOVERY: JsonObject = {
  service: {
    name: "Shop",
    description: "Sells",
    url: "https://shop.example",
    logo_url: "https://shop.example/logo.png",
    contact: "help@shop.example",
  },
  capabilities: {
    review_types: ["approval"],
    transports: ["polling", "sse", "callback"],
    default_timeout: "PT24H",
    max_timeout: "P7D",
    supports_reminders: true,
    supports_multi_round: true,
    supports_signatures: true,
    supports_inline_submit: true,
    supports_surface: false,
    surface_formats: [],
    surface_profiles: [],
  },
  endpoints: {
    reviews_base: "https://shop.example/reviews",
    review_page_base: "https://shop.example/review",
    events_base: "https://shop.example/reviews",
    well_known: "https://shop.example/.well-known/hitl.json",
  },
  authentication: {
    type: "bearer",
    token_url: "https://shop.example/token",
    scopes: ["reviews"],
    documentation: "https://shop.example/docs",
  },
  rate_limits: {
    poll_min_interval_seconds: 1,
    poll_recommended_interval_seconds: 30,
    max_active_cases_per_agent: 50,
    max_requests_per_minute: 60,
  },
  policies: {
    data_retention_days: 30,
    expired_case_retention_days: 30,
    privacy_policy: "https://shop.example/privacy",
    terms_of_service: "https://shop.example/terms",
  },
  examples: { documentation: "https://shop.example/docs", openapi: "https://shop.example/openapi.json" },
};
export const DISCOVERY_07: JsonObject = { hitl_protocol: { spec_version: "0.7", ...DISCOVERY } };
export const DISCOVERY_08: JsonObject = {
  hitl_protocol: {
    ...DISCOVERY,
    spec_version: "0.8",
    capabilities: { review_types: ["approval"], supports_agent_binding: true },
    authentication: { type: "bearer", profiles: ["p"], well_known: "https://shop.example/auth" },
  },
};
