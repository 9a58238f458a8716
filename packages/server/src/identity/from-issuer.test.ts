import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, test } from "vitest";
import { systemClock } from "../system/clock.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { AccessTokens } from "./access-tokens.ts";
import { Remembered } from "./from-issuer.ts";

const REMEMBERED_MS = 10 * 60_000;
const AWAY = new Error("the issuer is away");

function remembered() {
  const clock = new ManualClock();
  const issuer = { reads: 0, isAway: false };
  const value = new Remembered(clock, async () => {
    issuer.reads += 1;
    if (issuer.isAway) throw AWAY;
    return issuer.reads;
  });
  return { clock, issuer, value };
}

test("a description that could not be read is not asked for again for a moment, and is asked for after that", async () => {
  const { clock, issuer, value } = remembered();
  issuer.isAway = true;
  for (let n = 0; n < 3; n += 1) await expect(value.get()).rejects.toBe(AWAY);
  expect(issuer.reads).toBe(1);
  await clock.advance(5_000);
  issuer.isAway = false;
  expect(await value.get()).toBe(2);
});

test("a description that was read once is used as long as its issuer is away, and is asked for now and then", async () => {
  const { clock, issuer, value } = remembered();
  expect(await value.get()).toBe(1);
  await clock.advance(REMEMBERED_MS);
  issuer.isAway = true;
  for (let n = 0; n < 3; n += 1) expect(await value.get()).toBe(1);
  expect(issuer.reads).toBe(2);
  await clock.advance(5_000);
  issuer.isAway = false;
  expect(await value.get(), "nobody waits for an issuer that failed the last time").toBe(1);
  await clock.advance(0);
  expect(await value.get()).toBe(3);
});

test("a token is accepted by known keys while the issuer's description and keys cannot be read (A3)", async () => {
  const pair = await generateKeyPair("ES256");
  const key = { ...(await exportJWK(pair.publicKey)), kid: "k1", alg: "ES256" };
  let isAway = false;
  const http = createServer(({ url }, response) => {
    const metadata = { issuer, jwks_uri: `${issuer}/keys`, response_types_supported: ["code"] };
    response.writeHead(isAway ? 503 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(url === "/keys" ? { keys: [key] } : metadata));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  // Tokens expire by the real time too, so the clock begins there.
  const clock = new ManualClock({ startAt: systemClock.now() });
  const config = { issuer, scope: "s", agentClaim: "sub", agents: {}, workspace: "default" };
  const tokens = new AccessTokens(config, "http://localhost/mcp", clock);
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: "ES256", kid: "k1" })
    .setIssuer(issuer)
    .setAudience("http://localhost/mcp")
    .setSubject("coder")
    .setExpirationTime("2h")
    .sign(pair.privateKey);
  const read = async () => (await tokens.read(token)).owner;
  expect(await read()).toBe("coder");
  await clock.advance(REMEMBERED_MS);
  expect(await read()).toBe("coder");
  isAway = true;
  await clock.advance(REMEMBERED_MS);
  expect(await read()).toBe("coder");
  isAway = false;
  await clock.advance(REMEMBERED_MS);
  expect(await read()).toBe("coder");
  http.closeAllConnections();
  await new Promise<void>((resolve) => http.close(() => resolve()));
});
