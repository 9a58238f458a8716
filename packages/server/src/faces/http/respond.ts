/** Replies: JSON, problem details, nothing. One shape for good news; each face brings its own for bad news. */

import type { Code } from "@holdpoint/protocol";
import { docsUrl, ERROR_CODES } from "@holdpoint/protocol";
import type { JsonObject, Problem } from "@holdpoint/protocol/rules";

export interface HttpReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is wrong, before it has a wire form. */
export interface Trouble {
  readonly code: Code;
  readonly detail?: string;
  readonly fields?: readonly Problem[];
  readonly more?: JsonObject;
  readonly retryAfterMs?: number;
  readonly allow?: string;
  /** What is still on its way is not read any more, so that only a new connection starts clean. */
  readonly hangsUp?: boolean;
}

/** How a face says what is wrong. */
export type Dialect = (trouble: Trouble) => HttpReply;

export function troubleHeaders({ retryAfterMs, allow, code, hangsUp }: Trouble): Record<string, string> {
  return {
    ...(retryAfterMs === undefined
      ? {}
      : { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }),
    ...(allow === undefined ? {} : { allow }),
    ...(code === "unauthenticated" ? { "www-authenticate": "Bearer" } : {}),
    ...(hangsUp === true ? { connection: "close" } : {}),
  };
}

/** RFC 9457. */
export const problemDetails: Dialect = (trouble) => {
  const { code, detail, fields, more } = trouble;
  const { status, title } = ERROR_CODES[code];
  return {
    status,
    body: {
      type: docsUrl(code),
      title,
      status,
      code,
      ...(detail === undefined ? {} : { detail }),
      ...(fields === undefined ? {} : { fields }),
      ...more,
    },
    headers: { "content-type": "application/problem+json", ...troubleHeaders(trouble) },
  };
};

/** Thrown by readers and handlers; caught where the operation is mounted. */
export class HttpTrouble extends Error {
  override readonly name = "HttpTrouble";
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super(trouble.detail ?? trouble.code);
    this.trouble = trouble;
  }
}
