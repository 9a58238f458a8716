import { UnsupportedPathError } from "hono/router";
import { expect, test } from "vitest";
import { SegmentRouter } from "./segment-router.ts";

function routerOf(...routes: readonly (readonly [method: string, path: string, handler: string])[]) {
  const router = new SegmentRouter<string>();
  for (const [method, path, handler] of routes) router.add(method, path, handler);
  return router;
}

/** The handler and its parameters, as Hono reads them. */
function found(router: SegmentRouter<string>, method: string, path: string) {
  const [[route], values = []] = router.match(method, path) as [[string, Record<string, number>][], string[]];
  if (route === undefined) return undefined;
  const [handler, places] = route;
  return [handler, Object.fromEntries(Object.entries(places).map(([name, at]) => [name, values[at]]))];
}

test("a fixed word and a parameter may be at the same place of a path, and the word wins", () => {
  const router = routerOf(
    ["POST", "/holds/:id/claim", "claim"],
    ["POST", "/holds/:id/claim/:claim/done", "done"],
    ["POST", "/holds/:id/claim/release", "release"],
    ["GET", "/intents/:id/events/:event", "event"],
    ["GET", "/intents/:id/events/verify", "verify"],
  );
  expect(found(router, "POST", "/holds/a/claim")).toEqual(["claim", { id: "a" }]);
  expect(found(router, "POST", "/holds/a/claim/release")).toEqual(["release", { id: "a" }]);
  expect(found(router, "POST", "/holds/a/claim/b/done")).toEqual(["done", { id: "a", claim: "b" }]);
  expect(found(router, "GET", "/intents/a/events/verify")).toEqual(["verify", { id: "a" }]);
  expect(found(router, "GET", "/intents/a/events/7")).toEqual(["event", { id: "a", event: "7" }]);
});

test("a parameter may have the value of a fixed word that leads elsewhere", () => {
  const router = routerOf(["GET", "/holds/count/open", "count"], ["GET", "/holds/:id/links", "links"]);
  expect(found(router, "GET", "/holds/count/links")).toEqual(["links", { id: "count" }]);
});

test("values of a way that led nowhere are not given to another route", () => {
  const router = routerOf(["GET", "/a/:x/b/:y/end", "long"], ["GET", "/:any/:x/b/c", "other"]);
  expect(found(router, "GET", "/a/1/b/c")).toEqual(["other", { any: "a", x: "1" }]);
});

test("routes with other names for the same parameter each get their own name", () => {
  const router = routerOf(["GET", "/holds/:id", "hold"], ["GET", "/holds/:hold/links", "links"]);
  expect(found(router, "GET", "/holds/a")).toEqual(["hold", { id: "a" }]);
  expect(found(router, "GET", "/holds/b/links")).toEqual(["links", { hold: "b" }]);
});

test("a path that was not added is not found", () => {
  const router = routerOf(["GET", "/holds/:id", "hold"], ["GET", "/", "start"]);
  expect(found(router, "GET", "/")).toEqual(["start", {}]);
  for (const path of ["/holds", "/holds/", "/holds/a/", "/holds/a/b", "/holds//", "//", "", "/constructor"])
    expect(found(router, "GET", path)).toBeUndefined();
  expect(found(router, "PUT", "/holds/a")).toBeUndefined();
});

test("a wildcard matches what no other path matches, and the path before it", () => {
  const router = routerOf(
    ["GET", "/console/*", "any"],
    ["GET", "/console/log", "log"],
    ["GET", "/console/holds/:id", "hold"],
  );
  expect(found(router, "GET", "/console/log")).toEqual(["log", {}]);
  expect(found(router, "GET", "/console/holds/a")).toEqual(["hold", { id: "a" }]);
  for (const path of ["/console", "/console/", "/console/else", "/console/holds/a/b", "/console/log/"])
    expect(found(router, "GET", path)).toEqual(["any", {}]);
  expect(found(router, "GET", "/consoles")).toBeUndefined();
  expect(found(routerOf(["GET", "/*", "any"]), "GET", "/a/b")).toEqual(["any", {}]);
});

test("middleware and patterns that no operation uses are refused", () => {
  const router = new SegmentRouter<string>();
  expect(() => router.add("ALL", "/holds", "any")).toThrow(UnsupportedPathError);
  for (const path of ["/a/*/b", "/holds/:id?", "/holds/:id{[0-9]+}"])
    expect(() => router.add("GET", path, "any")).toThrow(UnsupportedPathError);
});

test("an address that is mounted twice is refused, whatever its parameter is called", () => {
  const router = routerOf(["GET", "/holds/:id", "hold"]);
  expect(() => router.add("GET", "/holds/:hold", "other")).toThrow(/mounted twice/);
});
