/** Failures before a run begins: plain JSON with `error`, which AG-UI clients pass to the app (AG-043, AG-076). */

import { type Code, ERROR_CODES, isCode } from "@holdpoint/protocol";
import * as z from "zod";
import { fail, type HttpFailure } from "../../faces/http/failure.ts";
import { type HttpReply, transportHeaders } from "../../faces/http/respond.ts";

/** AG-UI replies 400 to every invalid body. */
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

export function agUiDialect({ failure, transport }: HttpFailure): HttpReply {
  const code = isCode(failure.code) ? failure.code : "internal";
  const path = failure.problems?.[0]?.key;
  const error = failure.message === "" ? ERROR_CODES[code].title : failure.message;
  return {
    status: agUiErrors[code]?.status ?? 500,
    body: { error, code, ...(path === undefined ? {} : { path }) },
    headers: {
      "content-type": "application/json",
      ...transportHeaders(transport, code === "unauthenticated"),
    },
  };
}

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

const CODES: Readonly<Record<number, Code>> = {
  403: "not_allowed",
  413: "too_large",
  415: "unsupported_media_type",
};

/** Returns the AG-UI handler's reply unchanged, or throws its failure with the handler's own message. */
export async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const code = CODES[response.status] ?? "invalid_body";
  if (code === "not_allowed") throw fail(code, "this key answers nothing");
  const { error = "", path = "" } = (await response.json()) as {
    readonly error?: string;
    readonly path?: string;
  };
  throw fail(code, error, path === "" ? {} : { problems: [{ key: path, rule: "form", message: error }] });
}
