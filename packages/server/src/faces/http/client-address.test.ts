import { expect, test } from "vitest";
import { trustedProxiesFrom } from "../../configured.ts";
import { testServer } from "../../testing/test-server.ts";

const GUESSES = 200;

/** Sends a wrong key from a connection of `peer` until it is told to wait; returns how often that took. */
async function guesses(peer: string, forwarded: (n: number) => string | undefined, trusted: string) {
  const isTrustedProxy = trustedProxiesFrom(trusted);
  await using test = await testServer(isTrustedProxy === undefined ? {} : { isTrustedProxy });
  for (let n = 1; n <= GUESSES; n += 1) {
    const header = forwarded(n);
    const request = new Request("http://localhost:4100/v1/holds", {
      headers: {
        authorization: "Bearer wrong",
        ...(header === undefined ? {} : { "x-forwarded-for": header }),
      },
    });
    const reply = await test.server.app.fetch(request, { incoming: { socket: { remoteAddress: peer } } });
    if (reply.status === 429) return n;
    expect(reply.status).toBe(401);
  }
  return null;
}

test("without trusted proxies nobody escapes the limit on wrong keys by naming other addresses", async () => {
  expect(await guesses("203.0.113.7", (n) => `198.51.100.${n}`, "")).not.toBeNull();
});

test("callers behind a trusted proxy have a limit of their own each", async () => {
  expect(await guesses("10.1.2.3", (n) => `198.51.100.${n}`, "10.0.0.0/8")).toBeNull();
  expect(await guesses("::ffff:10.1.2.3", (n) => `198.51.100.${n}`, "10.0.0.0/8")).toBeNull();
  expect(await guesses("10.1.2.3", () => "198.51.100.1", "10.0.0.0/8")).not.toBeNull();
});

test("what a caller writes before the address that the proxy adds does not count", async () => {
  expect(await guesses("10.1.2.3", (n) => `192.0.2.${n}, 198.51.100.1`, "10.0.0.0/8")).not.toBeNull();
  expect(
    await guesses("10.1.2.3", (n) => `192.0.2.${n}, 198.51.100.1, 10.9.9.9`, "10.0.0.0/8"),
  ).not.toBeNull();
  expect(await guesses("203.0.113.7", (n) => `198.51.100.${n}`, "10.0.0.0/8")).not.toBeNull();
  expect(await guesses("10.1.2.3", (n) => `198.51.100.${n}, nonsense`, "10.0.0.0/8")).not.toBeNull();
});

test.each(["proxy.example.com", "10.0.0.0/40", "*"])(
  "the proxy %s is refused because it is no address",
  (entry) => {
    expect(() => trustedProxiesFrom(entry)).toThrow("is no address");
  },
);
