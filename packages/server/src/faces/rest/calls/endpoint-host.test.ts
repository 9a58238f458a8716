import { expect, test } from "vitest";
import { hostOf } from "./endpoint-host.ts";

test("webhooks and callbacks have the host of their address; channels, and hosts that are not known yet, have none", () => {
  expect(hostOf({ kind: "webhook", endpoint: "hook_1", lane: "example.com" })).toEqual({
    host: "example.com",
  });
  expect(hostOf({ kind: "callback", endpoint: "callback", lane: "example.com" })).toEqual({
    host: "example.com",
  });
  expect(hostOf({ kind: "webhook", endpoint: "hook_1", lane: "hook_1" })).toEqual({});
  expect(hostOf({ kind: "callback", endpoint: "callback", lane: "" })).toEqual({});
  for (const kind of ["notice", "update", "tell"] as const)
    expect(hostOf({ kind, endpoint: "team", lane: "channel:team" })).toEqual({});
});
