import { describe, expect, it } from "vitest";
import { Lanes } from "./lanes.ts";

const lane = (name: string, workspace = "default") => ({ workspace, lane: name });

function heard(
  limits: { readonly most: number; readonly strangersMost: number },
  ...names: readonly string[]
) {
  const lanes = new Lanes(limits);
  for (const name of names) lanes.ended(lane(name), true);
  return lanes;
}

describe("outbox lanes", () => {
  it("each lane that answered has its own limit of concurrent tries, in each workspace", () => {
    const lanes = heard({ most: 2, strangersMost: 1 }, "a", "b");
    const leave = lanes.enter(lane("a"));
    lanes.enter(lane("a"));
    expect(lanes.hasRoom(lane("a"))).toBe(false);
    expect(lanes.hasRoom(lane("b"))).toBe(true);
    const rooms = (of: number) => [
      { ...lane("a"), room: of },
      { ...lane("b"), room: 2 },
    ];
    expect(lanes.heardRooms()).toEqual({ usual: 0, rooms: rooms(0) });
    expect(leave()).toBe(true);
    expect(lanes.heardRooms()).toEqual({ usual: 0, rooms: rooms(1) });
    expect(lanes.hasRoom(lane("a"))).toBe(true);
    expect(lanes.enter(lane("b"))(), "nothing waits for a slot of a lane with free slots").toBe(false);
  });

  it("a lane that is new or did not answer gets one slot, until it answers", () => {
    const lanes = heard({ most: 4, strangersMost: 2 }, "a");
    lanes.ended(lane("a"), false);
    expect(lanes.heardRooms().rooms).toEqual([]);
    expect(lanes.strangerRooms()).toEqual({ usual: 1, rooms: [] });
    const leave = lanes.enter(lane("a"));
    expect(lanes.hasRoom(lane("a"))).toBe(false);
    expect(lanes.hasRoom(lane("a", "other"))).toBe(true);
    expect(lanes.strangerRooms()).toEqual({ usual: 1, rooms: [{ ...lane("a"), room: 0 }] });
    lanes.ended(lane("a"), true);
    expect(leave(), "other rows of the lane may wait now").toBe(true);
    expect(lanes.heardRooms().rooms).toEqual([{ ...lane("a"), room: 4 }]);
    expect(lanes.strangerRooms(), "it is claimed as one that answered").toEqual({
      usual: 1,
      rooms: [{ ...lane("a"), room: 0 }],
    });
  });

  it("lanes that are new or did not answer share a number of slots, and the others keep theirs", () => {
    const lanes = heard({ most: 4, strangersMost: 2 }, "a");
    expect(lanes.strangersRoom).toBe(2);
    const leave = lanes.enter(lane("b"));
    lanes.enter(lane("c"));
    expect(lanes.strangersRoom).toBe(0);
    expect(lanes.hasRoom(lane("d"))).toBe(false);
    expect(lanes.hasRoom(lane("a"))).toBe(true);
    expect(leave(), "other lanes may wait for the slot").toBe(true);
    expect(lanes.strangersRoom).toBe(1);
  });

  it("a channel of the operator has all its slots from its first message on, unless it did not answer the last time", () => {
    const lanes = new Lanes({ most: 4, strangersMost: 1 });
    const mail = lane("channel:mail");
    lanes.enter(mail);
    expect(lanes.heardRooms().rooms).toEqual([{ ...mail, room: 3 }]);
    expect(lanes.strangersRoom).toBe(1);
    lanes.ended(mail, false);
    lanes.enter(mail);
    expect(lanes.heardRooms().rooms).toEqual([]);
    lanes.ended(mail, true);
    expect(lanes.heardRooms().rooms).toEqual([{ ...mail, room: 2 }]);
  });

  it("at most 256 lanes that answered are remembered, those that answered last", () => {
    const lanes = new Lanes({ most: 4, strangersMost: 1 });
    for (let n = 0; n < 300; n += 1) lanes.ended(lane(`host-${n}`), true);
    lanes.ended(lane("host-44"), true);
    lanes.ended(lane("host-300"), true);
    const { rooms } = lanes.heardRooms();
    expect(rooms).toHaveLength(256);
    expect(rooms[0]).toEqual({ ...lane("host-46"), room: 4 });
  });
});
