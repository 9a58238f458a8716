import { expect, it } from "vitest";
import { aged, CLEARS, isAsset, isRead, withKeptAt } from "./what.ts";

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

it("signing out or in makes it forget", () => {
  expect(CLEARS.test("/signout")).toBe(true);
  expect(CLEARS.test("/signin")).toBe(true);
  expect(CLEARS.test("/signin/passkey")).toBe(true);
  expect(CLEARS.test("/console")).toBe(false);
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
