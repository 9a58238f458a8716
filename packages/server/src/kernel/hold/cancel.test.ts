import { describe, expect, test } from "vitest";
import { AGENT, decidedHold, NOW, openHold } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";

describe("cancelling a hold", () => {
  const cancel = { kind: "cancel_hold", holdId: "h1", reason: "not needed" } as const;

  test("a cancelled hold records who cancelled it and no decision (G5)", () => {
    const after = given(openHold()).when(cancel, { by: AGENT }).then("hold.cancelled");
    expect(after.hold().status).toBe("cancelled");
    expect(after.hold().outcome).toEqual({
      kind: "cancelled",
      cancelledBy: { kind: "key", id: "key_refunder", name: "refunder" },
      reason: "not needed",
      at: NOW,
    });
  });

  test("a hold can be cancelled without a reason", () => {
    const after = given(openHold()).when({ kind: "cancel_hold", holdId: "h1" }).then("hold.cancelled");
    expect(after.hold().outcome).not.toHaveProperty("reason");
  });

  test("cancel is refused on a hold that was decided, has just expired or does not exist", () => {
    given(decidedHold()).when(cancel).refused("already_settled");
    given(openHold({ expiresAt: NOW }))
      .when(cancel)
      .refused("hold_expired", "hold.expired");
    given().when(cancel).refused("not_found");
  });
});
