/** What went wrong in a soak, from what was seen in each of its parts. */

export interface Part {
  readonly cycles: number;
  readonly p50: number;
  readonly p99: number;
  readonly memoryMiB: number;
  /** Of the holds that expired in this part. */
  readonly expired: number;
  readonly latestMs: number;
}

export interface Ending {
  readonly failures: number;
  /** Expired and never heard of. */
  readonly missing: number;
  readonly openHolds: number;
  readonly wantedHolds: number;
  readonly lostStreams: number;
  /** Streams of everything that were sent less than others of them, and of one hold that were not sent its decision. */
  readonly shortStreams: number;
}

const LATE_MS = 1_000;

/** The first part warms up; the quarter after it is compared with the last one. */
export function faultsOf(parts: readonly Part[], ending: Ending, wantedCycles: number): readonly string[] {
  const quarter = Math.max(1, Math.floor(parts.length / 4));
  const [early, late] = [parts.slice(1, 1 + quarter), parts.slice(-quarter)];
  // One part in which the machine did something else decides nothing.
  const median = (of: readonly Part[], what: "p99" | "memoryMiB") =>
    of.map((each) => each[what]).toSorted((a, b) => a - b)[Math.floor((of.length - 1) / 2)] ?? 0;
  const from = (what: "p99" | "memoryMiB") =>
    `from ${median(early, what).toFixed(0)} to ${median(late, what).toFixed(0)}`;
  const latest = Math.max(...parts.map(({ latestMs }) => latestMs));
  const cycles = parts.reduce((sum, part) => sum + part.cycles, 0);
  const checks: readonly [boolean, string][] = [
    [
      median(late, "memoryMiB") > 1.25 * median(early, "memoryMiB") + 32,
      `memory grew ${from("memoryMiB")} MiB`,
    ],
    [median(late, "p99") > 2 * median(early, "p99") + 20, `p99 grew ${from("p99")} ms`],
    [cycles < 0.95 * wantedCycles, `only ${cycles} of ${wantedCycles} cycles were done`],
    [latest > LATE_MS, `a hold expired ${latest} ms late`],
    [parts.some(({ expired }) => expired === 0), "no hold expired in one of the parts"],
    [ending.missing > 0, `${ending.missing} holds did not expire`],
    [ending.failures > 0, `${ending.failures} requests failed`],
    [
      ending.openHolds < ending.wantedHolds,
      `${ending.openHolds} of ${ending.wantedHolds} holds are still open`,
    ],
    [ending.lostStreams > 0, `${ending.lostStreams} streams were lost`],
    [ending.shortStreams > 0, `${ending.shortStreams} streams were not sent everything`],
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, words]) => words);
}
