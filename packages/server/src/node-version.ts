/** The Node that the server needs: older ones have no SQLite that it can use. It is loaded first and imports nothing. */

const NODE_MIN = 24;

/** Why this Node cannot run the server; `undefined` if it can. */
export function whyTooOld(version: string): string | undefined {
  const [major = "", minor = ""] = version.split(".");
  if (Number(major) >= NODE_MIN) return undefined;
  return `Holdpoint needs Node ${NODE_MIN} or newer; you have ${major}.${minor}. Install it from https://nodejs.org and try again.`;
}
