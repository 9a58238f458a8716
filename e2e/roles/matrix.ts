/**
 * Who may do what: every operation of every face, called by everybody, on a real server. The result is checked in as
 * `docs/reference/roles.md`, so a changed cell is a change that somebody reviews.
 */

import type { Operation, OperationSet } from "@holdpoint/protocol";
import type { ProxySettings } from "../../packages/server/src/agui/proxy/settings.ts";
import { type TestServer, testServer } from "../../packages/server/src/testing/test-server.ts";
import { nativeRequest } from "./native.fixture.ts";
import { intentRequest } from "./openintent.ts";
import { agUiRequest, caseRequest, mcpRequest } from "./other-faces.ts";
import { type Credentials, credentials, NAMES, type PrincipalName } from "./principals.ts";
import type { RoleRequest } from "./request.ts";

/** Behind the proxy: an agent that finishes at once. */
const UPSTREAM: ProxySettings = {
  ask: async () => ({ kind: "ended", event: { type: "RUN_FINISHED" } }),
  ...{ autoResume: true, idempotent: false, ladder: [] },
  links: "server",
};

/** Its tokens are accepted at `/mcp`, and nobody here has one. */
const ISSUER = {
  ...{ issuer: "https://id.example.com", scope: "holdpoint", agentClaim: "client_id", agents: {} },
  workspace: "default",
};

export type Row = Readonly<Record<PrincipalName, string>>;

export interface FaceMatrix {
  readonly face: string;
  readonly rows: Readonly<Record<string, Row>>;
}

export function rolesServer(): Promise<TestServer> {
  return testServer({ agUi: { proxies: { support: UPSTREAM } }, mcpOAuth: ISSUER });
}

export async function faceMatrix(set: OperationSet): Promise<FaceMatrix> {
  const rows: Record<string, Row> = {};
  for (const operation of set.operations) rows[operation.id] = await rowOf(set, operation);
  return { face: set.name, rows };
}

/** On a server of its own: nothing of another row is in the way, and no rate limit is reached. */
export async function rowOf(set: OperationSet, operation: Operation): Promise<Row> {
  await using test = await rolesServer();
  const who = await credentials(test);
  const cells: Partial<Record<PrincipalName, string>> = {};
  let shared: RoleRequest | undefined;
  for (const name of NAMES) {
    // Reading changes nothing, so everybody may read the same thing. Only a link belongs to its own case.
    const isShared = operation.method === "GET" && set.name !== "hitl";
    const request =
      (isShared ? shared : undefined) ?? (await requestFor(test, set.name, operation, name, who));
    shared = request;
    // Elsewhere the link is a token that nobody takes; here it is in the address.
    const credential = set.name === "hitl" && name === "link" ? {} : who[name];
    cells[name] = await cellOf(test, set, operation, request, credential);
  }
  return cells as Row;
}

async function requestFor(
  test: TestServer,
  face: string,
  operation: Operation,
  name: PrincipalName,
  who: Credentials,
): Promise<RoleRequest> {
  switch (face) {
    case "native":
      return nativeRequest(test, operation.id);
    case "openintent":
      return intentRequest(test, operation, who[name]["authorization"]?.slice("Bearer ".length));
    case "hitl":
      return caseRequest(test, operation, name === "link");
    case "agui":
      return agUiRequest(operation);
    case "mcp":
      return mcpRequest(operation);
    default:
      throw new Error(`Say in e2e/roles how the operations of the face ${face} are called.`);
  }
}

/** The status, and the code of a refusal. */
async function cellOf(
  test: TestServer,
  { errors }: OperationSet,
  { method }: Operation,
  { path, body, headers }: RoleRequest,
  credential: Readonly<Record<string, string>>,
): Promise<string> {
  const reply = await test.server.app.request(path, {
    method,
    headers: {
      ...credential,
      ...headers,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const isRefusal = reply.status >= 400 && reply.headers.get("content-type")?.includes("json");
  if (isRefusal !== true) {
    await reply.body?.cancel();
    return String(reply.status);
  }
  const code = errors.codeOf?.(JSON.parse(await reply.text()));
  return code === undefined ? String(reply.status) : `${reply.status} ${code}`;
}
