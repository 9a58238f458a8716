/** The cases that every adapter must pass, for any test runner. */

import type { CallAsk } from "../tool-calls/call.ts";
import type { AdapterUnderTest, Stage } from "./adapter.ts";
import { ENDINGS } from "./endings.ts";
import { PROCESSES } from "./processes.ts";
import { Trial } from "./stage.ts";

export interface AdapterCase {
  readonly title: string;
  readonly script: Stage["script"];
  /** How the agent asks about its calls. */
  readonly asks?: CallAsk;
  /** `state`: only for adapters that keep the run's state in the store they are given. */
  readonly needs?: "state";
  play(trial: Trial): Promise<void>;
}

export interface AdapterTest {
  readonly title: string;
  /** Throws when the adapter does not pass. */
  run(): Promise<void>;
}

/**
 * Everything an adapter promises, as tests for any runner.
 *
 * @example
 * ```ts
 * import { type AdapterUnderTest, adapterTests } from "@holdpoint/adapters/testing";
 * import { it } from "node:test";
 *
 * export function prove(adapter: AdapterUnderTest): void {
 *   for (const { title, run } of adapterTests(adapter)) it(title, run);
 * }
 * ```
 */
export function adapterTests(adapter: AdapterUnderTest): readonly AdapterTest[] {
  return [...ENDINGS, ...PROCESSES]
    .filter(({ needs }) => needs === undefined || adapter.keepsOwnState !== true)
    .map(({ title, script, play, asks }) => ({
      title,
      async run() {
        await using trial = new Trial(adapter, script, asks);
        await play(trial);
      },
    }));
}
