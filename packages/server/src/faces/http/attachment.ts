/** A file on its way to a person: always to be saved, never to be shown or run. */

import { FILE_NAME_LENGTH_MAX } from "@holdpoint/protocol/rules";

export function attachment(name: string, bytes: number): Readonly<Record<string, string>> {
  const plain = name.replace(/[^\w. -]/g, "_").slice(0, FILE_NAME_LENGTH_MAX);
  // RFC 8187: what older readers do not understand they pass over.
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
