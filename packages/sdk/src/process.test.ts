/** A process lives while it waits and ends by itself when it has nothing left to wait for. */

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { FakeServer, until } from "@holdpoint/protocol/http/testing";
import { describe, expect, it } from "vitest";

const entry = fileURLToPath(new URL("index.ts", import.meta.url));
const program = `
  const { Holdpoint } = await import(${JSON.stringify(entry)});
  const outcome = await new Holdpoint().ask({ key: "k", type: "approval", prompt: "Go?" });
  process.stdout.write(outcome.kind + " " + outcome.action);
`;

function run(url: string) {
  const args = ["--conditions=@holdpoint/source", "--input-type=module", "--eval", program];
  const env = { ...process.env, HOLDPOINT_URL: url, HOLDPOINT_API_KEY: "hp_test", NODE_OPTIONS: "" };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const said: string[] = [];
  child.stdout.on("data", (text: Buffer) => said.push(text.toString()));
  child.stderr.on("data", (text: Buffer) => said.push(text.toString()));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, said, ended };
}

describe("a process that asks", () => {
  it("keeps running while it waits, and ends at once when it has its outcome", async () => {
    await using server = await FakeServer.start();
    const { child, said, ended } = run(server.url);
    try {
      await until(
        () => server.streams.length === 1 && server.calls(/GET \/v1\/holds\//).length === 1,
        "the wait",
      );
      expect(child.exitCode).toBeNull();
      server.decide("hold_1");
      expect(await ended).toBe(0);
      expect(said.join("")).toBe("decided approve");
    } finally {
      child.kill("SIGKILL");
    }
  });
});
