/**
 * One surface, three spellings. `/api/v1` is what clients use; the protocol's own texts write `/v1/<noun>` and bare
 * `/intents`. Only OpenIntent's nouns are taken: every other `/v1` path is Holdpoint's own.
 */

const NOUNS = [
  ...["intents", "portfolios", "tasks", "plans", "checkpoints", "coordinators", "subscriptions", "agents"],
  ...["escalations", "decisions", "server", "verify", "admin", "subscribe"],
];
const NOUN = new RegExp(`^/v1/(?:${NOUNS.join("|")})(?=/|$)`);
const BARE = /^\/intents(?=\/|$)/;

/** The path under which the face has mounted what this one asks for. */
export function canonicalPath(path: string): string {
  if (NOUN.test(path)) return `/api${path}`;
  return BARE.test(path) ? `/api/v1${path}` : path;
}
