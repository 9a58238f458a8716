/** Error codes for requests without a response. They are safe to store and to show. */

export const FAILURES = [
  "timed_out",
  "stopped",
  "connect_timed_out",
  "name_not_found",
  "connection_refused",
  "connection_lost",
  "unreachable",
  "tls_failed",
  "bad_response",
  "connection_failed",
] as const;

export type Failure = (typeof FAILURES)[number];

export class TimedOut extends Error {
  override readonly name = "TimedOut";
}

export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

const BY_CODE: Readonly<Record<string, Failure>> = {
  UND_ERR_CONNECT_TIMEOUT: "connect_timed_out",
  ETIMEDOUT: "connect_timed_out",
  ENOTFOUND: "name_not_found",
  EAI_AGAIN: "name_not_found",
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_lost",
  EPIPE: "connection_lost",
  UND_ERR_SOCKET: "connection_lost",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  UND_ERR_HEADERS_OVERFLOW: "bad_response",
};

export function failureOf(error: unknown): Failure {
  if (error instanceof TimedOut) return "timed_out";
  if (!(error instanceof Error)) return "connection_failed";
  if (error.name === "AbortError") return "stopped";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const known = BY_CODE[code];
  if (known) return known;
  if (error.name === "HTTPParserError") return "bad_response";
  // Node has dozens of certificate error codes without a common prefix.
  if (/CERT|TLS|SSL|UNABLE_TO|EPROTO/.test(code)) return "tls_failed";
  return "connection_failed";
}
