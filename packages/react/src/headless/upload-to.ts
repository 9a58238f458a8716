/** Uploads by `POST /v1/files`, or by whatever takes files the same way. */

import type { FileRef } from "@holdpoint/protocol/rules";

const OFFLINE = "There is no connection. Choose the file again.";

/** `path` already says to which hold; `undefined` where there is none to upload to. What sends is loaded with the first file. */
export function uploadTo(
  path: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): ((file: File) => Promise<FileRef>) | undefined {
  if (path === undefined) return undefined;
  return async (file) => {
    const { sendFile } = await import("./send-file.ts").catch(() => {
      throw new Error(OFFLINE);
    });
    return sendFile(path, headers, file);
  };
}
