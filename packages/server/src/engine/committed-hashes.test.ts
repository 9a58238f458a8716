import { describe, expect, test } from "vitest";
import { CommittedHashes } from "./committed-hashes.ts";

function hashesAt(...positions: readonly number[]): CommittedHashes {
  const hashes = new CommittedHashes();
  for (const position of positions) hashes.add([{ position, hash: `hash ${position}` }]);
  return hashes;
}

describe("hashes of committed events", () => {
  test("after returns all hashes after a position, in order", () => {
    expect(hashesAt(1, 2, 3).after(0)).toEqual(["hash 1", "hash 2", "hash 3"]);
    expect(hashesAt(1, 2, 3).after(2)).toEqual(["hash 3"]);
    expect(hashesAt(7, 8).after(6)).toEqual(["hash 7", "hash 8"]);
  });

  test("after returns undefined if a hash after the position is missing", () => {
    expect(hashesAt().after(0)).toBeUndefined();
    expect(hashesAt(1, 2).after(2)).toBeUndefined();
    expect(hashesAt(1, 2).after(9)).toBeUndefined();
    expect(hashesAt(7, 8).after(5)).toBeUndefined();
    expect(hashesAt(1, 2, 4, 5).after(0)).toBeUndefined();
    expect(hashesAt(1, 2, 4, 5).after(3)).toEqual(["hash 4", "hash 5"]);
  });

  test("forgetUpTo removes the hashes up to a position and no others", () => {
    const hashes = hashesAt(3, 4, 5, 6);
    hashes.forgetUpTo(1);
    expect(hashes.after(2)).toHaveLength(4);
    hashes.forgetUpTo(4);
    expect(hashes.after(2)).toBeUndefined();
    expect(hashes.after(4)).toEqual(["hash 5", "hash 6"]);
    hashes.forgetUpTo(90);
    hashes.add([{ position: 7, hash: "hash 7" }]);
    expect(hashes.after(6)).toEqual(["hash 7"]);
  });

  test("the buffer is bounded: when it is full, it starts again with the newest hash", () => {
    const hashes = hashesAt(...Array.from({ length: 20_001 }, (_, at) => at + 1));
    expect(hashes.after(0)).toBeUndefined();
    expect(hashes.after(20_000)).toEqual(["hash 20001"]);
  });
});
