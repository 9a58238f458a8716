/** Checks an inclusion proof without trusting the server that made it (RFC-0019). Web Crypto only: works in browsers too. */

import type { MerkleProof } from "./types.ts";

/** Whether the event is under the checkpoint's root. */
export async function verifyMerkleProof(proof: MerkleProof): Promise<boolean> {
  let hash = bytesOf(proof.event_hash);
  for (const step of proof.proof_hashes) {
    const sibling = bytesOf(step.hash);
    hash = await sha256(step.position === "left" ? concat(sibling, hash) : concat(hash, sibling));
  }
  return equal(hash, bytesOf(proof.merkle_root));
}

const PREFIX = "sha256:";

function bytesOf(digest: string): Uint8Array<ArrayBuffer> {
  const text = digest.startsWith(PREFIX) ? digest.slice(PREFIX.length) : digest;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}
