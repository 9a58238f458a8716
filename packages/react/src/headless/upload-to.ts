/** Uploads by `POST /v1/files`, or by whatever takes files the same way. */

import type { FileRef } from "@holdpoint/protocol/rules";

/** `path` already says to which hold; `undefined` where there is none to upload to. */
export function uploadTo(
  path: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): ((file: File) => Promise<FileRef>) | undefined {
  if (path === undefined) return undefined;
  return async (file) => {
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
  };
}

function wordsFor(body: unknown, status: number): string {
  const { detail, title, error } = (body ?? {}) as { detail?: string; title?: string; error?: string };
  return detail ?? title ?? error ?? `The server said ${status}.`;
}
