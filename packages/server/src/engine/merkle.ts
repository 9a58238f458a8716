/**
 * Merkle trees over event hashes (RFC-0019 of OpenIntent). The leaves are the hashes themselves, a parent is the
 * SHA-256 of the 32 bytes of each child, and the last leaf is repeated until the number of leaves is a power of two.
 */

import { sha256Bytes } from "../system/digest.ts";

export interface ProofStep {
  readonly hash: string;
  /** Whether this hash is the left or the right operand when the parent is computed. */
  readonly position: "left" | "right";
}

const PREFIX = "sha256:";

function bytesOf(hash: string): Buffer {
  return Buffer.from(hash.slice(PREFIX.length), "base64url");
}

function textOf(bytes: Buffer): string {
  return PREFIX + bytes.toString("base64url");
}

function parentOf(left: Buffer, right: Buffer): Buffer {
  return sha256Bytes(left, right);
}

/** All levels: the leaves first, the root last. */
function levelsOf(hashes: readonly string[]): readonly (readonly Buffer[])[] {
  if (hashes.length === 0) throw new Error("Invariant: a Merkle tree needs at least one leaf");
  const leaves = hashes.map(bytesOf);
  const last = leaves.at(-1) as Buffer;
  let level: readonly Buffer[] = [...leaves, ...Array.from({ length: missing(leaves.length) }, () => last)];
  const levels = [level];
  while (level.length > 1) {
    const below = level;
    level = Array.from({ length: below.length / 2 }, (_, at) =>
      parentOf(below[2 * at] as Buffer, below[2 * at + 1] as Buffer),
    );
    levels.push(level);
  }
  return levels;
}

function missing(count: number): number {
  return 2 ** Math.ceil(Math.log2(count)) - count;
}

export function merkleRoot(hashes: readonly string[]): string {
  return textOf(levelsOf(hashes).at(-1)?.[0] as Buffer);
}

/** The siblings on the way from a leaf to the root. */
export function merkleProof(hashes: readonly string[], leaf: number): readonly ProofStep[] {
  return levelsOf(hashes)
    .slice(0, -1)
    .map((level, height) => {
      const at = Math.floor(leaf / 2 ** height);
      const isRight = at % 2 === 1;
      const sibling = level[isRight ? at - 1 : at + 1] as Buffer;
      return { hash: textOf(sibling), position: isRight ? "left" : "right" };
    });
}
