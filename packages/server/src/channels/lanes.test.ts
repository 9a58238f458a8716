import { describe, expect, it } from "vitest";
import { type LaneLimits, Lanes } from "./lanes.ts";

const lane = (name: string, workspace = "default") => ({ workspace, lane: name });
const room = (name: string, free: number, workspace = "default") => ({
  ...lane(name, workspace),
  room: free,
});

const LIMITS = { most: 2, channels: 4, silentChannels: 1, hosts: 4, strangers: 2, slow: 1 };

function made(limits: Partial<LaneLimits> = {}, ...quick: readonly string[]) {
  const lanes = new Lanes({ ...LIMITS, ...limits });
  for (const name of quick) lanes.ended(lane(name), "quick");
  return lanes;
}

describe("outbox lanes", () => {
  it("each host that answered at once has its own limit of concurrent tries, in each workspace", () => {
    const lanes = made({}, "a", "b");
    const leave = lanes.enter(lane("a"));
    lanes.enter(lane("a"));
    expect(lanes.hasRoom(lane("a"))).toBe(false);
    expect(lanes.hasRoom(lane("b"))).toBe(true);
    expect(lanes.hasRoom(lane("a", "other"))).toBe(true);
    expect(lanes.claimOf("quick")).toEqual({ most: 2, lanes: { usual: 0, rooms: [room("b", 2)] } });
    expect(leave()).toBe(true);
    expect(lanes.claimOf("quick")?.lanes.rooms).toEqual([room("b", 2), room("a", 1)]);
    expect(lanes.enter(lane("b"))(), "nothing waits for a slot of a lane with free slots").toBe(false);
  });

  it("a host that is new gets one slot, until it answers at once", () => {
    const lanes = made();
    const leave = lanes.enter(lane("a"));
    expect(lanes.hasRoom(lane("a"))).toBe(false);
    expect(lanes.hasRoom(lane("a", "other"))).toBe(true);
    expect(lanes.claimOf("strangers")).toEqual({
      most: 1,
      lanes: { of: "hosts", usual: 1, rooms: [room("a", 0)] },
    });
    lanes.ended(lane("a"), "none");
    expect(lanes.claimOf("slow")).toBe(null);
    lanes.ended(lane("a"), "quick");
    expect(leave(), "other rows of the lane may wait now").toBe(true);
    expect(lanes.claimOf("quick")?.lanes.rooms).toEqual([room("a", 2)]);
    expect(lanes.claimOf("strangers")?.lanes.rooms).toEqual([room("a", 0)]);
  });

  it("a host that answered before gets one slot among the slow ones after a try without a quick response", () => {
    for (const response of ["slow", "none"] as const) {
      const lanes = made({}, "a", "b");
      lanes.ended(lane("a"), response);
      expect(lanes.claimOf("quick")?.lanes.rooms).toEqual([room("b", 2)]);
      expect(lanes.claimOf("slow")).toEqual({ most: 1, lanes: { usual: 0, rooms: [room("a", 1)] } });
      lanes.enter(lane("a"));
      expect(lanes.claimOf("slow")).toBe(null);
      expect(lanes.claimOf("strangers")?.most, "slow hosts leave strangers their slots").toBe(2);
      lanes.ended(lane("a"), "quick");
      expect(lanes.claimOf("quick")?.lanes.rooms).toEqual([room("b", 2), room("a", 1)]);
    }
  });

  it("hosts that are new share a number of slots, and all hosts leave some to channels", () => {
    const lanes = made({ hosts: 3 }, "a");
    const leave = lanes.enter(lane("b"));
    lanes.enter(lane("c"));
    expect(lanes.hasRoom(lane("d"))).toBe(false);
    expect(lanes.claimOf("strangers")).toBe(null);
    expect(lanes.hasRoom(lane("a"))).toBe(true);
    lanes.enter(lane("a"));
    expect(lanes.hostsRoom).toBe(0);
    expect(lanes.hasRoom(lane("a"))).toBe(false);
    expect(lanes.hasRoom(lane("channel:mail"))).toBe(true);
    expect(leave(), "other lanes may wait for the slot").toBe(true);
    expect(lanes.claimOf("strangers")?.most).toBe(1);
  });

  it("workspaces without a try to a new host are asked before the others", () => {
    const lanes = made({ strangers: 3 });
    expect(lanes.claimOf("otherWorkspaces")).toBe(null);
    lanes.enter(lane("a"));
    lanes.enter(lane("b"));
    expect(lanes.claimOf("otherWorkspaces")).toEqual({
      most: 1,
      lanes: { of: "hosts", usual: 1, rooms: [room("a", 0), room("b", 0)], without: ["default"] },
    });
  });

  it("quick hosts come in turn: of the workspace with the fewest tries first, then the one served longest ago", () => {
    const lanes = made({}, "a", "b", "c");
    lanes.ended(lane("z", "other"), "quick");
    lanes.enter(lane("a"));
    const names = lanes.claimOf("quick")?.lanes.rooms.map((each) => each.lane);
    expect(names).toEqual(["z", "b", "c", "a"]);
  });

  it("a channel has all its slots from its first message on, and one of its own while it does not answer", () => {
    const lanes = made();
    const mail = lane("channel:mail");
    expect(lanes.claimOf("channels")).toEqual({ most: 4, lanes: { of: "channels", usual: 2, rooms: [] } });
    lanes.enter(mail);
    expect(lanes.claimOf("channels")).toEqual({
      most: 3,
      lanes: { of: "channels", usual: 2, rooms: [room("channel:mail", 1)] },
    });
    expect(lanes.claimOf("strangers")?.most).toBe(2);
    lanes.ended(mail, "none");
    expect(lanes.claimOf("channels")?.lanes.rooms).toEqual([room("channel:mail", 0)]);
    expect(lanes.claimOf("silentChannels")).toBe(null);
    lanes.ended(mail, "slow");
    expect(lanes.claimOf("channels")?.lanes.rooms).toEqual([room("channel:mail", 1)]);
    lanes.ended(lane("channel:chat"), "none");
    expect(lanes.claimOf("silentChannels")).toEqual({
      most: 1,
      lanes: { usual: 0, rooms: [room("channel:chat", 1)] },
    });
  });

  it("at most 256 quick hosts are remembered, and the workspace with the most loses the one served longest ago", () => {
    const lanes = made();
    lanes.ended(lane("mine", "small"), "quick");
    for (let n = 0; n < 300; n += 1) lanes.ended(lane(`host-${n}`), "quick");
    lanes.enter(lane("host-45"))();
    lanes.ended(lane("host-300"), "quick");
    const rooms = lanes.claimOf("quick")?.lanes.rooms ?? [];
    expect(rooms).toHaveLength(256);
    expect(rooms.slice(0, 2)).toEqual([room("mine", 2, "small"), room("host-47", 2)]);
  });
});
