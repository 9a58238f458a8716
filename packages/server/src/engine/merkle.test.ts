import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { merkleProof, merkleRoot } from "./merkle.ts";

const hashes = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => `sha256:${createHash("sha256").update(String(n)).digest("base64url")}`,
  );

const bytes = (hash: string) => Buffer.from(hash.slice("sha256:".length), "base64url");
const parent = (left: Buffer, right: Buffer) =>
  createHash("sha256")
    .update(Buffer.concat([left, right]))
    .digest();

describe("a Merkle tree", () => {
  it("the Merkle root of one leaf is that leaf", () => {
    const [only = ""] = hashes(1);
    expect(merkleRoot([only])).toBe(only);
    expect(merkleProof([only], 0)).toEqual([]);
  });

  it("a Merkle tree repeats its last leaf up to a power of two", () => {
    const [a = "", b = "", c = ""] = hashes(3);
    const root = parent(parent(bytes(a), bytes(b)), parent(bytes(c), bytes(c)));
    expect(merkleRoot([a, b, c])).toBe(`sha256:${root.toString("base64url")}`);
    expect(merkleRoot([a, b, c, c])).toBe(merkleRoot([a, b, c]));
  });

  it.each([1, 2, 3, 4, 5, 7, 8, 9, 100])(
    "the Merkle proofs of %i leaves prove each leaf at its place and no other hash",
    (count) => {
      const leaves = hashes(count);
      const root = merkleRoot(leaves);
      for (const [at, leaf] of leaves.entries()) {
        const walk = (start: string) =>
          merkleProof(leaves, at).reduce(
            (current, { hash, position }) =>
              position === "left" ? parent(bytes(hash), current) : parent(current, bytes(hash)),
            bytes(start),
          );
        expect(`sha256:${walk(leaf).toString("base64url")}`).toBe(root);
        expect(`sha256:${walk(hashes(count + 1)[count] ?? "").toString("base64url")}`).not.toBe(root);
      }
    },
  );

  it("a Merkle tree without leaves throws", () => {
    expect(() => merkleRoot([])).toThrow("at least one leaf");
  });
});
