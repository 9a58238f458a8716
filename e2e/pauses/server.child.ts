/**
 * A whole server on a free port that measures its own event loop. A turn's length is the processor time that this thread
 * spent in it, so that a busy machine does not make it longer.
 */

import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import type { ProxySettings } from "../../packages/server/src/agui/proxy/settings.ts";
import { testServer } from "../../packages/server/src/testing/test-server.ts";
import { loadWebPages } from "../../packages/server/src/web-pages.ts";
import { subjectsFor } from "../hostile/subjects.ts";

/** Ends every run at once, so that what is sent to the proxy gets as far as it can. */
const AGENT: ProxySettings = {
  ask: async () => ({ kind: "ended", event: { type: "RUN_FINISHED" } }),
  ...{ autoResume: true, idempotent: false, ladder: [] },
  links: "server",
};

/** A pattern that makes a backtracking engine take years over a long text of the letter a. */
const REDACT = ["(a+)+$", "\\w+@\\w+\\.com"];

const folder = mkdtempSync(join(tmpdir(), "holdpoint-pauses-"));
// The pages that people get, rendered by the server, and not only the plain ones.
const pages = await loadWebPages();
if (pages === undefined) throw new Error("the pages are not built: run node tools/prepare.mjs");
const test = await testServer({
  pages,
  folder,
  agUi: { proxies: { support: AGENT } },
  redact: REDACT,
  // Comparing replies with their schemas is the work of other tests.
  onReply: () => undefined,
});
const subjects = await subjectsFor(test);
const http = createAdaptorServer({ fetch: (request, env) => test.server.app.fetch(request, env) });
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));

let isMeasuring = false;
let longest = 0;
let before = process.threadCpuUsage();

function turn(): void {
  const now = process.threadCpuUsage();
  longest = Math.max(longest, now.user - before.user + now.system - before.system);
  before = process.threadCpuUsage();
  if (isMeasuring) setImmediate(turn);
}

process.on("message", async (message: "begin" | "end" | "advance") => {
  if (message === "begin") {
    isMeasuring = true;
    longest = 0;
    before = process.threadCpuUsage();
    setImmediate(turn);
    process.send?.("begun");
  } else if (message === "end") {
    setImmediate(() => {
      isMeasuring = false;
      process.send?.(longest / 1000);
    });
  } else {
    await test.clock.advance(60_000);
    process.send?.("advanced");
  }
});
process.on("disconnect", async () => {
  await test.server.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});

const sets = test.server.operationSets.flatMap(({ name, operations }) =>
  operations.map((operation) => [`${name} ${operation.id}`, subjects(operation)] as const),
);
process.send?.({
  url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
  keys: test.keys,
  subjects: Object.fromEntries(sets),
});
