import type { HoldClient, HoldEvent } from "@holdpoint/protocol/client";
import { expect, test } from "vitest";
import { followChanges } from "./follow-changes.ts";

function clientWith(changes: number, end?: Error): Pick<HoldClient, "follow"> {
  return {
    async *follow() {
      for (let sent = 0; sent < changes; sent += 1) yield {} as HoldEvent;
      if (end !== undefined) throw end;
    },
  };
}

test("following the inbox reads the list again at the next change after a failed read", async () => {
  const { signal } = new AbortController();
  let reads = 0;
  const changed = async () => {
    reads += 1;
    if (reads === 1) throw new Error("the server is unreachable");
  };
  await followChanges(clientWith(3), { signal, changed, lost: expect.unreachable });
  expect(reads).toBe(3);
});

test("following the inbox reports a lost stream, unless it was stopped on purpose", async () => {
  const reasons: string[] = [];
  const stop = new AbortController();
  const following = {
    signal: stop.signal,
    changed: async () => undefined,
    lost: (why: string) => void reasons.push(why),
  };
  await followChanges(clientWith(0, new Error("the key was revoked")), following);
  stop.abort();
  await followChanges(clientWith(0, new Error("aborted")), following);
  expect(reasons).toEqual(["the key was revoked"]);
});
