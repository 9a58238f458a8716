import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ALLOW_NOTHING } from "./allow-list.ts";
import { hostsFile } from "./hosts-file.ts";
import { createResolve } from "./resolve.ts";

const FOUND = [{ address: "203.0.113.7", family: 4 }];
const never = () => new Promise<never>(() => undefined);
const isInHostsFile = async (host: string) => host === "pinned.example";

describe("the addresses of names that callers chose", () => {
  test("G13 R1 names that never get an answer delay no name that DNS answers, and occupy two threads at most", async () => {
    const looked: string[] = [];
    const resolve = createResolve(ALLOW_NOTHING, {
      byDns: async (host) => (host.startsWith("hung") ? [] : FOUND),
      bySystem(host) {
        looked.push(host);
        return never();
      },
      isInHostsFile,
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
      isInHostsFile,
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
        isInHostsFile,
      },
    );
    for (const host of ["hung1.example", "hung2.example", "hung3.example"]) void resolve(host);
    expect(await resolve("Intranet.")).toEqual(FOUND);
  });

  test("G13 R1 the queue for getaddrinfo is bounded: the lookup that waited longest ends as not found", async () => {
    const resolve = createResolve(ALLOW_NOTHING, { byDns: async () => [], bySystem: never, isInHostsFile });
    const ended: string[] = [];
    for (let n = 0; n < 70; n += 1)
      resolve(`hung${n}.example`).catch(({ code }) => ended.push(`hung${n} ${code}`));
    await new Promise(setImmediate);
    expect(ended).toEqual(["hung2", "hung3", "hung4", "hung5"].map((name) => `${name} EAI_AGAIN`));
  });

  test("R2 R3 a name in the hosts file has the address that it has there, and DNS servers are asked about neither it nor localhost", async () => {
    const asked: string[] = [];
    const resolve = createResolve(ALLOW_NOTHING, {
      byDns: async (host) => {
        asked.push(host);
        return [{ address: "198.51.100.1", family: 4 }];
      },
      bySystem: async () => FOUND,
      isInHostsFile,
    });
    for (const host of ["pinned.example", "localhost", "app.localhost."])
      expect(await resolve(host)).toEqual(FOUND);
    expect(asked).toEqual([]);
  });

  test("R2 the hosts file is read again when it has changed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "hosts-"));
    const path = join(folder, "hosts");
    const isIn = hostsFile(path);
    expect(await isIn("one.example")).toBe(false);
    await writeFile(path, "# 10.0.0.9 commented\n10.0.0.1\tOne.example one # first\r\n::1 two.example\n");
    expect(await Promise.all(["one.example.", "ONE", "two.example", "first", "10.0.0.1"].map(isIn))).toEqual([
      ...[true, true, true, false, false],
    ]);
    await writeFile(path, "10.0.0.1 three.example\n");
    await utimes(path, 1, 1);
    expect(await Promise.all(["one.example", "three.example"].map(isIn))).toEqual([false, true]);
    await rm(folder, { recursive: true });
  });

  test("R2 without anything injected, localhost is found", async () => {
    const found = await createResolve(ALLOW_NOTHING)("localhost");
    expect(found.map(({ address }) => address)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^127\.0\.0\.1$|^::1$/)]),
    );
  });
});
