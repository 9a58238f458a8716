import { expect, it } from "vitest";
import { Lanes } from "./lanes.ts";

it("a lane takes so many and no more, whatever the other lanes do", () => {
  const lanes = new Lanes(2);
  const leave = lanes.enter("a");
  expect(lanes.enter("a")).not.toBeNull();
  expect(lanes.enter("a")).toBeNull();
  expect(lanes.enter("b")).not.toBeNull();

  leave?.();
  expect(lanes.enter("a")).not.toBeNull();
  expect(lanes.enter("a")).toBeNull();
});
