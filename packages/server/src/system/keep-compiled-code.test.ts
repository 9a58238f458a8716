import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const MODULE = fileURLToPath(new URL("keep-compiled-code.ts", import.meta.url));
/** V8 says how long it waits before it reduces memory; without `keepCompiledCode` it is a tenth of a second here. */
const FLAGS = [
  "--trace-memory-reducer",
  "--memory-reducer-delay-ms=100",
  "--gc-memory-reducer-start-delay-ms=100",
];
const PROGRAM = `
import { setTimeout as pause } from "node:timers/promises";
import { keepCompiledCode } from ${JSON.stringify(MODULE)};
if (process.argv.includes("keep")) keepCompiledCode();
for (let round = 0; round < 3; round += 1) {
  let kept = [];
  for (let i = 0; i < 400_000; i += 1) {
    kept.push({ i, list: [i] });
    if (i % 100_000 === 0) await pause(5);
  }
}
await pause(500);
`;

/** What V8 prints, in a process of its own whose memory grows and which then waits. */
async function traceOf(...args: readonly string[]): Promise<string> {
  const program = [...FLAGS, "--input-type=module", "--eval", PROGRAM, ...args];
  return (await promisify(execFile)(process.execPath, program)).stdout;
}

test("keepCompiledCode keeps V8 from reducing the memory of a program that waits for a moment", async () => {
  const [usual, kept] = await Promise.all([traceOf(), traceOf("keep")]);
  expect(usual).toContain("waiting for 100 ms");
  expect(kept).not.toContain("waiting for 100 ms");
});
