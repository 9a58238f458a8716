import { describe, expect, test } from "vitest";
import { readGrantPost } from "./grant-post.ts";

const read = (fields: Readonly<Record<string, string>>) => readGrantPost(Object.entries(fields));

describe("the grant in a posted form", () => {
  test("is absent unless a duration was chosen", () => {
    expect(read({})).toBeUndefined();
    expect(read({ _grant_for: "", _grant_uses: "5" })).toBeUndefined();
  });

  test("has the duration, the uses and a term for each argument that may differ", () => {
    expect(read({ _grant_for: "2h" })).toEqual({ for: "2h" });
    expect(
      read({
        ...{ _grant_for: "2h", _grant_uses: "5", "_grant_arg.to": "any", "_grant_arg.note": "equal" },
        ...{ "_grant_arg.amount": "range", "_grant_min.amount": "1", "_grant_max.amount": "9.5" },
      }),
    ).toEqual({ for: "2h", uses: 5, args: { to: "any", amount: { min: 1, max: 9.5 } } });
  });

  test("has no number for a missing end of a range, so that the server refuses it", () => {
    const grant = read({ _grant_for: "1h", "_grant_arg.n": "range", "_grant_min.n": "" });
    expect(grant?.args).toEqual({ n: { min: Number.NaN, max: Number.NaN } });
  });
});
