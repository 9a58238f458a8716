import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { verifyMerkleProof } from "./merkle.ts";

const digest = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
const text = (bytes: Uint8Array) => `sha256:${Buffer.from(bytes).toString("base64url")}`;

test("OI-019 an inclusion proof is checked without the server, and a wrong one is noticed", async () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((word) => digest(Buffer.from(word))) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  const root = digest(digest(a, b), digest(c, d));
  const proof = {
    event_id: "e",
    event_hash: text(c),
    checkpoint_id: "chk",
    merkle_root: text(root),
    proof_hashes: [
      { hash: text(d), position: "right" },
      { hash: text(digest(a, b)), position: "left" },
    ],
    leaf_index: 2,
  } as const;
  expect(await verifyMerkleProof(proof)).toBe(true);
  expect(await verifyMerkleProof({ ...proof, event_hash: text(a) })).toBe(false);
  expect(await verifyMerkleProof({ ...proof, proof_hashes: [...proof.proof_hashes].reverse() })).toBe(false);
});
