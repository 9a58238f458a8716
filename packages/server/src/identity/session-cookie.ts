/** The cookies of a console session, and of a browser that has begun to sign in at an identity provider. */

import { parseCookie, stringifySetCookie } from "cookie";

const SESSION_COOKIE = "holdpoint_session";
const ATTEMPT_COOKIE = "holdpoint_signin";
const ATTEMPT_SECONDS = 600;

/** The session's secret in a `Cookie` header. */
export function sessionIn(header: string | undefined): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[SESSION_COOKIE];
}

/** The secret of the browser that has begun to sign in. */
export function attemptIn(header: string | undefined): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[ATTEMPT_COOKIE];
}

/** A `Set-Cookie` header. Scripts cannot read the cookie, and other sites' forms do not send it. */
export function sessionCookie(value: string, maxAge: number, publicUrl: string): string {
  return stringifySetCookie({ name: SESSION_COOKIE, value, path: "/", ...attributesAt(publicUrl), maxAge });
}

export function attemptCookie(value: string, publicUrl: string): string {
  const attributes = { ...attributesAt(publicUrl), maxAge: ATTEMPT_SECONDS };
  return stringifySetCookie({ name: ATTEMPT_COOKIE, value, path: "/signin", ...attributes });
}

function attributesAt(publicUrl: string) {
  return { httpOnly: true, sameSite: "lax", secure: publicUrl.startsWith("https:") } as const;
}
