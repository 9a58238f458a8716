/** The doors of the native API: files can also be read and uploaded with the token of a link. */

import { type Arrival, byCredentials, byLink, type Doors } from "../http/authority.ts";
import { fail } from "../http/failure.ts";
import type { RestDeps } from "./deps.ts";
import type { operations } from "./operations.ts";

export const doors = {
  uploadFile: (arrival: Arrival) => byLinkOrKey(arrival, arrival.c.req.query("hold_id")),
  readFile: (arrival: Arrival, { files }: RestDeps) =>
    byLinkOrKey(arrival, files.holdOf(arrival.c.req.param("id") ?? "")),
} satisfies Doors<typeof operations, RestDeps>;

async function byLinkOrKey(arrival: Arrival, holdId = "") {
  const token = arrival.c.req.query("token");
  if (token === undefined) return byCredentials(arrival);
  const found = await byLink(arrival, token, holdId);
  if (found.kind === "link") return found;
  const { retryAfterMs } = found;
  if (retryAfterMs !== undefined) throw fail("rate_limited", "", {}, { retryAfterMs });
  throw fail("unauthenticated", "this link does not open the hold");
}
