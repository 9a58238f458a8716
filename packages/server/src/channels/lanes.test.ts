import { describe, expect, it } from "vitest";
import { Lanes } from "./lanes.ts";

const lane = (name: string, workspace = "default") => ({ workspace, lane: name });

describe("lanes", () => {
  it("have room for so many at once, each for itself and each workspace for itself", () => {
    const lanes = new Lanes({ most: 2, slowMost: 2 });
    const leave = lanes.enter(lane("a"));
    lanes.enter(lane("a"));
    expect(lanes.hasRoom(lane("a"))).toBe(false);
    expect(lanes.hasRoom(lane("b"))).toBe(true);
    expect(lanes.hasRoom(lane("a", "other"))).toBe(true);
    expect(lanes.rooms()).toEqual([{ ...lane("a"), room: 0 }]);
    expect(leave()).toBe(true);
    expect(lanes.rooms()).toEqual([{ ...lane("a"), room: 1 }]);
    expect(lanes.hasRoom(lane("a"))).toBe(true);
  });

  it("are forgotten when nobody is in them", () => {
    const lanes = new Lanes({ most: 2, slowMost: 2 });
    expect(lanes.enter(lane("a"))()).toBe(false);
    expect(lanes.rooms()).toEqual([]);
  });

  it("that did not answer get one slot until they answer again", () => {
    const lanes = new Lanes({ most: 4, slowMost: 2 });
    lanes.ended(lane("a"), false);
    expect(lanes.rooms()).toEqual([{ ...lane("a"), room: 1 }]);
    const leave = lanes.enter(lane("a"));
    expect(lanes.hasRoom(lane("a"))).toBe(false);
    expect(lanes.rooms()).toEqual([{ ...lane("a"), room: 0 }]);
    expect(leave(), "more may wait for it").toBe(true);
    lanes.ended(lane("a"), true);
    expect(lanes.rooms()).toEqual([]);
  });

  it("that did not answer share so many slots, and take turns in having one", () => {
    const lanes = new Lanes({ most: 4, slowMost: 2 });
    for (const name of ["a", "b", "c"]) lanes.ended(lane(name), false);
    const open = () =>
      lanes
        .rooms()
        .filter(({ room }) => room > 0)
        .map((room) => room.lane);
    expect(open()).toEqual(["a", "b"]);
    expect(open()).toEqual(["c", "a"]);
    lanes.enter(lane("b"));
    lanes.enter(lane("c"));
    expect(open()).toEqual([]);
    expect(lanes.hasRoom(lane("a"))).toBe(false);
    expect(lanes.hasRoom(lane("d"))).toBe(true);
  });

  it("that did not answer are remembered up to a number", () => {
    const lanes = new Lanes({ most: 4, slowMost: 1_000 });
    for (let n = 0; n < 300; n += 1) lanes.ended(lane(`host-${n}`), false);
    expect(lanes.rooms()).toHaveLength(256);
    expect(lanes.rooms()[0]).toEqual({ ...lane("host-44"), room: 1 });
  });
});
