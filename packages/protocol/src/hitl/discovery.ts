/** `/.well-known/hitl.json`: what a service says it can do. */

import * as z from "zod";
import { list } from "../wire/base.ts";
import { integerFrom, Uri } from "./values.ts";
import { TRANSPORTS } from "./vocabulary.ts";

const Service = z.strictObject({
  name: z.string().exactOptional(),
  description: z.string().exactOptional(),
  url: Uri.exactOptional(),
  logo_url: Uri.exactOptional(),
  contact: z.string().exactOptional(),
});

const CAPABILITIES = {
  review_types: list(z.string()).exactOptional(),
  transports: list(z.enum(TRANSPORTS)).exactOptional(),
  max_timeout: z.string().exactOptional(),
  default_timeout: z.string().exactOptional(),
  supports_reminders: z.boolean().exactOptional(),
  supports_multi_round: z.boolean().exactOptional(),
  supports_signatures: z.boolean().exactOptional(),
  supports_inline_submit: z.boolean().exactOptional(),
  supports_surface: z.boolean().exactOptional(),
  surface_formats: list(z.string()).exactOptional(),
  surface_profiles: list(z.string()).exactOptional(),
};

const AUTHENTICATION = {
  type: z.string().exactOptional(),
  token_url: Uri.exactOptional(),
  scopes: list(z.string()).exactOptional(),
  documentation: Uri.exactOptional(),
};

const COMMON = {
  service: Service.exactOptional(),
  endpoints: z
    .strictObject({
      reviews_base: Uri.exactOptional(),
      review_page_base: Uri.exactOptional(),
      events_base: Uri.exactOptional(),
      well_known: Uri.exactOptional(),
    })
    .exactOptional(),
  rate_limits: z
    .strictObject({
      poll_min_interval_seconds: integerFrom(1).exactOptional(),
      poll_recommended_interval_seconds: integerFrom(1).exactOptional(),
      max_active_cases_per_agent: integerFrom(1).exactOptional(),
      max_requests_per_minute: integerFrom(1).exactOptional(),
    })
    .exactOptional(),
  policies: z
    .strictObject({
      data_retention_days: integerFrom(0).exactOptional(),
      expired_case_retention_days: integerFrom(0).exactOptional(),
      privacy_policy: Uri.exactOptional(),
      terms_of_service: Uri.exactOptional(),
    })
    .exactOptional(),
  examples: z
    .strictObject({ documentation: Uri.exactOptional(), openapi: Uri.exactOptional() })
    .exactOptional(),
};

export const Discovery07 = z.strictObject({
  hitl_protocol: z.strictObject({
    spec_version: z.literal("0.7"),
    ...COMMON,
    capabilities: z.strictObject(CAPABILITIES).exactOptional(),
    authentication: z.strictObject(AUTHENTICATION).exactOptional(),
  }),
});
export type Discovery07 = z.infer<typeof Discovery07>;

export const Discovery08 = z.strictObject({
  hitl_protocol: z.strictObject({
    spec_version: z.literal("0.8"),
    ...COMMON,
    capabilities: z
      .strictObject({ ...CAPABILITIES, supports_agent_binding: z.boolean().exactOptional() })
      .exactOptional(),
    authentication: z
      .strictObject({
        ...AUTHENTICATION,
        profiles: list(z.string()).exactOptional(),
        well_known: Uri.exactOptional(),
      })
      .exactOptional(),
  }),
});
export type Discovery08 = z.infer<typeof Discovery08>;
