import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withLock } from "./lock.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-lock-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The pid of a process that has ended and been reaped. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await new Promise((resolve) => child.once("close", resolve));
  return child.pid!;
}

function leaveTerm(term: number, holder: { host: string; pids: readonly number[] } | null): void {
  writeFileSync(join(folder, String(term)), JSON.stringify({ holder }));
}

test("L1 withLock runs simultaneous callers one after the other", async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(folder, work)));
  expect(most).toBe(1);
});

test("withLock returns what the work returned, and frees the lock after the work threw", async () => {
  await expect(withLock(folder, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(withLock(folder, () => Promise.resolve(7))).resolves.toBe(7);
});

test("L2 a lock whose holder's processes have ended is taken over at once", async () => {
  leaveTerm(4, { host: hostname(), pids: [await endedPid()] });
  const waited: unknown[] = [];
  await withLock(folder, async () => {}, { onWait: (holder) => waited.push(holder) });
  expect(waited).toEqual([]);
});

test("L2 a process that the killed holder started keeps the lock until it ends", async () => {
  const child = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  leaveTerm(1, { host: hostname(), pids: [await endedPid(), child.pid!] });
  const waited: unknown[] = [];
  await withLock(folder, async () => {}, {
    onWait: (holder) => {
      waited.push(holder);
      child.kill("SIGKILL");
    },
  });
  expect(waited).toHaveLength(1);
});

test("L2 a lock held on another host is taken over when its heartbeat has stopped", async () => {
  leaveTerm(1, { host: "another-container", pids: [1] });
  await expect(withLock(folder, () => Promise.resolve("mine"), { silenceMs: 50 })).resolves.toBe("mine");
});

test("L2 a lock whose holder died before it wrote its name is taken over", async () => {
  writeFileSync(join(folder, "1"), "");
  await expect(withLock(folder, () => Promise.resolve("mine"), { silenceMs: 50 })).resolves.toBe("mine");
});

test("L2 the holder of a lock sends heartbeats for as long as it works", async () => {
  const seen = new Set<number>();
  const work = async () => {
    while (seen.size < 3) {
      seen.add(statSync(join(folder, "1")).mtimeMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await withLock(folder, work, { heartbeatMs: 5 });
  expect(seen.size).toBe(3);
});

test("L3 the numbers of terms only grow, and no more than two terms are kept", async () => {
  leaveTerm(6, null);
  leaveTerm(7, null);
  for (let round = 0; round < 3; round += 1) await withLock(folder, async () => {});
  expect(readdirSync(folder).sort()).toEqual(["10", "9"]);
});

test("withLock works again after its folder was removed", async () => {
  await withLock(folder, async () => rmSync(folder, { recursive: true }));
  await expect(withLock(folder, () => Promise.resolve("again"))).resolves.toBe("again");
});
