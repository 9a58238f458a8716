import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const FRAMES = 2_000;
const CHILD = fileURLToPath(new URL("./sse.child.ts", import.meta.url));

test("G13 an open stream keeps nothing of the frames that it has sent", async () => {
  const options = ["--conditions=@holdpoint/source", "--disable-warning=ExperimentalWarning"];
  const { stdout } = await promisify(execFile)(process.execPath, [...options, CHILD, String(FRAMES)]);
  const { bytes, kept } = JSON.parse(stdout) as { bytes: number; kept: number };
  expect(bytes).toBeGreaterThan(FRAMES * 10);
  expect(kept).toBeLessThan(FRAMES / 10);
});
