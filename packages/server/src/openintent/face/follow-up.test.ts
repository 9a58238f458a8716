import { expect, it } from "vitest";
import { ManualClock } from "../../testing/manual-clock.ts";
import { followUp } from "./follow-up.ts";

const behind = (left: number) => ({ body: left === 0 ? {} : { behind: left } });

it("a change is acknowledged when everything has followed it", async () => {
  let left = 3;
  const step = async () => {
    left -= 1;
    return behind(left);
  };
  expect(await followUp(behind(3), new ManualClock(), step)).toEqual({ body: {} });
  expect(left).toBe(0);
});

it("a change that much follows is acknowledged after ten seconds, before clients give up, and a timer goes on (G13)", async () => {
  const clock = new ManualClock();
  let steps = 0;
  const step = async () => {
    steps += 1;
    await clock.advance(4_000);
    return behind(100 - steps);
  };
  expect(await followUp(behind(100), clock, step)).toEqual(behind(97));
  expect(steps).toBe(3);
});

it("a change is acknowledged as it is when the server stops meanwhile", async () => {
  expect(await followUp(behind(2), new ManualClock(), async () => undefined)).toEqual(behind(2));
});
