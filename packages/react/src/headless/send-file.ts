/** One file on its way to the server. */

import type { FileRef } from "@holdpoint/protocol/rules";

export async function sendFile(
  path: string,
  headers: Readonly<Record<string, string>>,
  file: File,
): Promise<FileRef> {
  const at = `${path}${path.includes("?") ? "&" : "?"}name=${encodeURIComponent(file.name)}`;
  const init = {
    method: "POST",
    headers: { "content-type": "application/octet-stream", ...headers },
    body: file,
  };
  const reply = await fetch(at, init).catch(() => {
    throw new Error("There is no connection. Choose the file again.");
  });
  const body: unknown = await reply.json().catch(() => undefined);
  if (!reply.ok) throw new Error(wordsFor(body, reply.status));
  return body as FileRef;
}

function wordsFor(body: unknown, status: number): string {
  const { detail, title, error } = (body ?? {}) as { detail?: string; title?: string; error?: string };
  return detail ?? title ?? error ?? `The server said ${status}.`;
}
