import { describe, expect, it } from "vitest";
import { Lanes } from "./lanes.ts";

const lane = (name: string, workspace = "default") => ({ workspace, lane: name });

describe("outbox lanes", () => {
  it("each lane of each workspace has its own limit of concurrent tries", () => {
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

  it("an empty lane is forgotten", () => {
    const lanes = new Lanes({ most: 2, slowMost: 2 });
    expect(lanes.enter(lane("a"))()).toBe(false);
    expect(lanes.rooms()).toEqual([]);
  });

  it("a lane whose receiver did not answer gets one slot until it answers again", () => {
    const lanes = new Lanes({ most: 4, slowMost: 2 });
    lanes.ended(lane("a"), false);
    expect(lanes.rooms()).toEqual([{ ...lane("a"), room: 1 }]);
    const leave = lanes.enter(lane("a"));
    expect(lanes.hasRoom(lane("a"))).toBe(false);
    expect(lanes.rooms()).toEqual([{ ...lane("a"), room: 0 }]);
    expect(leave(), "other rows may wait for the slot").toBe(true);
    lanes.ended(lane("a"), true);
    expect(lanes.rooms()).toEqual([]);
  });

  it("lanes whose receivers did not answer share a number of slots and take turns", () => {
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

  it("at most 256 lanes whose receivers did not answer are remembered", () => {
    const lanes = new Lanes({ most: 4, slowMost: 1_000 });
    for (let n = 0; n < 300; n += 1) lanes.ended(lane(`host-${n}`), false);
    expect(lanes.rooms()).toHaveLength(256);
    expect(lanes.rooms()[0]).toEqual({ ...lane("host-44"), room: 1 });
  });
});
