/** The local credentials file: written by the server on its first start, found by SDK, CLI and examples. */

import { isObject } from "../rules/json.ts";

export interface Credentials {
  readonly url: string;
  readonly apiKey: string;
}

/** In the server's home folder, which is `.holdpoint` unless told otherwise. */
export const CREDENTIALS_FILE = "credentials.json";

/** The credentials in the text, or null when it holds none. */
export function readCredentials(text: string): Credentials | null {
  const value = parsed(text);
  if (!isObject(value)) return null;
  const { url, api_key: apiKey } = value;
  return typeof url === "string" && typeof apiKey === "string" ? { url, apiKey } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
