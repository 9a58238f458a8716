/** Names of the threads in which a run's lease and state are kept on the server. */

const ID_LENGTH_MAX = 200;

/** Long keys are digested: cut off, two of them could share a thread. */
export async function threadIdFor(what: "run" | "state", key: string): Promise<string> {
  const id = `${what}:${key}`;
  if (id.length <= ID_LENGTH_MAX) return id;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
  return `${what}:sha256:${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
