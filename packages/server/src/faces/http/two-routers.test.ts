import { UnsupportedPathError } from "hono/router";
import { expect, test } from "vitest";
import { TwoRouters } from "./two-routers.ts";

function found(router: TwoRouters<string>, method: string, path: string): readonly string[] {
  return router.match(method, path)[0].map(([handler]) => handler);
}

test("a word and a parameter may stand in the same place, and the word wins", () => {
  const router = new TwoRouters<string>();
  router.add("POST", "/holds/:id/claim", "claim");
  router.add("POST", "/holds/:id/claim/release", "release");
  router.add("POST", "/holds/:id/claim/:claim/done", "done");
  router.add("GET", "/intents/:id/events/verify", "verify");
  router.add("GET", "/intents/:id/events/:event", "event");
  expect(found(router, "POST", "/holds/a/claim")).toEqual(["claim"]);
  expect(found(router, "POST", "/holds/a/claim/release")).toEqual(["release"]);
  expect(found(router, "POST", "/holds/a/claim/b/done")).toEqual(["done"]);
  expect(found(router, "GET", "/intents/a/events/verify")).toEqual(["verify"]);
  expect(found(router, "GET", "/intents/a/events/7")).toEqual(["event"]);
});

test("what nobody added is not found", () => {
  const router = new TwoRouters<string>();
  router.add("GET", "/holds/:id", "hold");
  expect(found(router, "GET", "/holds/a/b")).toEqual([]);
  expect(found(router, "PUT", "/holds/a")).toEqual([]);
});

test("a wildcard takes what no other path takes", () => {
  const router = new TwoRouters<string>();
  router.add("GET", "/console/*", "any");
  router.add("GET", "/console/log", "log");
  expect(found(router, "GET", "/console/log")).toEqual(["log"]);
  expect(found(router, "GET", "/console/else")).toEqual(["any"]);
});

test("middleware, whose order two routers could not keep, is refused", () => {
  expect(() => new TwoRouters<string>().add("ALL", "/holds", "any")).toThrow(UnsupportedPathError);
});
