/**
 * A real OpenID provider on loopback. It signs in the account that the test names, without asking, and a proxy before it lets tests
 * change what its token endpoint answers.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { Provider } from "oidc-provider";

export interface FakeAccount {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
}

export interface IdentityProviderOptions {
  /** The server that people sign in to. */
  readonly clientUrl: string;
  /** The name of the provider in that server's configuration. */
  readonly name?: string;
  /** A resource (RFC 8707) for which it issues access tokens as JWTs; clients may register themselves then. */
  readonly resource?: string;
}

export const CLIENT = { id: "holdpoint", secret: "client-secret-of-the-test" } as const;

/** A machine with credentials of its own. */
export const MACHINE = { id: "build-agent", secret: "secret-of-the-build-agent-of-the-test" } as const;
const MACHINE_CLIENT = {
  client_id: MACHINE.id,
  client_secret: MACHINE.secret,
  grant_types: ["client_credentials"],
  redirect_uris: [],
  response_types: [],
};
const RESOURCE_SCOPES = "holdpoint other";

type SigningKey = Awaited<ReturnType<typeof newKey>>;

async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" };
  return { kid, privateKey, publicKey, jwk };
}

export class IdentityProvider {
  readonly issuer: string;
  /** Who signs in next; `undefined`: the person declines. */
  account: FakeAccount | undefined = { sub: "ada-1", name: "Ada Park", groups: ["approvers"] };
  acr: string | undefined = "urn:example:silver";
  amr: readonly string[] = ["pwd", "otp"];
  /** Changes the claims of an ID token before it is signed again with the provider's key. */
  forge: ((claims: JWTPayload) => JWTPayload) | undefined;
  /** Replaces the ID token altogether. */
  forgeToken: ((claims: JWTPayload, key: SigningKey) => Promise<string> | string) | undefined;
  key: SigningKey;
  /** How often its keys were read. */
  keysRead = 0;
  /** Whether it fails when its keys are read. */
  hidesKeys = false;
  readonly #accounts = new Map<string, FakeAccount>();
  readonly #server: Server;
  #provider: Provider;
  readonly #options: IdentityProviderOptions;

  private constructor(server: Server, issuer: string, key: SigningKey, options: IdentityProviderOptions) {
    this.#server = server;
    this.issuer = issuer;
    this.key = key;
    this.#options = options;
    this.#provider = this.#build();
    server.on("request", (request, response) => void this.#serve(request, response));
  }

  static async start(options: IdentityProviderOptions): Promise<IdentityProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new IdentityProvider(server, issuer, await newKey("first"), options);
  }

  /** The provider signs with a new key from now on, and publishes only that. */
  async rotateKeys(): Promise<void> {
    this.key = await newKey(`key-${crypto.randomUUID()}`);
    this.#provider = this.#build();
  }

