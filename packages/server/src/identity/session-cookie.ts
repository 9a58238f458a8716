/** The cookie of a console session. */

import { parseCookie, stringifySetCookie } from "cookie";

const SESSION_COOKIE = "holdpoint_session";

/** The session's secret in a `Cookie` header. */
export function sessionIn(header: string | undefined): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[SESSION_COOKIE];
}

/** A `Set-Cookie` header. Scripts cannot read the cookie, and other sites' forms do not send it. */
export function sessionCookie(value: string, maxAge: number, publicUrl: string): string {
  const secure = publicUrl.startsWith("https:");
  const attributes = { path: "/", httpOnly: true, sameSite: "lax", maxAge, secure } as const;
  return stringifySetCookie({ name: SESSION_COOKIE, value, ...attributes });
}
