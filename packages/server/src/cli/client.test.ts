/** Key and address come from one source: the environment, or the credentials file of a server on this machine. */

import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callServer, connectionOf } from "./client.ts";
import type { Io } from "./io.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-client-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function leave(url: string): void {
  mkdirSync(join(folder, ".holdpoint"), { recursive: true });
  writeFileSync(join(folder, ".holdpoint", "credentials.json"), JSON.stringify({ url, api_key: "hp_file" }));
}

const ioWith = (env: Record<string, string>): Io => ({
  ...{ env, folder, isTerminal: false },
  now: () => 0,
  out: () => undefined,
  err: () => undefined,
});
const connection = (env: Record<string, string> = {}) => connectionOf(ioWith(env));

const LOCAL = "http://127.0.0.1:4100";

test("the command line takes address and key from the local server's file, or both from the environment", () => {
  leave(LOCAL);
  expect(connection()).toMatchObject({ url: LOCAL, key: "hp_file" });
  const env = { HOLDPOINT_URL: "https://holdpoint.example", HOLDPOINT_API_KEY: "hp_env" };
  expect(connection(env)).toMatchObject({ url: "https://holdpoint.example", key: "hp_env" });
  expect(connection({ HOLDPOINT_API_KEY: "hp_env" })).toMatchObject({ url: LOCAL, key: "hp_env" });
  expect(connection({ HOLDPOINT_URL: "http://localhost:4100" })).toMatchObject({ key: "hp_file" });
});

test("G9 the command line never sends the local file's key to another address", () => {
  leave(LOCAL);
  expect(() => connection({ HOLDPOINT_URL: "https://other.example" })).toThrow(/HOLDPOINT_API_KEY/);
});

test("G9 the command line does not take a server elsewhere from a file that a repository brought along", () => {
  leave("https://evil.example");
  expect(() => connection()).toThrow(/evil\.example.*HOLDPOINT_HOME/s);
  expect(() => connection({ HOLDPOINT_API_KEY: "hp_env" })).toThrow(/Set HOLDPOINT_URL/);
  expect(connection({ HOLDPOINT_HOME: ".holdpoint" })).toMatchObject({ url: "https://evil.example" });
});

test.each(["HOLDPOINT_URL", "HOLDPOINT_PUBLIC_URL"])(
  "the command line takes the key of a found file for the address that %s names, and for no other (G9)",
  (name) => {
    leave("https://hp.example");
    const named = { [name]: "https://hp.example/" };
    expect(connection(named).key).toBe("hp_file");
    expect(new URL(connection(named).url).host).toBe("hp.example");
    expect(() => connection({ [name]: "https://other.example" })).toThrow(/HOLDPOINT_API_KEY/);
  },
);

test("HOLDPOINT_API_KEY alone means the server at the usual address of this machine", () => {
  expect(connection({ HOLDPOINT_API_KEY: "hp_env" })).toMatchObject({
    url: "http://localhost:4100",
    key: "hp_env",
  });
  expect(() => connection()).toThrow(/there is no server here/);
});

test("G9 the command line does not follow redirects with what it sends", async () => {
  const paths: (string | undefined)[] = [];
  const server = createServer((request, reply) => {
    paths.push(request.url);
    reply.writeHead(request.url === "/healthz" ? 200 : 307, { location: "/elsewhere" }).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const io = ioWith({ HOLDPOINT_URL: `http://127.0.0.1:${port}`, HOLDPOINT_API_KEY: "hp_env" });
  await expect(callServer(io, "POST", "/v1/keys", {})).rejects.toThrow(/redirects elsewhere/);
  expect(paths).toEqual(["/healthz", "/v1/keys"]);
  server.closeAllConnections();
  server.close();
});
