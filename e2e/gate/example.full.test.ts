/** The example, as its reader runs it: blocked, approved on the review page by link, executed once. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";

const MAIN = fileURLToPath(new URL("../../examples/gated-agent/main.ts", import.meta.url));

function start(server: ServerProcess, folder: string) {
  const child = spawn(process.execPath, ["--conditions=@holdpoint/source", MAIN], {
    env: {
      ...process.env,
      HOLDPOINT_URL: server.url,
      HOLDPOINT_API_KEY: server.key,
      GATED_AGENT_FOLDER: folder,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  const link = new Promise<URL>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [, url] = /^review (\S+)$/m.exec(said) ?? [];
      // The server listens on a free port and does not know its public address.
      if (url !== undefined) resolve(new URL(new URL(url).pathname + new URL(url).search, server.url));
    });
  });
  const ended = once(child, "close").then(() => said);
  return { child, link, ended };
}

/** What a person does: open the link, read, press the button. */
async function press(link: URL, action: string): Promise<string> {
  const page = await (await fetch(link)).text();
  const [, shown = ""] = /name="_shown"[^>]*value="([^"]+)"/.exec(page) ?? [];
  const body = new URLSearchParams({ _action: action, _shown: shown });
  const answer = new URL(`${link.pathname}/answer${link.search}`, link);
  const reply = await fetch(answer, { method: "POST", body, redirect: "manual" });
  expect(reply.status).toBe(303);
  return page;
}

const LEDGER = "1042 8000\n";

describe.concurrent("examples/gated-agent", { timeout: 120_000 }, () => {
  test("AI-070 a blocked call is approved on the review page and executed once, although its process was killed", async () => {
    await using server = await serverProcess();
    const folder = mkdtempSync(join(tmpdir(), "holdpoint-example-"));
    const ledger = () =>
      existsSync(join(folder, "ledger")) ? readFileSync(join(folder, "ledger"), "utf8") : "";
    try {
      const first = start(server, folder);
      const link = await first.link;
      // It dies while it waits; the hold, and the proposal in its folder, are still there.
      first.child.kill("SIGKILL");
      await first.ended;
      const page = await press(link, "approve");
      expect(page).toContain("Refunds above 10 EUR need a person");
      expect(page).toContain("Money leaves the account");
      expect(page).not.toContain("DE02");
      expect(ledger()).toBe("");

      expect(await start(server, folder).ended).toContain("executed: order 1042 refunded");
      expect(ledger()).toBe(LEDGER);
      expect(await start(server, folder).ended).toContain("not executed again: it is done");
      expect(ledger()).toBe(LEDGER);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("AI-061 a call that is rejected on the review page is not executed, and the waiting host is told", async () => {
    await using server = await serverProcess();
    const folder = mkdtempSync(join(tmpdir(), "holdpoint-example-"));
    try {
      const running = start(server, folder);
      await press(await running.link, "reject");
      expect(await running.ended).toContain("people said: rejected");
      expect(existsSync(join(folder, "ledger"))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
