import { describe, expect, it } from "vitest";
import { laneOf, laneOfChannel } from "./lane.ts";

describe("lanes", () => {
  it("are hosts, whatever their case, port or trailing dot", () => {
    expect(laneOf("https://A.example:8443/x")).toBe("a.example");
    expect(laneOf("https://a.example./y")).toBe("a.example");
    expect(laneOf("http://[::1]:9/")).toBe("::1");
    expect(laneOf("nonsense")).toBe("");
  });

  it("of channels cannot be taken for hosts", () => {
    expect(laneOfChannel("a.example")).not.toBe(laneOf("https://a.example"));
  });
});
