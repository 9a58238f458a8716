/** OAuth at `/mcp` (A1–A3): a real issuer (oidc-provider) and the real MCP client's own OAuth support, over HTTP. */

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import {
  Client,
  ClientCredentialsProvider,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AccessTokens } from "../../identity/access-tokens.ts";
import { systemClock } from "../../system/clock.ts";
import type { McpOAuth } from "../../system/mcp-config.ts";
import { IdentityProvider, MACHINE } from "../../testing/identity-provider.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const AGENTS = { [MACHINE.id]: "builder", "ada-1": "coder" };
const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

/** A server on a port that accepts the issuer's tokens, and the issuer. */
async function scene(part: Partial<McpOAuth> = {}) {
  let fetch: (request: Request, env: unknown) => Response | Promise<Response> = () => new Response(null);
  const http = createAdaptorServer({ fetch: (request, env) => fetch(request, env) });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  const idp = await IdentityProvider.start({ clientUrl: url, resource: `${url}/mcp` });
  const oauth = { scope: "holdpoint", agentClaim: "client_id", agents: AGENTS, workspace: "default" };
  // The issuer has the real time, so the server's clock begins there.
  const clock = new ManualClock({ startAt: systemClock.now() });
  const mcpOAuth = { issuer: idp.issuer, ...oauth, ...part };
  const stage: TestServer = await testServer({ clock, publicUrl: url, mcpOAuth });
  fetch = stage.server.app.fetch;
  return {
    ...{ idp, stage, url },
    async [Symbol.asyncDispose]() {
      if ("closeAllConnections" in http) http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
      await stage[Symbol.asyncDispose]();
      await idp[Symbol.asyncDispose]();
    },
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

async function asks(client: Client, { stage }: Scene): Promise<string> {
  const calling = client.callTool({ name: "ask_human", arguments: { question: "Deploy?" } });
  for (;;) {
    const { body } = await stage.call("GET", "/v1/holds?status=open", { key: stage.keys.operator });
    const [hold] = body.holds;
    if (hold !== undefined) {
      const answer = { key: stage.keys.operator, body: { action: "approve" } };
      await stage.call("POST", `/v1/holds/${hold.id}/answer`, answer);
      expect((await calling).structuredContent).toMatchObject({ status: "answered", action: "approve" });
      return hold.created_by;
    }
    await new Promise(setImmediate);
  }
}

test("a machine's MCP client finds the issuer by the challenge, gets a token and asks as the agent it is mapped to", async () => {
  await using on = await scene();
  const authProvider = new ClientCredentialsProvider({
    clientId: MACHINE.id,
    clientSecret: MACHINE.secret,
    scope: "holdpoint",
    expectedIssuer: on.idp.issuer,
  });
  const client = new Client({ name: "machine", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${on.url}/mcp`), { authProvider }));
  expect(await asks(client, on)).toBe("builder");
  await client.close();
});

describe("a person's MCP client that registers itself at the issuer and sends the person there", () => {
  /** The whole flow of the SDK: challenge, metadata, registration, browser, code with PKCE, token. */
  async function signedIn(on: Scene): Promise<Client> {
    const person = new PersonsClient();
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`${on.url}/mcp`), { authProvider: person });
    const first = transport();
    const refused = new Client({ name: "desk", version: "1.0.0" }).connect(first);
    await expect(refused).rejects.toThrow(/nauthorized/);
    await first.finishAuth(new URLSearchParams(await person.browse()));
    const client = new Client({ name: "desk", version: "1.0.0" });
    await client.connect(transport());
    return client;
  }

  test("asks as the agent of that person, who is not the one that answers", async () => {
    await using on = await scene({ agentClaim: "sub" });
    const client = await signedIn(on);
    expect(await asks(client, on)).toBe("coder");
    await client.close();
  });

  test("gets nothing when the person is not listed", async () => {
    await using on = await scene({ agentClaim: "sub" });
    on.idp.account = { sub: "eve-9" };
    await expect(signedIn(on)).rejects.toThrow(/no agent belongs|403/);
  });
});

describe("an access token at /mcp", () => {
  let on: Scene;
  beforeAll(async () => {
    on = await scene();
  });
  afterAll(() => on[Symbol.asyncDispose]());

  const claims = (more: JWTPayload = {}): JWTPayload => ({
    ...{ iss: on.idp.issuer, aud: `${on.url}/mcp`, sub: "x", client_id: MACHINE.id, scope: "holdpoint" },
    ...{ exp: Math.floor(on.stage.clock.now() / 1_000) + 60 },
    ...more,
  });
  const signed = (given: JWTPayload, alg = "RS256", key = on.idp.key) =>
    new SignJWT(given).setProtectedHeader({ alg, kid: key.kid }).sign(key.privateKey);
  const send = async (token: string, headers = {}) => {
    const reply = await on.stage.call("POST", "/mcp", { key: token, body: message, headers });
    return { ...reply, challenge: reply.headers.get("www-authenticate") };
  };

  test("is accepted with what the issuer signs for this server, also as a list of audiences or of scopes", async () => {
    expect((await send(await signed(claims()))).status).toBe(200);
    expect((await send(await signed(claims({ aud: ["https://x.example", `${on.url}/mcp`] })))).status).toBe(
      200,
    );
    const { scope: _scope, ...rest } = claims();
    expect((await send(await signed({ ...rest, scp: ["other", "holdpoint"] }))).status).toBe(200);
  });

  test.each([
    ["for another server", { aud: "https://other.example/mcp" }, "another server"],
    ["without an audience", { aud: undefined }, "another server"],
    ["of another issuer", { iss: "https://evil.example" }, "another issuer"],
    ["that has expired", { exp: 1_000 }, "expired"],
    ["without an expiry", { exp: undefined }, "when it expires"],
    ["that is not valid yet", { nbf: 9_999_999_999 }, "not valid yet"],
    ["without a client", { client_id: undefined }, "client_id"],
  ] as const)("%s is refused with a challenge that names the metadata", async (_what, change, words) => {
    const { status, body, challenge } = await send(await signed(claims(change as JWTPayload)));
    expect({ status, code: body.error.data.code }).toEqual({ status: 401, code: "unauthenticated" });
    expect(body.error.message).toContain(words);
    expect(challenge).toMatch(/^Bearer error="invalid_token"/);
    expect(challenge).toContain(`resource_metadata="${on.url}/.well-known/oauth-protected-resource/mcp"`);
  });

  test("signed by somebody else, changed or with a shared secret is refused", async () => {
    const other = await IdentityProvider.start({ clientUrl: on.url });
    const foreign = await signed(claims(), "RS256", { ...other.key, kid: on.idp.key.kid });
    await other[Symbol.asyncDispose]();
    const good = await signed(claims());
    const [head = "", , mac = ""] = good.split(".");
    const body = Buffer.from(JSON.stringify(claims({ client_id: "ada-1" }))).toString("base64url");
    const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${body}.AA`;
    const shared = await new SignJWT(claims())
      .setProtectedHeader({ alg: "HS256", kid: on.idp.key.kid })
      .sign(new TextEncoder().encode(JSON.stringify(on.idp.key.jwk)));
    for (const token of [foreign, `${head}.${body}.${mac}`, none, shared])
      expect((await send(token)).status).toBe(401);
  });

  test("without the scope is refused with 403 and a challenge that names the scope", async () => {
    const { status, challenge } = await send(await signed(claims({ scope: "other" })));
    expect(status).toBe(403);
    expect(challenge).toMatch(/error="insufficient_scope"/);
    expect(challenge).toContain('scope="holdpoint"');
  });

  test("of a client that the configuration does not list gives nothing, and neither does a name of its own", async () => {
    for (const client_id of ["stranger", "constructor", "__proto__"])
      expect((await send(await signed(claims({ client_id })))).status).toBe(403);
    const { status, body } = await send(await signed(claims()), { "x-agent-id": "refunder" });
    expect({ status, code: body.error.data.code }).toEqual({ status: 403, code: "agent_mismatch" });
  });

  test("opens nothing but /mcp", async () => {
    expect((await on.stage.call("GET", "/v1/holds", { key: await signed(claims()) })).status).toBe(401);
  });

  test("is accepted after the issuer has changed its keys", async () => {
    await on.idp.rotateKeys();
    // The key set waits a moment before it asks the issuer again.
    await on.stage.clock.advance(11 * 60_000);
    expect((await send(await signed(claims()))).status).toBe(200);
  });
});

test("keys go on to work beside tokens, and a caller without either is told where to get one", async () => {
  await using on = await scene();
  const { call, keys } = on.stage;
  expect((await call("POST", "/mcp", { key: keys.agent, body: message })).status).toBe(200);
  for (const key of [undefined, "wrong"]) {
    const reply = await call("POST", "/mcp", { body: message, ...(key === undefined ? {} : { key }) });
    expect(reply.status).toBe(401);
    expect(reply.headers.get("www-authenticate")).toContain("/.well-known/oauth-protected-resource/mcp");
  }
  expect((await call("GET", "/.well-known/oauth-protected-resource/mcp")).body).toMatchObject({
    resource: `${on.url}/mcp`,
    authorization_servers: [on.idp.issuer],
    scopes_supported: ["holdpoint"],
  });
});

test("without an issuer there is no metadata, and a token is a wrong key", async () => {
  await using stage = await testServer();
  expect((await stage.call("GET", "/.well-known/oauth-protected-resource/mcp")).status).toBe(404);
  const reply = await stage.call("POST", "/mcp", { key: "aaa.bbb.ccc", body: message });
  expect([reply.status, reply.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
});

test("while the issuer is away nobody comes in by token, and callers are told to try again (A3)", async () => {
  const issuer = "http://127.0.0.1:9";
  const mcpOAuth = { ...{ issuer, scope: "s", agentClaim: "sub", agents: {} }, workspace: "default" };
  await using stage = await testServer({ mcpOAuth });
  const reply = await stage.call("POST", "/mcp", { key: "aaa.bbb.ccc", body: message });
  expect(reply.status).toBe(503);
});

test("an issuer whose keys could not be read is not asked for them again within a moment, and is asked after that", async () => {
  await using on = await scene();
  on.idp.hidesKeys = true;
  const read = on.idp.keysRead;
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: "RS256", kid: "made-up" })
    .sign(on.idp.key.privateKey);
  const send = () => on.stage.call("POST", "/mcp", { key: token, body: message });
  for (let n = 0; n < 3; n += 1) expect((await send()).status).toBe(503);
  expect(on.idp.keysRead).toBe(read + 1);
  on.idp.hidesKeys = false;
  await on.stage.clock.advance(5_000);
  expect((await send()).status).toBe(401);
  expect(on.idp.keysRead).toBe(read + 2);
});

test("many callers with made-up tokens make the server ask a slow issuer once", async () => {
  let asked = 0;
  const held: ServerResponse[] = [];
  const slow = createServer((_request, response) => {
    asked += 1;
    held.push(response);
  });
  await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", () => resolve()));
  const issuer = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  const config = { issuer, scope: "s", agentClaim: "sub", agents: {}, workspace: "default" };
  const tokens = new AccessTokens(config, "http://localhost/mcp", systemClock);
  const reads = Array.from({ length: 20 }, () =>
    tokens.read("aaa.bbb.ccc").catch((error: Error) => error.name),
  );
  while (asked === 0) await new Promise(setImmediate);
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  expect(asked).toBe(1);
  slow.on("request", (_request, response) => response.writeHead(404).end());
  for (const response of held) response.writeHead(404).end();
  expect(new Set(await Promise.all(reads))).toEqual(new Set(["IssuerAway"]));
  slow.closeAllConnections();
  await new Promise<void>((resolve) => slow.close(() => resolve()));
});

type Known<Name extends "clientInformation" | "tokens"> = Awaited<ReturnType<OAuthClientProvider[Name]>>;

/** A desktop client whose browser follows redirects and keeps cookies. */
class PersonsClient implements OAuthClientProvider {
  readonly redirectUrl = "http://localhost/callback";
  readonly clientMetadata = {
    client_name: "Desk",
    redirect_uris: [this.redirectUrl],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code"],
    response_types: ["code"],
    scope: "holdpoint",
  };
  #client: Known<"clientInformation">;
  #tokens: Known<"tokens">;
  #verifier = "";
  #at: URL | undefined;

  clientInformation() {
    return this.#client;
  }
  saveClientInformation(given: Known<"clientInformation">) {
    this.#client = given;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(given: Known<"tokens">) {
    this.#tokens = given;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  redirectToAuthorization(url: URL) {
    this.#at = url;
  }

  /** The person signs in; returns the query with which the issuer sends them back. */
  async browse(): Promise<string> {
    const cookies = new Map<string, string>();
    for (let at = this.#at as URL, hops = 0; hops < 12; hops += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const reply = await fetch(at, { redirect: "manual", headers: { cookie } });
      for (const line of reply.headers.getSetCookie()) {
        const [pair = ""] = line.split(";");
        cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
      }
      const location = reply.headers.get("location");
      if (location === null) throw new Error(`the issuer stopped at ${at}: ${await reply.text()}`);
      at = new URL(location, at);
      if (at.href.startsWith(this.redirectUrl)) return at.search;
    }
    throw new Error("too many redirects");
  }
}
