import type { HoldEvent } from "@holdpoint/protocol/client";
import type { Holdpoint } from "@holdpoint/sdk";
import { expect, test } from "vitest";
import { followChanges } from "./follow-changes.ts";

function telling(changes: number, end?: Error): Pick<Holdpoint, "follow"> {
  return {
    async *follow() {
      for (let told = 0; told < changes; told += 1) yield {} as HoldEvent;
      if (end !== undefined) throw end;
    },
  };
}

test("a list that could not be read is read again at the next change", async () => {
  const { signal } = new AbortController();
  let reads = 0;
  const changed = async () => {
    reads += 1;
    if (reads === 1) throw new Error("the server is away");
  };
  await followChanges(telling(3), { signal, changed, lost: expect.unreachable });
  expect(reads).toBe(3);
});

test("that nothing more will be told is said, unless nobody looks any more", async () => {
  const said: string[] = [];
  const stop = new AbortController();
  const following = {
    signal: stop.signal,
    changed: async () => undefined,
    lost: (why: string) => void said.push(why),
  };
  await followChanges(telling(0, new Error("the key was revoked")), following);
  stop.abort();
  await followChanges(telling(0, new Error("aborted")), following);
  expect(said).toEqual(["the key was revoked"]);
});
