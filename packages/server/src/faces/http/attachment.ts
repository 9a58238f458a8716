/** Sends a file as a download: the browser saves it and never shows or runs it. */

import { FILE_NAME_LENGTH_MAX } from "@holdpoint/protocol/rules";

export function attachment(name: string, bytes: number): Readonly<Record<string, string>> {
  const plain = name.replace(/[^\w. -]/g, "_").slice(0, FILE_NAME_LENGTH_MAX);
  // RFC 8187: older clients ignore `filename*` and use `filename`.
  const exact = encodeURIComponent(name.toWellFormed()).replace(/['()*!]/g, escaped);
  return {
    "content-type": "application/octet-stream",
    "content-length": String(bytes),
    "content-disposition": `attachment; filename="${plain}"; filename*=UTF-8''${exact}`,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, no-store",
  };
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
