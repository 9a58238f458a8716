import { expect, it } from "vitest";
import { aged, cacheNames, forgetOthers, isAsset, isRead, readerOf, withKeptAt } from "./what.ts";

const at = (path: string) => new URL(path, "http://localhost");

it("the console's own reads are kept, and streams, files, keys and other APIs are not", () => {
  for (const path of [
    "/v1/holds?status=open",
    "/v1/holds/hold_1",
    "/v1/hold-counts",
    "/v1/overview",
    "/v1/activity?x=1",
  ])
    expect(isRead(at(path), null), path).toBe(true);
  for (const path of [
    "/v1/events",
    "/v1/files/file_1",
    "/v1/keys",
    "/v1/log",
    "/api/v1/intents",
    "/review/review_1",
  ])
    expect(isRead(at(path), null), path).toBe(false);
  expect(isRead(at("/v1/holds"), "text/event-stream")).toBe(false);
  expect(isAsset(at("/assets/web/app-1.js"))).toBe(true);
});

/** As much of a browser's caches as is used to forget. */
function cachesOf(...names: readonly string[]) {
  const kept = new Set(names);
  const caches = { keys: async () => [...kept], delete: async (name: string) => kept.delete(name) };
  return { kept, caches: caches as unknown as CacheStorage };
}

it("what one person has read is kept under other names than what the next person reads", async () => {
  const [ada, grace] = [await readerOf("ada", "token-1"), await readerOf("grace", "token-1")];
  expect(ada).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set([ada, grace, await readerOf("ada", "token-2")]).size).toBe(3);
  expect(cacheNames(ada).pages).not.toBe(cacheNames(grace).pages);
  expect(cacheNames(ada).reads).not.toBe(cacheNames(grace).reads);
});

it("a console that starts deletes what others have read, and signing out deletes what anybody has read", async () => {
  const [own, others] = [cacheNames("own"), cacheNames("others")];
  const all = [...Object.values(own), others.pages, others.reads, "holdpoint-reads-1", "somebody-elses"];
  const starting = cachesOf(...all);
  await forgetOthers(starting.caches, "own");
  expect([...starting.kept]).toEqual([...Object.values(own), "somebody-elses"]);
  const leaving = cachesOf(...all);
  await forgetOthers(leaving.caches);
  expect([...leaving.kept]).toEqual([own.assets, "somebody-elses"]);
});

it("a page that was kept for an hour tells a server's time that is an hour later, and no place in the log", async () => {
  const page = new Response('{"name":"\\"now\\":7","now":5000,"position":12,"version":"1"}', {
    headers: { "content-encoding": "br" },
  });
  const kept = await withKeptAt(page, 100);
  expect(kept.headers.get("content-encoding")).toBeNull();
  expect(await (await aged(kept, 100 + 3_600_000)).text()).toBe(
    '{"name":"\\"now\\":7","now":3605000,"version":"1"}',
  );
});
