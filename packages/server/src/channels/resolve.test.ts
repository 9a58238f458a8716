import { describe, expect, test } from "vitest";
import { ALLOW_NOTHING } from "./allow-list.ts";
import { createResolve } from "./resolve.ts";

const FOUND = [{ address: "203.0.113.7", family: 4 }];
const never = () => new Promise<never>(() => undefined);

describe("the addresses of names that callers chose", () => {
  test("G13 R1 names that never get an answer delay no name that DNS answers, and occupy two threads at most", async () => {
    const looked: string[] = [];
    const resolve = createResolve(ALLOW_NOTHING, {
      byDns: async (host) => (host.startsWith("hung") ? [] : FOUND),
      bySystem(host) {
        looked.push(host);
        return never();
      },
    });
    for (let n = 0; n < 20; n += 1) void resolve(`hung${n}.example`);
    expect(await resolve("healthy.example")).toEqual(FOUND);
    expect(looked).toEqual(["hung0.example", "hung1.example"]);
  });

  test("R2 a name that only the machine knows is found, each in its turn, also after one that failed", async () => {
    const resolve = createResolve(ALLOW_NOTHING, {
      byDns: async () => [],
      bySystem: async (host) => {
        if (host === "none") throw Object.assign(new Error("none"), { code: "ENOTFOUND" });
        return FOUND;
      },
    });
    const names = ["none", "none", "intranet", "none", "intranet"];
    const results = await Promise.allSettled(names.map(resolve));
    expect(results.map(({ status }) => status)).toEqual(
      names.map((name) => (name === "none" ? "rejected" : "fulfilled")),
    );
  });

  test("R2 a name on the allow-list is looked up as the machine does it, and waits for nobody", async () => {
    const resolve = createResolve(
      { ...ALLOW_NOTHING, hosts: new Set(["intranet"]) },
      {
        byDns: async () => [],
        bySystem: (host) => (host === "Intranet." ? Promise.resolve(FOUND) : never()),
      },
    );
    for (const host of ["hung1.example", "hung2.example", "hung3.example"]) void resolve(host);
    expect(await resolve("Intranet.")).toEqual(FOUND);
  });

  test("R2 without anything injected, localhost is found", async () => {
    const found = await createResolve(ALLOW_NOTHING)("localhost");
    expect(found.map(({ address }) => address)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^127\.0\.0\.1$|^::1$/)]),
    );
  });
});
