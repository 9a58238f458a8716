import { describe, expect, test } from "vitest";
import { InOrder } from "./in-order.ts";

const at = (createdAt: number) => ({ id: `m${createdAt}`, createdAt, holdId: null });

describe("messages that a platform made wait", () => {
  test("let later ones wait as long as they do, so that nobody asks again every second", () => {
    const order = new InOrder();
    order.putBack("chat", at(1), 60_000);
    expect(order.turnAt("chat", at(2), 0)).toBe(60_000);
    expect(order.turnAt("chat", at(1), 0)).toBeUndefined();
    expect(order.turnAt("other", at(2), 0)).toBeUndefined();
    order.isDone("chat", at(1));
    expect(order.turnAt("chat", at(2), 0)).toBeUndefined();
  });

  test("are forgotten when nobody sends them any more", () => {
    const order = new InOrder();
    order.putBack("chat", at(1), 60_000);
    expect(order.turnAt("chat", at(2), 89_999)).toBe(60_000);
    expect(order.turnAt("chat", at(2), 90_000)).toBeUndefined();
    // Not only passed over: a clock that is set back does not bring them back.
    expect(order.turnAt("chat", at(2), 0)).toBeUndefined();
  });
});
