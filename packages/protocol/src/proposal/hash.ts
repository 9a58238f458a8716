/** SHA-256 in plain JavaScript: policies need a hash at once, and `crypto.subtle` only promises one. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalProposalJson } from "./canonical.ts";

/** SHA-256 of the text's UTF-8 bytes, 64 lower-case hexadecimal digits. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** SHA-256 of a value's canonical text. */
export function hashCanonicalProposal(value: unknown): string {
  return sha256Hex(canonicalProposalJson(value));
}
