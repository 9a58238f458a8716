/** The example, as somebody who reads about it would use it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sseParser } from "@holdpoint/protocol/http";
import { expect, test } from "vitest";
import { serverProcess } from "../support/server-process.ts";

const MAIN = fileURLToPath(new URL("../../examples/ag-ui-app/main.ts", import.meta.url));

async function exampleApp(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ["--conditions=@holdpoint/source", MAIN], {
    env: { ...process.env, ...env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  const url = /http:\S+/.exec(said.toString())?.[0] ?? "";
  return {
    /** The README's curl. */
    async run(body: object) {
      const headers = { "content-type": "application/json" };
      const reply = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
      return JSON.parse(
        sseParser()
          .push(await reply.text())
          .at(-1)?.data ?? "{}",
      );
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

test("the example stops for a person, resumes after a restart with the answer, and reports the same end to a repeated request", async () => {
  await using server = await serverProcess();
  const env = { HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: server.key };
  const id = await (async () => {
    await using app = await exampleApp(env);
    const { outcome } = await app.run({ threadId: "t1", runId: "r1", messages: [] });
    return outcome.interrupts[0].id;
  })();
  await using app = await exampleApp(env);
  const resume = [{ interruptId: id, status: "resolved", payload: { approved: true } }];
  for (const runId of ["r2", "r3"]) {
    expect(await app.run({ threadId: "t1", runId, messages: [], resume })).toMatchObject({
      type: "RUN_FINISHED",
      result: { refund: "executed" },
    });
  }
}, 60_000);
