/** The version that a caller saw last, from its `If-Match` header. */

import { fail } from "../http/failure.ts";

export function ifVersion(header: string | undefined): { readonly ifVersion?: number } {
  if (header === undefined || header === "*") return {};
  const match = /^(?:W\/)?"?(\d+)"?$/.exec(header.trim());
  if (match === null)
    throw fail("precondition_failed", "If-Match is not a version; send the ETag of the last reply");
  return { ifVersion: Number(match[1]) };
}
