// @ts-check
/**
 * A lock between processes, for work that must not run twice at once: installing, building, fetching a browser.
 *
 * L1  At most one process holds the lock of a folder.
 * L2  A holder that was killed blocks nobody: its processes are gone, or its heartbeat has stopped (the pids of another
 *     container say nothing here, and pids are used again).
 * L3  Terms are numbered and the number only grows, so that of several who see the same dead holder one takes over:
 *     making term n + 1 fails for all but the first.
 */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 100;
const HEARTBEAT_MS = 1_000;
const SILENCE_MS = 30_000;

/**
 * @typedef {{ readonly host: string, readonly pids: readonly number[] }} Holder
 * @typedef {{ readonly term: number, readonly holder: Holder | null, readonly beatAt: number }} Term
 */

/** A term whose maker has not yet written who it is. */
const UNKNOWN = /** @type {Holder} */ ({ host: "", pids: [] });

/**
 * Runs `work` while holding the lock. `work` may name the processes it starts: then the lock outlives this process for
 * as long as one of them runs.
 *
 * @template T
 * @param {string} folder
 * @param {(name: (pid: number) => void) => Promise<T>} work
 * @param {{ onWait?: (holder: Holder) => void, silenceMs?: number, heartbeatMs?: number }} [options] `onWait` is
 *   called once, if somebody else holds the lock
 * @returns {Promise<T>}
 */
export async function withLock(folder, work, options = {}) {
  const file = await acquire(folder, options.onWait ?? (() => {}), options.silenceMs ?? SILENCE_MS);
  const pids = [process.pid];
  const beat = () => replace(file, { host: hostname(), pids });
  beat();
  const heartbeat = setInterval(beat, options.heartbeatMs ?? HEARTBEAT_MS);
  try {
    return await work((pid) => {
      pids.push(pid);
      beat();
    });
  } finally {
    clearInterval(heartbeat);
    replace(file, null);
  }
}

/**
 * @param {string} folder
 * @param {(holder: Holder) => void} onWait
 * @param {number} silenceMs
 */
async function acquire(folder, onWait, silenceMs) {
  /** @type {{ seen: Term, since: number } | undefined} */
  let watched;
  let told = false;
  for (;;) {
    const newest = newestTerm(folder);
    if (newest.holder === null || isGone(newest.holder)) {
      if (claim(folder, newest.term + 1)) return join(folder, String(newest.term + 1));
      continue;
    }
    if (!told && newest.holder.pids.length > 0) {
      told = true;
      onWait(newest.holder);
    }
    if (watched?.seen.term !== newest.term || watched.seen.beatAt !== newest.beatAt) {
      watched = { seen: newest, since: performance.now() };
    } else if (performance.now() - watched.since > silenceMs && claim(folder, newest.term + 1)) {
      return join(folder, String(newest.term + 1));
    }
    await sleep(POLL_MS);
  }
}

/**
 * @param {string} folder
 * @returns {Term}
 */
function newestTerm(folder) {
  mkdirSync(folder, { recursive: true });
  const term = Math.max(0, ...terms(folder));
  if (term === 0) return { term, holder: null, beatAt: 0 };
  const file = join(folder, String(term));
  try {
    const text = readFileSync(file, "utf8");
    return { term, holder: text === "" ? UNKNOWN : JSON.parse(text).holder, beatAt: statSync(file).mtimeMs };
  } catch (error) {
    // Two later terms were made since the folder was listed.
    if (codeOf(error) === "ENOENT") return newestTerm(folder);
    throw error;
  }
}

/**
 * @param {string} folder
 * @param {number} term
 */
function claim(folder, term) {
  try {
    writeFileSync(join(folder, String(term)), "", { flag: "wx" });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  // The term before stays: whoever is still looking at it must find it, and then lose the race for this one.
  for (const old of terms(folder)) {
    if (old < term - 1) rmSync(join(folder, String(old)), { force: true });
  }
  return true;
}

/** @param {string} folder */
function terms(folder) {
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/**
 * By rename, so that a reader sees the old words or the new ones.
 *
 * @param {string} file
 * @param {Holder | null} holder
 */
function replace(file, holder) {
  const draft = `${file}.${process.pid}.draft`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(draft, JSON.stringify({ holder }));
  renameSync(draft, file);
}

/** @param {Holder} holder */
function isGone(holder) {
  return holder.host === hostname() && !holder.pids.some(isRunning);
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
  return !isZombie(pid);
}

/**
 * Ended, but kept in the table of processes: in a container whose first process collects nobody's children, for ever.
 *
 * @param {number} pid
 */
function isZombie(pid) {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code;
}