  /** A logout token as the provider would send it, unless the test changes it. */
  async logoutToken(claims: JWTPayload, key: SigningKey = this.key): Promise<string> {
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    const usual = { iss: this.issuer, aud: CLIENT.id, jti: crypto.randomUUID(), events };
    return new SignJWT({ ...usual, ...claims })
      .setProtectedHeader({ alg: "RS256", typ: "logout+jwt", kid: key.kid })
      .setIssuedAt()
      .setExpirationTime("2m")
      .sign(key.privateKey);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #build(): Provider {
    const { clientUrl, name = "corp" } = this.#options;
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${clientUrl}/signin/oidc/${name}/callback`],
          post_logout_redirect_uris: [clientUrl],
          backchannel_logout_uri: `${clientUrl}/signin/oidc/${name}/logout`,
          backchannel_logout_session_required: true,
        },
        ...(this.#options.resource === undefined ? [] : [MACHINE_CLIENT]),
      ],
      jwks: { keys: [this.key.jwk] as never },
      cookies: { keys: ["cookie-key-of-the-test"] },
      claims: {
        openid: ["sub", "acr", "amr"],
        profile: ["name", "groups"],
        email: ["email", "email_verified"],
      },
      conformIdTokenClaims: false,
      ...(this.#options.resource === undefined ? {} : { scopes: ["openid", ...RESOURCE_SCOPES.split(" ")] }),
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        ...this.#forResources(),
      },
      pkce: { required: () => true },
      // The provider refuses to call loopback addresses with its own connector.
      fetch: (url, options = {}) =>
        globalThis.fetch(url, { ...options, dispatcher: undefined } as RequestInit),
      acrValues: ["urn:example:silver"],
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: async () => ({ acr: this.acr, amr: this.amr, ...(this.#accounts.get(sub) ?? { sub }) }),
      }),
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      loadExistingGrant: async (context) => {
        const grant = new context.oidc.provider.Grant({
          clientId: context.oidc.client?.clientId ?? "",
          accountId: context.oidc.session?.accountId ?? "",
        });
        grant.addOIDCScope("openid profile email");
        if (this.#options.resource !== undefined) {
          grant.addOIDCScope(RESOURCE_SCOPES);
          grant.addResourceScope(this.#options.resource, RESOURCE_SCOPES);
        }
        await grant.save();
        return grant;
      },
      renderError: async (context, out) => {
        context.body = JSON.stringify(out);
      },
    });
    return provider;
  }

  /** Access tokens for another server, asked for by people's clients or by machines. */
  #forResources() {
    if (this.#options.resource === undefined) return {};
    return {
      registration: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          ...{ scope: RESOURCE_SCOPES, audience: resource, accessTokenTTL: 300 },
          ...{ accessTokenFormat: "jwt" as const, jwt: { sign: { alg: "RS256" as const } } },
        }),
      },
    };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? "/";
    if (url.startsWith("/interaction/")) return this.#interact(request, response);
    if (url === "/jwks") {
      this.keysRead += 1;
      if (this.hidesKeys) {
        response.writeHead(503).end();
        return;
      }
    }
    if (url.startsWith("/token") && (this.forge ?? this.forgeToken) !== undefined)
      interceptJson(response, (body) => this.#forged(body));
    await this.#provider.callback()(request, response);
  }

  /** Signs in the account of the test at once, as if somebody had typed a password, and agrees to what the client asks for. */
  async #interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { account, acr, amr } = this;
    if (account === undefined) {
      const declined = { error: "access_denied", error_description: "the person declined" };
      await this.#provider.interactionFinished(request, response, declined);
      return;
    }
    this.#accounts.set(account.sub, account);
    const login = { accountId: account.sub, amr: [...amr], ...(acr === undefined ? {} : { acr }) };
    // Programs on the person's own machine are asked about each time.
    await this.#provider.interactionFinished(request, response, { login, consent: {} });
  }

  async #forged(body: Record<string, unknown>): Promise<Record<string, unknown>> {
    const token = body["id_token"];
    if (typeof token !== "string") return body;
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as JWTPayload;
    const changed = this.forge?.(claims) ?? claims;
    const forged = await (this.forgeToken?.(changed, this.key) ?? signed(changed, this.key));
    return { ...body, id_token: forged };
  }
}

export function signed(claims: JWTPayload, key: SigningKey, alg = "RS256"): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, kid: key.kid }).sign(key.privateKey);
}

/** Changes the JSON that a handler is about to send. */
function interceptJson(
  response: ServerResponse,
  change: (body: Record<string, unknown>) => Promise<Record<string, unknown>>,
): void {
  const end = response.end.bind(response);
  response.end = ((chunk: unknown) => {
    const body = JSON.parse(String(chunk)) as Record<string, unknown>;
    void change(body).then((changed) => {
      const text = JSON.stringify(changed);
      response.setHeader("content-length", Buffer.byteLength(text));
      end(text);
    });
    return response;
  }) as typeof response.end;
}
