/** Hosts that die between the approval and the execution. */

import { describe, expect, test } from "vitest";
import { approvedHosts } from "./hosts.fixture.ts";
import { LEASE_MS, people } from "./world.fixture.ts";

describe.concurrent("a host that is killed after the approval", { timeout: 120_000 }, () => {
  test("H3 a host that is killed before the claim executes once after its restart", async () => {
    await using hosts = await approvedHosts();
    expect(await hosts.resume("before-claim")).toEqual(["SIGKILL"]);
    expect(hosts.executions()).toBe(0);
    expect(await hosts.resume("never")).toEqual(["executed"]);
    expect(await hosts.resume("never")).toEqual(["claimed_elsewhere done"]);
    expect(hosts.executions()).toBe(1);
  });

  test("H3 a host that is killed after the claim leaves it unknown, and the call runs once a person has released it", async () => {
    await using hosts = await approvedHosts();
    const { server, key } = hosts;
    expect(await hosts.resume("after-claim")).toEqual(["SIGKILL"]);
    expect(await hosts.resume("never")).toEqual(["claimed_elsewhere claimed"]);
    await server.test.clock.advance(LEASE_MS);
    expect((await people(server).newest(key)).claim).toMatchObject({ state: "unknown" });
    expect(await hosts.resume("never")).toEqual(["claimed_elsewhere unknown"]);
    expect(hosts.executions()).toBe(0);
    await people(server).release(key);
    expect(await hosts.resume("never")).toEqual(["executed"]);
    expect(hosts.executions()).toBe(1);
  });
});
