/** What a service says about itself, once; discovery, SKILL.md and every 202 follow from it. */

import { defined } from "@holdpoint/protocol/client";
import {
  DEFAULT_HITL_VERSION,
  fitsLength,
  type HitlVersion,
  isSafeUrl,
  SKILL_INFO_LENGTH_MAX,
} from "@holdpoint/protocol/hitl/words";
import { ASK_TYPES, type AskType, type JsonObject, parseDuration } from "@holdpoint/protocol/rules";

export interface HitlDeclaration {
  /** The address under which `handle` is reached, such as `https://shop.example` or `https://shop.example/hitl`. */
  readonly baseUrl: string;
  readonly name: string;
  readonly description: string;
  /** The service's own page, if that is somewhere else. */
  readonly url?: string;
  readonly contact?: string;
  /** Which reviews may come. The five known types unless said otherwise. */
  readonly types?: readonly AskType[];
  /** How long a review stays open; `24h` unless said otherwise, `7d` at most. */
  readonly defaultTimeout?: string;
  /** Whether simple reviews may be answered by a button in a chat. */
  readonly inline?: boolean;
  /** Whether each request must choose between `prefer_hitl` and `skip_hitl`. */
  readonly choiceRequired?: boolean;
  /** Whether results may carry suggestions for improving them. */
  readonly improvements?: boolean;
  /** When and why people are asked, in at most 200 characters; agents read it before they call. */
  readonly info?: string;
  /** How agents authenticate, and where that is explained. */
  readonly authentication?: { readonly type: string; readonly documentation?: string };
  readonly dataRetentionDays?: number;
  readonly privacyPolicy?: string;
  readonly termsOfService?: string;
}

export interface Declared extends HitlDeclaration {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly basePath: string;
  readonly types: readonly AskType[];
  readonly defaultTimeout: string;
}

const TIMEOUT_MAX = "P7D";
const TIMEOUT_MAX_MS = 7 * 24 * 3_600_000;
export const POLL_SECONDS = 30;
export const REQUESTS_PER_MINUTE = 60;

/** Milliseconds of a timeout that a case may have. */
export function timeoutMs(timeout: string): number {
  const ms = parseDuration(timeout);
  if (ms === null) throw new RangeError(`${timeout} is no duration: write 30m, 24h, 7d or ISO 8601.`);
  if (ms > TIMEOUT_MAX_MS)
    throw new RangeError(`${timeout} is too long: a review stays open for 7 days at most.`);
  return ms;
}

/** Checks what an author declared, when the service starts rather than at the first request. */
export function declare(declaration: HitlDeclaration): Declared {
  const { baseUrl, info, types = ASK_TYPES, defaultTimeout = "24h" } = declaration;
  if (!isSafeUrl(baseUrl)) throw new TypeError(`baseUrl must be https, or http on this machine: ${baseUrl}`);
  if (info !== undefined && !fitsLength(info, SKILL_INFO_LENGTH_MAX))
    throw new RangeError(`info has at most ${SKILL_INFO_LENGTH_MAX} characters.`);
  timeoutMs(defaultTimeout);
  const trimmed = baseUrl.replace(/\/+$/, "");
  const basePath = new URL(trimmed).pathname.replace(/\/$/, "");
  return { ...declaration, baseUrl: trimmed, basePath, types, defaultTimeout };
}

/** The document at `/.well-known/hitl.json`. It promises what this library does, and nothing else. */
export function discovery(declared: Declared, version: HitlVersion = DEFAULT_HITL_VERSION): JsonObject {
  const { baseUrl, authentication } = declared;
  const service = defined({
    name: declared.name,
    description: declared.description,
    url: declared.url ?? baseUrl,
    contact: declared.contact,
  });
  const policies = defined({
    data_retention_days: declared.dataRetentionDays,
    privacy_policy: declared.privacyPolicy,
    terms_of_service: declared.termsOfService,
  });
  const document: Readonly<Record<string, unknown>> = defined({
    spec_version: version,
    service,
    capabilities: {
      review_types: declared.types,
      transports: ["polling", "sse"],
      default_timeout: declared.defaultTimeout,
      max_timeout: TIMEOUT_MAX,
      supports_reminders: true,
      supports_multi_round: true,
      supports_signatures: false,
      supports_inline_submit: declared.inline === true,
      supports_surface: false,
    },
    endpoints: {
      reviews_base: `${baseUrl}/reviews`,
      review_page_base: `${baseUrl}/review`,
      events_base: `${baseUrl}/reviews`,
      well_known: `${new URL(baseUrl).origin}/.well-known/hitl.json`,
    },
    authentication: authentication === undefined ? undefined : defined({ ...authentication }),
    rate_limits: {
      poll_recommended_interval_seconds: POLL_SECONDS,
      max_requests_per_minute: REQUESTS_PER_MINUTE,
    },
    policies: Object.keys(policies).length === 0 ? undefined : policies,
  });
  return { hitl_protocol: document as JsonObject };
}
