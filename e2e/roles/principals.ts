/** Everybody who might call an operation, with the headers that they would send. */

import { signedInPerson } from "../../packages/server/src/testing/signed-in.ts";
import type { TestServer } from "../../packages/server/src/testing/test-server.ts";
import { browserToken } from "./native.ts";
import { aCase } from "./other-faces.ts";

/** In the order of the table's columns. What the calls are about belongs to `agent`. */
export const PRINCIPALS = {
  agent: "the agent that owns it",
  "other agent": "another agent of the workspace",
  app: "an app",
  operator: "an operator",
  admin: "an admin",
  auditor: "an auditor",
  dev: "the `dev` key",
  session: "an operator signed in to the console",
  suspended: "an operator whose person is suspended",
  browser: "a browser token for somebody's inbox",
  link: "the review link of the case; elsewhere, of another case",
  elsewhere: "the `dev` key of another workspace",
  revoked: "an admin's key that was revoked",
  nobody: "no credential",
} as const;

export type PrincipalName = keyof typeof PRINCIPALS;
export const NAMES = Object.keys(PRINCIPALS) as readonly PrincipalName[];

export type Credentials = Readonly<Record<PrincipalName, Readonly<Record<string, string>>>>;

/** The headers of each, on one server. */
export async function credentials(test: TestServer): Promise<Credentials> {
  const { keys } = test;
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
  await must(test, "POST", "/v1/people", { id: "grace", name: "Grace", role: "operator" });
  await must(test, "PATCH", "/v1/people/grace", { status: "suspended" });
  const session = await signedInPerson(test, "zoe", "operator");
  const { token } = await browserToken(test);
  const gone = await must(test, "POST", "/v1/keys", { name: "gone", role: "admin" });
  await must(test, "DELETE", `/v1/keys/${gone.id}`);
  return {
    agent: bearer(keys.agent),
    "other agent": bearer(keys.otherAgent),
    app: bearer(keys.app),
    operator: bearer(keys.operator),
    admin: bearer(keys.admin),
    auditor: bearer(keys.auditor),
    dev: bearer(keys.dev),
    session: session.headers,
    suspended: bearer(keys.otherOperator),
    browser: bearer(token),
    link: bearer((await aCase(test)).token),
    elsewhere: bearer(keys.elsewhere),
    revoked: bearer(gone.secret),
    nobody: {},
  };
}

async function must(test: TestServer, method: string, path: string, body?: unknown) {
  const call = { key: test.keys.admin, ...(body === undefined ? {} : { body }) };
  const reply = await test.call(method, path, call);
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
}
