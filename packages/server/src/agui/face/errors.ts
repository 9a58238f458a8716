/** What goes wrong before a run begins: plain JSON with `error`, which AG-UI clients hand to the app (AG-043, AG-076). */

import { type Code, ERROR_CODES } from "@holdpoint/protocol";
import * as z from "zod";
import { type Dialect, troubleHeaders } from "../../faces/http/respond.ts";

/** A body that is not as it should be is 400 here, whatever is wrong with it. */
const MALFORMED: ReadonlySet<string> = new Set(["invalid_body", "unknown_member", "too_deep"]);

export const agUiErrors = Object.fromEntries(
  Object.entries(ERROR_CODES).map(([code, entry]) => [
    code,
    { ...entry, status: MALFORMED.has(code) ? 400 : entry.status },
  ]),
);

export const ErrorOut = z.strictObject({
  error: z.string(),
  code: z.string(),
  path: z.string().exactOptional(),
});

export const agUiDialect: Dialect = (trouble) => {
  const { code, detail, fields } = trouble;
  const path = fields?.[0]?.key;
  return {
    status: agUiErrors[code]?.status ?? 500,
    body: { error: detail ?? ERROR_CODES[code].title, code, ...(path === undefined ? {} : { path }) },
    headers: { "content-type": "application/json", ...troubleHeaders(trouble) },
  };
};

export const BEFORE_A_RUN = [
  "unauthenticated",
  "agent_mismatch",
  "invalid_query",
  "invalid_json",
  "invalid_body",
  "unknown_member",
  "too_large",
  "too_deep",
  "unsupported_media_type",
] as const satisfies Code[];
