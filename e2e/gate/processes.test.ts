/** Hosts that die after the call was executed, and hosts that resume together. */

import { describe, expect, test } from "vitest";
import { approvedHosts } from "./hosts.fixture.ts";
import { LEASE_MS } from "./world.fixture.ts";

describe.concurrent("a host that is killed after the approval", { timeout: 120_000 }, () => {
  test("H3 a host that is killed between execution and report leaves the claim unknown, and nobody repeats the call", async () => {
    await using hosts = await approvedHosts();
    expect(await hosts.resume("after-execution")).toEqual(["SIGKILL"]);
    await hosts.server.test.clock.advance(LEASE_MS);
    expect(await hosts.resume("never")).toEqual(["claimed_elsewhere unknown"]);
    expect(hosts.executions()).toBe(1);
  });

  test("H3 one of three host processes that resume at the same time executes, and the others are refused", async () => {
    await using hosts = await approvedHosts();
    const said = await hosts.resume("never", "never", "never");
    expect(said.filter((words) => words === "executed")).toHaveLength(1);
    expect(said.filter((words) => words.startsWith("claimed_elsewhere"))).toHaveLength(2);
    expect(hosts.executions()).toBe(1);
  });
});
