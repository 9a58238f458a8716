/**
 * @module
 * A Holdpoint in memory for unit tests: the server's own rules, no port, no files, and a clock that only the test moves. It works
 * in any test runner, also while the runner's fake timers are on.
 *
 * @example
 * ```ts
 * import { Holdpoint } from "@holdpoint/sdk";
 * import { testHoldpoint } from "@holdpoint/sdk/testing";
 *
 * const test = testHoldpoint();
 * const hp = new Holdpoint({ client: test.client });
 *
 * const running = hp.choose("Where shall it run?", ["eu", "us"]); // the code under test, not awaited yet
 * await test.answerNext("select", { selected: ["eu"] });
 * console.assert((await running) === "eu");
 * ```
 */

export type { AnswerOptions, TestHoldpoint, TestHoldpointOptions } from "./test-holdpoint.ts";
export { testHoldpoint } from "./test-holdpoint.ts";
