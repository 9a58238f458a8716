/** `holdpoint rules test` over ten thousand recorded checks: a progress bar, and numbers that add up. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { httpHoldClient } from "@holdpoint/protocol/http";
import { expect, test } from "vitest";
import { localCredentials } from "../local-credentials.ts";
import { serve } from "../serve.ts";
import { systemClock } from "../system/clock.ts";
import { readConfig } from "../system/config.ts";
import { freshDatabaseUrl } from "../testing/fresh-database-url.ts";
import { rules } from "./rules.ts";

const ALONE = 2_000;
const STANDING = 7_900;
const APPROVED = 60;
const REJECTED = 40;

test("ten thousand recorded checks are replayed with a progress bar, and every one is counted once", {
  timeout: 300_000,
}, async () => {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-replay-"));
  const keys = "agent-key=agent:buyer,admin-key=admin:ada";
  const database = freshDatabaseUrl();
  const env = {
    ...{ HOLDPOINT_HOME: home, HOLDPOINT_PORT: "0", HOLDPOINT_API_KEYS: keys },
    ...(database === undefined ? {} : { HOLDPOINT_DATABASE_URL: database }),
  };
  const serving = await serve(readConfig(env, home), env, () => undefined);
  try {
    const { url } = await localCredentials(serving.server, home, serving.address);
    const headers = { authorization: "Bearer admin-key", "content-type": "application/json" };
    const set = { rules: [{ tools: ["read", "look"], verdict: "allow" }] };
    await fetch(`${url}/v1/rules`, { method: "PUT", headers, body: JSON.stringify(set) });
    const agent = httpHoldClient({ url, apiKey: "agent-key" });
    const person = httpHoldClient({ url, apiKey: "admin-key" });
    const each = async (count: number, work: (n: number) => Promise<unknown>) => {
      for (let from = 0; from < count; from += 200)
        await Promise.all(Array.from({ length: Math.min(200, count - from) }, (_none, n) => work(from + n)));
    };
    await each(ALONE, (n) => agent.check({ tool: "look", args: { n } }));
    await each(STANDING / 100, (batch) => {
      const calls = Array.from({ length: 100 }, (_none, n) => ({ n: batch * 100 + n }));
      return agent.recordStandingCalls({ tool: "read", rulesVersion: 1, calls });
    });
    for (let n = 0; n < APPROVED + REJECTED; n += 1) {
      const { hold } = await agent.check({ tool: "pay", args: { n } });
      await person.answer(hold?.id ?? "", { action: n < APPROVED ? "approve" : "reject" });
    }
    writeFileSync(
      join(home, "next.yaml"),
      [
        "rules:",
        "  - { tools: [look], when: { args.n: { max: 499 } }, verdict: allow }",
        "  - { tools: [read], when: { args.n: { max: 899 } }, verdict: deny }",
        "  - { tools: [read], verdict: allow }",
        "  - { tools: [pay], when: { args.n: { max: 49 } }, verdict: allow }",
        "  - { tools: [pay], verdict: deny }",
      ].join("\n"),
    );
    const said = { out: "", err: "" };
    const io = {
      env: { ...env, HOLDPOINT_URL: url, HOLDPOINT_API_KEY: "admin-key" },
      folder: home,
      out: (text: string) => {
        said.out += text;
      },
      err: (text: string) => {
        said.err += text;
      },
      isTerminal: true,
      now: () => systemClock.now(),
    };
    expect(await rules.run(["test", "next.yaml", "--json"], io)).toBe(0);
    const replay = JSON.parse(said.out);
    expect(replay).toMatchObject({
      checks: ALONE + STANDING + APPROVED + REJECTED,
      erased: 0,
      approved: APPROVED,
      approved_then_allowed: 50,
      approved_then_denied: 10,
      rejected: REJECTED,
      rejected_then_allowed: 0,
    });
    expect(replay.moves).toMatchObject({
      allow_allow: 500 + STANDING - 900,
      allow_ask: ALONE - 500,
      allow_deny: 900,
      ask_allow: 50,
      ask_deny: 50,
    });
    const moved = Object.values(replay.moves as Record<string, number>).reduce((sum, n) => sum + n, 0);
    expect(moved).toBe(replay.checks);
    // The bar is drawn more than once on its way, and ends full.
    expect(said.err.match(/Replaying/g)?.length ?? 0).toBeGreaterThan(2);
    expect(said.err).toContain("100 %");
  } finally {
    await serving.close();
    rmSync(home, { recursive: true, force: true });
  }
});
