/** Where rules are pure: no clock, ids, randomness or `node:` modules, and every line and branch is covered. */
export const PURE_FOLDERS = [
  "packages/server/src/kernel",
  "packages/server/src/openintent/rules",
  "packages/server/src/agui/rules",
  "packages/protocol/src/rules",
] as const;

/**
 * The tests that cover them (`npm run coverage`): their own, and those of the one face whose requests reach every rule of
 * its domain.
 */
export const COVERING_FOLDERS = [...PURE_FOLDERS, "packages/server/src/openintent/face"] as const;
