/** A person who is signed in to the console of a test server, with a passkey if the test wants one. */

import assert from "node:assert/strict";
import { csrfTokenOf } from "../identity/secrets.ts";
import { Authenticator } from "./authenticator.ts";
import type { TestReply, TestServer } from "./test-server.ts";

const BROWSER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };

export interface SignedInPerson {
  /** Headers of a call from the console's own page. */
  readonly headers: Readonly<Record<string, string>>;
  call(method: string, path: string, body?: unknown): Promise<TestReply>;
}

export async function signedInPerson(
  test: TestServer,
  name = "ada",
  role = "operator",
): Promise<SignedInPerson> {
  const made = await test.call("POST", "/v1/sign-ins", { key: test.keys.admin, body: { name, role } });
  const entered = await test.call("GET", made.body.url.slice(made.body.url.indexOf("/signin")), {
    headers: BROWSER,
  });
  return personWith(test, entered.headers.get("set-cookie") ?? "");
}

/** The person whose session cookie a reply has set. */
export function personWith(test: TestServer, setCookie: string): SignedInPerson {
  const cookie = setCookie.split(";")[0] ?? "";
  assert.match(cookie, /^holdpoint_session=./);
  const csrf = csrfTokenOf(cookie.slice(cookie.indexOf("=") + 1));
  const headers = { ...BROWSER, cookie, "x-csrf-token": csrf, "sec-fetch-site": "same-origin" };
  return {
    headers,
    call: (method, path, body) =>
      test.call(method, path, { headers, ...(body === undefined ? {} : { body }) }),
  };
}

/** Adds a passkey to the person's own, and returns the device that has it. */
export async function addPasskey(person: SignedInPerson, name = "Laptop"): Promise<Authenticator> {
  const device = new Authenticator();
  const { status, body: asked } = await person.call("POST", "/v1/passkey-challenges");
  assert.equal(status, 200, JSON.stringify(asked));
  const credential = device.create(asked.public_key);
  const added = await person.call("POST", "/v1/passkeys", { id: asked.id, credential, name });
  assert.equal(added.status, 201, JSON.stringify(added.body));
  return device;
}
