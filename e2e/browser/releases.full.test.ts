/** What the console shows of answers that an agent behind the proxy may or may not have, and what an operator does about it. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { launchBrowser } from "../../tools/browser.ts";
import { serverProcess } from "../support/server-process.ts";
import { violations } from "./support.ts";

/** Asks once a thread, and cuts the line as soon as it is sent the answer, as often as it is told to. */
async function brokenAgent(cuts: number) {
  let resumes = 0;
  const server = createServer(async (request, reply) => {
    const input = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
    const { threadId, runId, resume } = input;
    if (resume !== undefined) resumes += 1;
    if (resume !== undefined && resumes <= cuts) return void reply.destroy();
    const interrupts = [{ id: "i1", reason: "human_approval", message: "Pay Ada?" }];
    const outcome = resume === undefined ? { type: "interrupt", interrupts } : { type: "success" };
    reply.end(`data: ${JSON.stringify({ type: "RUN_FINISHED", threadId, runId, outcome })}\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    resumes: () => resumes,
    [Symbol.dispose]: () => void server.close().closeAllConnections(),
  };
}

test("answers that were not released are shown, and an operator sends them again or says that they arrived", {
  timeout: 90_000,
}, async () => {
  using agent = await brokenAgent(2);
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-releases-"));
  const config = join(folder, "holdpoint.yaml");
  writeFileSync(config, `agui: { proxies: { payer: { url: "${agent.url}", auto_resume: true } } }\n`);
  await using server = await serverProcess({ HOLDPOINT_CONFIG: config });
  rmSync(folder, { recursive: true });
  const call = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
    const given = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    return (await fetch(server.url + path, { headers, ...given })).text();
  };
  for (const threadId of ["order-1", "order-2"]) {
    await call("/agui/proxy/payer", { threadId, runId: "r1", messages: [] });
  }
  const { holds } = JSON.parse(await call("/v1/holds?status=open"));
  for (const { id } of holds) await call(`/v1/holds/${id}/answer`, { action: "approve" });
  await expect.poll(agent.resumes, { timeout: 20_000 }).toBe(2);

  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const signIn = JSON.parse(await call("/v1/sign-ins", { name: "ada", role: "operator" }));
    const { pathname, search } = new URL(signIn.url);
    await page.goto(server.url + pathname + search);
    await page.getByRole("link", { name: "Channels", exact: true }).click();
    const panel = page.locator("section", {
      has: page.getByRole("heading", { name: "Answers not released" }),
    });
    const row = (thread: string) => panel.getByRole("listitem").filter({ hasText: thread });
    await row("order-1").getByText("unknown", { exact: true }).waitFor();
    expect(await row("order-2").innerText()).toContain("broken_off");
    expect(await violations(page)).toEqual([]);

    await row("order-1").getByRole("button", { name: "It arrived" }).click();
    await row("order-1").getByRole("button", { name: "Yes, it arrived" }).click();
    await row("order-1").waitFor({ state: "detached" });
    expect(agent.resumes()).toBe(2);
    await row("order-2").getByRole("button", { name: "Send again" }).click();
    expect(agent.resumes()).toBe(2);
    await row("order-2").getByRole("button", { name: "Yes, send again" }).click();
    await expect.poll(agent.resumes, { timeout: 10_000 }).toBe(3);
    await panel.waitFor({ state: "detached" });
    const { releases } = JSON.parse(await call("/v1/releases"));
    const shown = releases.map((one: Record<string, unknown>) => [
      one["state"],
      one["attempt"],
      one["decided_by"],
    ]);
    expect(shown.toSorted()).toEqual([
      ["released", 1, expect.stringMatching(/^session:/)],
      ["released", 2, expect.stringMatching(/^session:/)],
    ]);
  } finally {
    await browser.close();
  }
});
