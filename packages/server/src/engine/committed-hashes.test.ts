import { describe, expect, test } from "vitest";
import { HeardHashes } from "./heard-hashes.ts";

function heard(...positions: readonly number[]): HeardHashes {
  const hashes = new HeardHashes();
  for (const position of positions) hashes.hear([{ position, hash: `hash ${position}` }]);
  return hashes;
}

describe("hashes that were heard", () => {
  test("are all those after a position, in order", () => {
    expect(heard(1, 2, 3).after(0)).toEqual(["hash 1", "hash 2", "hash 3"]);
    expect(heard(1, 2, 3).after(2)).toEqual(["hash 3"]);
    expect(heard(7, 8).after(6)).toEqual(["hash 7", "hash 8"]);
  });

  test("are unknown where one was missed or none was heard", () => {
    expect(heard().after(0)).toBeUndefined();
    expect(heard(1, 2).after(2)).toBeUndefined();
    expect(heard(1, 2).after(9)).toBeUndefined();
    expect(heard(7, 8).after(5)).toBeUndefined();
    expect(heard(1, 2, 4, 5).after(0)).toBeUndefined();
    expect(heard(1, 2, 4, 5).after(3)).toEqual(["hash 4", "hash 5"]);
  });

  test("go once they are covered, and no others", () => {
    const hashes = heard(3, 4, 5, 6);
    hashes.forgetUpTo(1);
    expect(hashes.after(2)).toHaveLength(4);
    hashes.forgetUpTo(4);
    expect(hashes.after(2)).toBeUndefined();
    expect(hashes.after(4)).toEqual(["hash 5", "hash 6"]);
    hashes.forgetUpTo(90);
    hashes.hear([{ position: 7, hash: "hash 7" }]);
    expect(hashes.after(6)).toEqual(["hash 7"]);
  });

  test("are bounded: too many that nobody covered are given up", () => {
    const hashes = heard(...Array.from({ length: 20_001 }, (_, at) => at + 1));
    expect(hashes.after(0)).toBeUndefined();
    expect(hashes.after(20_000)).toEqual(["hash 20001"]);
  });
});
