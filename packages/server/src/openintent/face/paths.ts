/**
 * Three spellings of each path. Clients use `/api/v1`; the protocol's specification also writes `/v1/<noun>` and `/intents`
 * without a prefix. Only OpenIntent's nouns are rewritten: every other `/v1` path belongs to the native API.
 */

const NOUNS = [
  ...["intents", "portfolios", "tasks", "plans", "checkpoints", "coordinators", "subscriptions", "agents"],
  ...["escalations", "decisions", "server", "verify", "admin", "subscribe"],
];
const NOUN = new RegExp(`^/v1/(?:${NOUNS.join("|")})(?=/|$)`);
const BARE = /^\/intents(?=\/|$)/;

/** The canonical spelling of a path, under which the operation is mounted. */
export function canonicalPath(path: string): string {
  if (NOUN.test(path)) return `/api${path}`;
  return BARE.test(path) ? `/api/v1${path}` : path;
}
