import { UnsupportedPathError } from "hono/router";
import { expect, test } from "vitest";
import { TwoRouters } from "./two-routers.ts";

function found(router: TwoRouters<string>, method: string, path: string): readonly string[] {
  return router.match(method, path)[0].map(([handler]) => handler);
}

test("a fixed word and a parameter may be at the same place of a path, and the word wins", () => {
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

test("a path that was not added is not found", () => {
  const router = new TwoRouters<string>();
  router.add("GET", "/holds/:id", "hold");
  expect(found(router, "GET", "/holds/a/b")).toEqual([]);
  expect(found(router, "PUT", "/holds/a")).toEqual([]);
});

test("a wildcard matches what no other path matches", () => {
  const router = new TwoRouters<string>();
  router.add("GET", "/console/*", "any");
  router.add("GET", "/console/log", "log");
  expect(found(router, "GET", "/console/log")).toEqual(["log"]);
  expect(found(router, "GET", "/console/else")).toEqual(["any"]);
});

test("middleware is refused, because two routers could not keep its order", () => {
  expect(() => new TwoRouters<string>().add("ALL", "/holds", "any")).toThrow(UnsupportedPathError);
});

test("routers with the same paths share what was compiled, and each finds its own handlers and parameters", () => {
  const [one, other] = ["one", "other"].map((name) => {
    const router = new TwoRouters<string>();
    router.add("GET", "/holds/:id", `${name} hold`);
    router.add("GET", "/holds/:id/links", `${name} links`);
    router.add("GET", "/holds/:id/:part", `${name} part`);
    return router;
  }) as [TwoRouters<string>, TwoRouters<string>];
  expect(one.match("GET", "/holds/a")).toEqual([[["one hold", { id: 1 }]], expect.arrayContaining(["a"])]);
  expect(other.match("GET", "/holds/b")).toEqual([
    [["other hold", { id: 1 }]],
    expect.arrayContaining(["b"]),
  ]);
  expect(found(one, "GET", "/holds/a/events")).toEqual(["one part"]);
  expect(found(other, "GET", "/holds/a/links")).toEqual(["other links"]);
});

test("a path that is added after the first request is refused", () => {
  const router = new TwoRouters<string>();
  router.add("GET", "/holds", "list");
  expect(found(router, "GET", "/holds")).toEqual(["list"]);
  expect(() => router.add("GET", "/late", "late")).toThrow(/added after the first request/);
});
