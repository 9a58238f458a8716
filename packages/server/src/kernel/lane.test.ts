import { describe, expect, it } from "vitest";
import { laneOf, laneOfChannel } from "./lane.ts";

describe("outbox lanes", () => {
  it("the lane of a URL is its host without port, upper case and trailing dot", () => {
    expect(laneOf("https://A.example:8443/x")).toBe("a.example");
    expect(laneOf("https://a.example./y")).toBe("a.example");
    expect(laneOf("http://[::1]:9/")).toBe("::1");
    expect(laneOf("nonsense")).toBe("");
  });

  it("the lane of a channel never equals the lane of a host with the same name", () => {
    expect(laneOfChannel("a.example")).not.toBe(laneOf("https://a.example"));
  });
});
