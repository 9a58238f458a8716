/** A server on a port with an identity provider that knows it, and a browser that signs in there. */

import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { systemClock } from "../system/clock.ts";
import type { OidcProvider } from "../system/sign-in-config.ts";
import { CLIENT, IdentityProvider } from "./identity-provider.ts";
import { ManualClock } from "./manual-clock.ts";
import { personWith, type SignedInPerson } from "./signed-in.ts";
import { type TestServer, testServer } from "./test-server.ts";

export interface Scene extends AsyncDisposable {
  readonly idp: IdentityProvider;
  /** A second provider, if the scene has one. */
  readonly guests: IdentityProvider;
  readonly test: TestServer;
  readonly url: string;
}

const GROUPS = {
  approvers: { role: "operator", teams: ["finance"] },
  admins: { role: "admin", teams: [] },
  auditors: { role: "auditor", teams: [] },
} as const;

/** A server on a port that knows the provider, and the provider that knows the server. */
export async function scene(part: Partial<OidcProvider> = {}, second?: string): Promise<Scene> {
  let fetch: (request: Request, env: unknown) => Response | Promise<Response> = () => new Response(null);
  const http = createAdaptorServer({ fetch: (request, env) => fetch(request, env) });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  const idp = await IdentityProvider.start({ clientUrl: url });
  const provider: OidcProvider = {
    ...{ name: "corp", label: "Corp", issuer: idp.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret },
    ...{
      scopes: ["openid", "profile", "email"],
      groupsClaim: "groups",
      groups: GROUPS,
      workspace: "default",
    },
    ...part,
  };
  // The provider has the real time, so the server's clock begins there.
  const clock = new ManualClock({ startAt: systemClock.now() });
  const guests = second === undefined ? idp : await IdentityProvider.start({ clientUrl: url, name: second });
  const others =
    second === undefined ? [] : [{ ...provider, name: second, label: second, issuer: guests.issuer }];
  const test = await testServer({ clock, publicUrl: url, signIn: { providers: [provider, ...others] } });
  await test.call("POST", "/v1/teams", { key: test.keys.admin, body: { id: "finance" } });
  fetch = test.server.app.fetch;
  return {
    ...{ idp, guests, test, url },
    async [Symbol.asyncDispose]() {
      if ("closeAllConnections" in http) http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
      await test[Symbol.asyncDispose]();
      await idp[Symbol.asyncDispose]();
      if (guests !== idp) await guests[Symbol.asyncDispose]();
    },
  };
}

/** A browser: it keeps cookies by host and path prefix, and follows redirects one at a time. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();
  last = "";

  cookieHeader(url: string): string {
    return [...(this.#cookies.get(new URL(url).host) ?? [])]
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
  }

  cookie(url: string, name: string): string | undefined {
    return this.#cookies.get(new URL(url).host)?.get(name);
  }

  async get(url: string): Promise<Response> {
    this.last = url;
    const headers = { cookie: this.cookieHeader(url), "user-agent": "Mozilla/5.0 Firefox/140.0" };
    const reply = await fetch(url, { redirect: "manual", headers });
    const jar = this.#cookies.get(new URL(url).host) ?? new Map<string, string>();
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    this.#cookies.set(new URL(url).host, jar);
    return reply;
  }

  /** Follows redirects until `isThere`, or until there is none. */
  async follow(url: string, isThere: (url: string) => boolean = () => false): Promise<Response> {
    for (let next = url, hops = 0; hops < 12; hops += 1) {
      const reply = await this.get(next);
      const location = reply.headers.get("location");
      if (location === null) return reply;
      await reply.body?.cancel();
      next = new URL(location, next).href;
      this.last = next;
      if (isThere(next)) return reply;
    }
    throw new Error(`too many redirects, the last to ${this.last}`);
  }
}

export const begin = ({ url }: Scene, query = "") => `${url}/signin/oidc/corp${query}`;
export const isCallback = (url: string) => url.includes("/callback");

/** Signs in and returns the person, or the page that says why not. */
export async function signIn(
  on: Scene,
  query = "",
  browser = new Browser(),
): Promise<{ person?: SignedInPerson; page: string; browser: Browser }> {
  await browser.follow(begin(on, query), isCallback);
  const reply = await browser.get(browser.last);
  const cookie = browser.cookie(on.url, "holdpoint_session");
  if (reply.status !== 303 || cookie === undefined) return { page: await reply.text(), browser };
  return {
    person: personWith(on.test, `holdpoint_session=${cookie}`),
    page: reply.headers.get("location") ?? "",
    browser,
  };
}

export async function me(person: SignedInPerson | undefined) {
  return (await person?.call("GET", "/v1/me"))?.body;
}
