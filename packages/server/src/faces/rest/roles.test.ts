/** Who may do what: every operation by every kind of caller, in one table. */

import { nativeOperations } from "@holdpoint/protocol";
import { describe, expect, it } from "vitest";
import { stuckRelease } from "../../testing/releases.ts";
import { addPasskey, signedInPerson } from "../../testing/signed-in.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

import { BODIES } from "./refusals.fixture.ts";

const ASK = { type: "approval", prompt: "Refund 40 EUR?" } as const;

const CALLERS = [
  "agent",
  "otherAgent",
  "app",
  "operator",
  "admin",
  "auditor",
  "dev",
  "elsewhere",
  "nobody",
  "revoked",
  "browser",
] as const;
type Caller = (typeof CALLERS)[number];

/** Statuses in the order of CALLERS. The hold, group and link are the agent's; what another may not know of is 404. */
//                          agent other  app   oper  admin audit dev   elsew nobody revoked browser
// biome-ignore format: a table is read by its columns.
const TABLE: Readonly<Record<string, readonly number[]>> = {
  placeHold:         [201,  201,   201,  403,  403,  403,  201,  201,  401,  401,  401],
  placeGroup:        [201,  201,   201,  403,  403,  403,  201,  201,  401,  401,  401],
  listHolds:         [200,  200,   200,  200,  200,  200,  200,  200,  401,  401,  200],
  getHold:           [200,  404,   404,  200,  200,  200,  200,  404,  401,  401,  200],
  holdEvents:        [200,  404,   404,  200,  200,  200,  200,  404,  401,  401,  401],
  getGroup:          [200,  404,   404,  200,  200,  200,  200,  404,  401,  401,  401],
  answerHold:        [403,  404,   404,  200,  200,  403,  200,  404,  401,  401,  200],
  challengeAnswer:   [403,  404,   404,  200,  200,  403,  200,  404,  401,  401,  401],
  answerGroup:       [403,  404,   404,  200,  200,  403,  200,  404,  401,  401,  401],
  withdrawVote:      [409,  404,   404,  409,  409,  403,  409,  404,  401,  401,  409],
  cancelHold:        [200,  404,   404,  200,  200,  403,  200,  404,  401,  401,  401],
  eraseHold:         [403,  404,   404,  403,  200,  403,  200,  404,  401,  401,  401],
  assignHold:        [403,  404,   404,  200,  200,  403,  200,  404,  401,  401,  401],
  commentHold:       [201,  404,   404,  201,  201,  403,  201,  404,  401,  401,  401],
  extendHold:        [403,  404,   404,  200,  200,  403,  200,  404,  401,  401,  401],
  snoozeHold:        [403,  404,   404,  200,  200,  403,  200,  404,  401,  401,  401],
  lookAtHold:        [403,  404,   404,  200,  200,  403,  200,  404,  401,  401,  401],
  countHolds:        [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  overview:          [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  activity:          [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  listReleases:      [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  getRelease:        [403,  403,   403,  200,  200,  200,  200,  404,  401,  401,  401],
  decideRelease:     [404,  404,   404,  200,  200,  403,  200,  404,  401,  401,  401],
  makeLink:          [403,  404,   404,  201,  201,  403,  201,  404,  401,  401,  401],
  listLinks:         [403,  404,   404,  200,  200,  200,  200,  404,  401,  401,  401],
  revokeLink:        [403,  404,   404,  200,  200,  403,  200,  404,  401,  401,  401],
  claimHold:         [201,  404,   404,  403,  403,  403,  201,  404,  401,  401,  401],
  finishClaim:       [200,  404,   404,  403,  403,  403,  200,  404,  401,  401,  401],
  releaseClaim:      [403,  404,   404,  200,  200,  403,  200,  404,  401,  401,  401],
  revokeHold:        [200,  404,   404,  200,  200,  403,  200,  404,  401,  401,  401],
  streamEvents:      [200,  200,   200,  200,  200,  200,  200,  200,  401,  401,  200],
  uploadFile:        [403,  404,   404,  201,  201,  403,  201,  404,  401,  401,  201],
  readFile:          [200,  404,   404,  200,  200,  200,  200,  404,  401,  401,  401],
  recordSkip:        [201,  201,   201,  403,  403,  403,  201,  201,  401,  401,  401],
  listSkips:         [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  checkCall:         [200,  200,   200,  403,  403,  403,  200,  200,  401,  401,  401],
  recordStandingCalls: [200, 200,  200,  403,  403,  403,  200,  200,  401,  401,  401],
  listChecks:        [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  getRules:          [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  publishRules:      [403,  403,   403,  403,  200,  403,  200,  200,  401,  401,  401],
  rulesHistory:      [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  tryRules:          [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  replayRules:       [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  coverage:          [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  listGrants:        [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  suggestGrants:     [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  revokeGrant:       [403,  403,   403,  200,  200,  403,  200,  404,  401,  401,  401],
  keepThread:        [200,  200,   200,  403,  403,  403,  200,  200,  401,  401,  401],
  getThread:         [200,  404,   404,  404,  404,  404,  404,  404,  401,  401,  401],
  forgetThread:      [200,  404,   404,  403,  403,  403,  404,  404,  401,  401,  401],
  makeKey:           [403,  403,   403,  403,  201,  403,  201,  201,  401,  401,  401],
  listKeys:          [403,  403,   403,  403,  200,  200,  200,  200,  401,  401,  401],
  revokeKey:         [403,  403,   403,  403,  200,  403,  200,  404,  401,  401,  401],
  rotateKeySecret:   [403,  403,   403,  403,  200,  403,  200,  404,  401,  401,  401],
  makeBrowserToken:  [403,  403,   201,  201,  201,  403,  201,  201,  401,  401,  401],
  revokeBrowserToken:[404,  404,   404,  404,  200,  403,  200,  404,  401,  401,  401],
  makeSignIn:        [403,  403,   403,  403,  201,  403,  201,  201,  401,  401,  401],
  listPeople:        [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  addPerson:         [403,  403,   403,  403,  201,  403,  201,  201,  401,  401,  401],
  changePerson:      [403,  403,   403,  403,  200,  403,  200,  404,  401,  401,  401],
  linkAccount:       [403,  403,   403,  403,  201,  403,  201,  404,  401,  401,  401],
  unlinkAccount:     [403,  403,   403,  403,  200,  403,  200,  404,  401,  401,  401],
  invitePerson:      [403,  403,   403,  403,  201,  403,  201,  404,  401,  401,  401],
  listSessions:      [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  endSession:        [403,  403,   403,  403,  200,  403,  200,  404,  401,  401,  401],
  endSessions:       [403,  403,   403,  403,  200,  403,  200,  404,  401,  401,  401],
  makeAccountCode:   [403,  403,   403,  201,  403,  403,  403,  403,  401,  401,  401],
  listChannels:      [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  erasePerson:       [403,  403,   403,  403,  200,  403,  200,  404,  401,  401,  401],
  listTeams:         [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  addTeam:           [403,  403,   403,  403,  201,  403,  201,  201,  401,  401,  401],
  changeTeam:        [403,  403,   403,  403,  200,  403,  200,  404,  401,  401,  401],
  removeTeam:        [403,  403,   403,  403,  200,  403,  200,  404,  401,  401,  401],
  startPasskey:      [403,  403,   403,  403,  403,  403,  403,  403,  401,  401,  401],
  addPasskey:        [403,  403,   403,  403,  403,  403,  403,  403,  401,  401,  401],
  listPasskeys:      [200,  200,   200,  200,  200,  200,  200,  200,  401,  401,  401],
  removePasskey:     [403,  403,   403,  200,  200,  403,  200,  404,  401,  401,  401],
  listPushDevices:   [200,  200,   200,  200,  200,  200,  200,  200,  401,  401,  401],
  addPushDevice:     [403,  403,   403,  201,  201,  403,  403,  403,  401,  401,  401],
  removePushDevice:  [403,  403,   403,  403,  200,  403,  200,  404,  401,  401,  401],
  makeWebhook:       [403,  403,   403,  403,  201,  403,  201,  201,  401,  401,  401],
  listWebhooks:      [403,  403,   403,  403,  200,  200,  200,  200,  401,  401,  401],
  deleteWebhook:     [403,  403,   403,  403,  200,  403,  200,  404,  401,  401,  401],
  listDeliveries:    [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  replayDelivery:    [403,  403,   403,  403,  202,  403,  202,  404,  401,  401,  401],
  readLog:           [403,  403,   403,  200,  200,  200,  200,  200,  401,  401,  401],
  verifyLog:         [403,  403,   403,  403,  200,  200,  200,  200,  401,  401,  401],
  whoAmI:            [200,  200,   200,  200,  200,  200,  200,  200,  401,  401,  200],
  health:            [200,  200,   200,  200,  200,  200,  200,  200,  200,  200,  200],
  ready:             [200,  200,   200,  200,  200,  200,  200,  200,  200,  200,  200],
  metrics:           [200,  200,   200,  200,  200,  200,  200,  200,  200,  200,  200],
  openApi:           [200,  200,   200,  200,  200,  200,  200,  200,  200,  200,  200],
};

async function granted(test: TestServer): Promise<string> {
  const body = { tool: "pay", args: {} };
  const { hold } = (await test.call("POST", "/v1/checks", { key: test.keys.agent, body })).body;
  const answer = { action: "approve", grant: { for: "1h" } };
  const path = `/v1/holds/${hold.id}/answer`;
  return (await test.call("POST", path, { key: test.keys.operator, body: answer })).body.outcome.grant_id;
}

let teams = 0;

/** What a call to the operation is about, prepared by those who may. */
async function request(
  test: TestServer,
  id: string,
): Promise<{ readonly path: string; readonly body?: unknown }> {
  const { agent, admin, operator } = test.keys;
  const post = async (path: string, key: string, body: unknown) =>
    (await test.call("POST", path, { key, body })).body;
  const hold = await post("/v1/holds", agent, { ...ASK, callback_url: "http://127.0.0.1:9/" });
  const at = `/v1/holds/${hold.id}`;
  const approve = () => post(`${at}/answer`, operator, { action: "approve" });
  const claim = async () => {
    await approve();
    return post(`${at}/claim`, agent, { digest: hold.digest });
  };
  switch (id) {
    case "placeHold":
      return { path: "/v1/holds", body: ASK };
    case "placeGroup":
      return { path: "/v1/groups", body: { holds: [ASK] } };
    case "checkCall":
      return { path: "/v1/checks", body: { tool: "pay", args: {} } };
    case "recordStandingCalls":
      return {
        path: "/v1/checks/standing",
        body: { tool: "pay", rules_version: 0, calls: [{}], local_rules: { digest: "sha256:x" } },
      };
    case "makeBrowserToken":
      await post("/v1/people", admin, { id: "lin", name: "Lin" });
      return { path: "/v1/browser-tokens", body: { person: "lin" } };
    case "revokeBrowserToken":
      return { path: `/v1/browser-tokens/${(await browserToken(test)).id}` };
    case "publishRules":
      return { path: "/v1/rules", body: { rules: [] } };
    case "tryRules":
      return { path: "/v1/rules/try", body: { agent: "a", tool: "pay", args: {} } };
    case "replayRules":
      return { path: "/v1/rules/replay", body: { rules: [] } };
    case "revokeGrant":
      return { path: `/v1/grants/${await granted(test)}` };
    case "assignHold":
      return { path: `${at}/assign`, body: { to: null } };
    case "commentHold":
      return { path: `${at}/comments`, body: { text: "Why?" } };
    case "extendHold": {
      const timed = await post("/v1/holds", agent, { ...ASK, timeout: "1h" });
      return { path: `/v1/holds/${timed.id}/extend`, body: { by: "1h" } };
    }
    case "snoozeHold":
      return { path: `${at}/snooze`, body: { for: "1h" } };
    case "lookAtHold":
      return { path: `${at}/looking` };
    case "countHolds":
      return { path: "/v1/hold-counts?by=tool" };
    case "overview":
      return { path: "/v1/overview" };
    case "activity":
      return { path: "/v1/activity" };
    case "getHold":
      return { path: at };
    case "holdEvents":
      return { path: `${at}/events` };
    case "challengeAnswer":
      return { path: `${at}/challenge`, body: { action: "approve" } };
    case "addPasskey":
      return { path: "/v1/passkeys", body: BODIES["addPasskey"] };
    case "removePasskey": {
      await post("/v1/people", admin, { id: "ada", name: "Ada" });
      return { path: `/v1/passkeys/${(await addPasskey(await signedInPerson(test))).id}` };
    }
    case "addPushDevice":
      for (const name of ["ada", "root"]) await post("/v1/people", admin, { id: name, name });
      return { path: "/v1/push-devices", body: BODIES["addPushDevice"] };
    case "removePushDevice": {
      await post("/v1/people", admin, { id: "lin", name: "Lin" });
      const lin = await signedInPerson(test, "lin");
      const { body: device } = await lin.call("POST", "/v1/push-devices", BODIES["addPushDevice"]);
      return { path: `/v1/push-devices/${device.id}?person=lin` };
    }
    case "answerHold":
      return { path: `${at}/answer`, body: { action: "approve" } };
    case "withdrawVote":
      return { path: `${at}/vote` };
    case "cancelHold":
      return { path: `${at}/cancel`, body: {} };
    case "eraseHold":
      await approve();
      return { path: `${at}/erase` };
    case "getRelease":
      return { path: `/v1/releases/${await stuckRelease(test)}` };
    case "decideRelease":
      return { path: `/v1/releases/${await stuckRelease(test)}/decide`, body: { decision: "mark_released" } };
    case "makeLink":
      return { path: `${at}/links`, body: {} };
    case "listLinks":
      return { path: `${at}/links` };
    case "revokeLink":
      return { path: `${at}/links/${(await post(`${at}/links`, admin, {})).id}` };
    case "claimHold":
      await approve();
      return { path: `${at}/claim`, body: { digest: hold.digest } };
    case "finishClaim":
      return { path: `${at}/claim/${(await claim()).id}/done`, body: { ok: true } };
    case "releaseClaim":
      await claim();
      return { path: `${at}/claim/release`, body: {} };
    case "revokeHold":
      await approve();
      return { path: `${at}/revoke` };
    case "getGroup":
      return { path: `/v1/groups/${(await post("/v1/groups", agent, { holds: [ASK] })).id}` };
    case "answerGroup": {
      const group = await post("/v1/groups", agent, { holds: [ASK] });
      const entries = [{ kind: "answer", hold_id: group.holds[0].id, action: "approve" }];
      return { path: `/v1/groups/${group.id}/answer`, body: { entries } };
    }
    case "uploadFile":
      return { path: await uploadPath(test), body: {} };
    case "readFile":
      return { path: `/v1/files/${await answeredFile(test)}` };
    case "recordSkip":
      return { path: "/v1/skips", body: { what: "POST /orders" } };
    case "keepThread":
      return { path: "/v1/threads/t1", body: { data: {} } };
    case "getThread":
    case "forgetThread":
      await test.call("PUT", "/v1/threads/t1", { key: agent, body: { data: { a: 1 } } });
      return { path: "/v1/threads/t1" };
    case "makeKey":
      return { path: "/v1/keys", body: { name: "new", role: "agent" } };
    case "revokeKey":
    case "rotateKeySecret": {
      const key = await post("/v1/keys", admin, { name: "spare", role: "agent" });
      return { path: `/v1/keys/${key.id}${id === "revokeKey" ? "" : "/rotate"}` };
    }
    case "makeSignIn":
      return { path: "/v1/sign-ins", body: {} };
    case "addPerson":
      return { path: "/v1/people", body: { name: "Lin" } };
    case "invitePerson":
    case "endSessions":
      await post("/v1/people", admin, { id: "lin", name: "Lin" });
      return id === "invitePerson"
        ? { path: "/v1/people/lin/invite", body: {} }
        : { path: "/v1/people/lin/sessions" };
    case "listSessions":
      return { path: "/v1/sessions" };
    case "endSession": {
      const lin = await signedInPerson(test, "lin");
      return { path: `/v1/sessions/${(await lin.call("GET", "/v1/me")).body.id}` };
    }
    case "changePerson":
    case "linkAccount":
    case "erasePerson": {
      await post("/v1/people", admin, { id: "lin", name: "Lin" });
      const path = `/v1/people/lin${{ changePerson: "", linkAccount: "/accounts", erasePerson: "/erase" }[id]}`;
      const account = { platform: "slack", user_id: "U1" };
      return id === "erasePerson"
        ? { path }
        : { path, body: id === "linkAccount" ? account : { name: "Lin Wu" } };
    }
    case "unlinkAccount": {
      await post("/v1/people", admin, { id: "lin", name: "Lin" });
      const account = { platform: "slack", user_id: "U1" };
      await post("/v1/people/lin/accounts", admin, account);
      return { path: "/v1/people/lin/accounts/unlink", body: account };
    }
    case "makeAccountCode":
      await post("/v1/people", admin, { id: "ada", name: "Ada" });
      return { path: "/v1/people/ada/account_codes" };
    case "listChannels":
      return { path: "/v1/channels" };
    case "addTeam":
      teams += 1;
      return { path: "/v1/teams", body: { id: `crew-${teams}` } };
    case "changeTeam":
    case "removeTeam":
      await post("/v1/teams", admin, { id: "crew" });
      return { path: "/v1/teams/crew", ...(id === "changeTeam" ? { body: { name: "Crew" } } : {}) };
    case "makeWebhook":
      return { path: "/v1/webhooks", body: { url: "http://127.0.0.1:9/" } };
    case "deleteWebhook":
      return {
        path: `/v1/webhooks/${(await post("/v1/webhooks", admin, { url: "http://127.0.0.1:9/" })).id}`,
      };
    case "replayDelivery": {
      const ladder = [{ after: "0s", channel: "none" }];
      const told = await post("/v1/holds", agent, { type: "approval", prompt: "Go?", ladder });
      await test.clock.advance(0);
      await test.server.sender.idle();
      const { body } = await test.call("GET", `/v1/deliveries?hold_id=${told.id}`, { key: admin });
      return { path: `/v1/deliveries/${body.deliveries[0].id}/replay` };
    }
    default:
      return { path: nativeOperations.find((operation) => operation.id === id)?.path ?? "" };
  }
}

/** To a hold of the agent's that asks for a file. */
async function uploadPath(test: TestServer): Promise<string> {
  const form = { fields: [{ key: "doc", label: "Document", type: "x-file-upload" }] };
  const body = { type: "input", prompt: "The document?", form };
  const { body: hold } = await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
  return `/v1/files?name=a.txt&hold_id=${hold.id}`;
}

async function answeredFile(test: TestServer): Promise<string> {
  const path = await uploadPath(test);
  const key = test.keys.operator;
  const { file_id, name, sha256, hold_id } = (await test.call("POST", path, { key, body: {} })).body;
  const answer = { action: "submit", data: { doc: { file_id, name, sha256 } } };
  await test.call("POST", `/v1/holds/${hold_id}/answer`, { key, body: answer });
  return file_id;
}

async function statusFor(test: TestServer, id: string, caller: Caller): Promise<number> {
  const { path, body } = await request(test, id);
  const method = nativeOperations.find((operation) => operation.id === id)?.method ?? "GET";
  const key = await keyOf(test, caller);
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const reply = await test.server.app.request(path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  await reply.body?.cancel();
  return reply.status;
}

async function keyOf(test: TestServer, caller: Caller): Promise<string | undefined> {
  switch (caller) {
    case "nobody":
      return undefined;
    case "revoked":
      return revokedKey(test);
    case "browser":
      return (await browserToken(test)).token;
    default:
      return test.keys[caller];
  }
}

/** For the inbox of a person who may answer. */
async function browserToken(test: TestServer): Promise<{ readonly id: string; readonly token: string }> {
  const key = test.keys.admin;
  await test.call("POST", "/v1/people", { key, body: { id: "lin", name: "Lin" } });
  return (await test.call("POST", "/v1/browser-tokens", { key, body: { person: "lin" } })).body;
}

async function revokedKey(test: TestServer): Promise<string> {
  const key = test.keys.admin;
  const made = await test.call("POST", "/v1/keys", { key, body: { name: "gone", role: "admin" } });
  expect((await test.call("GET", "/v1/me", { key: made.body.secret })).status).toBe(200);
  await test.call("DELETE", `/v1/keys/${made.body.id}`, { key });
  return made.body.secret;
}

describe("roles and operations", () => {
  it("the table of roles has a row for every operation", () => {
    expect(Object.keys(TABLE).toSorted()).toEqual(nativeOperations.map(({ id }) => id).toSorted());
  });

  it.each(Object.keys(TABLE))("%s is allowed for exactly the roles in the table", async (id) => {
    await using test = await testServer();
    const found: Partial<Record<Caller, number>> = {};
    for (const caller of CALLERS) found[caller] = await statusFor(test, id, caller);
    expect(found).toEqual(Object.fromEntries(CALLERS.map((caller, index) => [caller, TABLE[id]?.[index]])));
  });
});

describe("which principal a key stands for", () => {
  const me = (test: TestServer, key: string, agent?: string) =>
    test.call("GET", "/v1/me", { key, headers: agent === undefined ? {} : { "x-agent-id": agent } });

  it("an agent's key acts as that agent, may repeat its name and may use no other", async () => {
    await using test = await testServer();
    expect((await me(test, test.keys.agent)).body).toMatchObject({
      name: "refunder",
      agent: "refunder",
      role: "agent",
    });
    expect(await me(test, test.keys.agent, "refunder")).toMatchObject({ status: 200 });
    expect(await me(test, test.keys.agent, "other")).toMatchObject({
      status: 403,
      body: { code: "agent_mismatch" },
    });
  });

  it("a key for any agent acts as the agent that the request names, and the request must name one", async () => {
    await using test = await testServer();
    expect((await me(test, test.keys.anyAgent, "shipper")).body).toMatchObject({ agent: "shipper" });
    expect(await me(test, test.keys.anyAgent)).toMatchObject({
      status: 403,
      body: { code: "agent_mismatch" },
    });
    const body = { ...ASK, key: "k" };
    const headers = { "x-agent-id": "shipper" };
    const placed = await test.call("POST", "/v1/holds", { key: test.keys.anyAgent, body, headers });
    expect(placed.body.created_by).toBe("shipper");
    expect((await me(test, test.keys.dev, "shipper")).body).toMatchObject({ name: "shipper", role: "dev" });
  });

  it("a key for any agent cannot act as an app or a person, whatever name it sends", async () => {
    await using test = await testServer({ people: ["lin"] });
    const { admin, anyAgent, operator } = test.keys;
    const refused = { status: 403, body: { code: "agent_mismatch" } };
    expect(await me(test, anyAgent, "shop"), "an app with a configured key").toMatchObject(refused);
    expect(await me(test, anyAgent, "ada"), "an operator with a configured key").toMatchObject(refused);
    expect(await me(test, anyAgent, "lin"), "a configured person").toMatchObject(refused);
    expect(await me(test, anyAgent, "refunder"), "an agent with a key of its own").toMatchObject({
      status: 200,
    });

    expect(await me(test, anyAgent, "mall")).toMatchObject({ status: 200 });
    await test.call("POST", "/v1/keys", { key: admin, body: { name: "mall", role: "app" } });
    expect(await me(test, anyAgent, "mall"), "an app whose key was made since").toMatchObject(refused);

    const signIn = await test.call("POST", "/v1/sign-ins", {
      key: admin,
      body: { name: "zoe", role: "operator" },
    });
    expect(await me(test, anyAgent, "zoe")).toMatchObject({ status: 200 });
    const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
    await test.server.app.request(signIn.body.url, { headers: browser });
    expect(await me(test, anyAgent, "zoe"), "a person who has signed in").toMatchObject(refused);

    const { body: hold } = await test.call("POST", "/v1/holds", { key: test.keys.app, body: ASK });
    const headers = { "x-agent-id": "shop" };
    expect(await test.call("GET", `/v1/holds/${hold.id}`, { key: anyAgent, headers })).toMatchObject(refused);
    expect(
      await test.call("POST", `/v1/holds/${hold.id}/cancel`, { key: anyAgent, headers, body: {} }),
    ).toMatchObject(refused);
    expect((await me(test, operator, "grace")).body, "an operator's key ignores the header").toMatchObject({
      name: "ada",
    });
  });

  it("the wildcard of another role, such as operator:* or app:*, names nobody else", async () => {
    const keys = (["operator", "app"] as const).map((role) => ({
      ...{ secret: `any-${role}`, role, name: "*", workspace: "default" },
    }));
    await using test = await testServer({ keys });
    for (const { secret } of keys) expect((await me(test, secret, "ada")).body).toMatchObject({ name: "*" });
  });

  it("a key may be sent as X-API-Key", async () => {
    await using test = await testServer();
    const reply = await test.call("GET", "/v1/me", { headers: { "x-api-key": test.keys.auditor } });
    expect(reply.body).toMatchObject({ role: "auditor", workspace: "default" });
  });

  it("a dev key is refused where dev keys are not allowed", async () => {
    await using test = await testServer({ allowDev: false });
    expect(await me(test, test.keys.dev)).toMatchObject({ status: 401 });
    expect(await me(test, test.keys.agent)).toMatchObject({ status: 200 });
  });
});

describe("G7 who asks cannot answer", () => {
  const answer = (test: TestServer, id: string, key: string, more: object = {}) =>
    test.call("POST", `/v1/holds/${id}/answer`, { key, body: { action: "approve", ...more } });

  it("an app cannot answer its own hold, unless it relays the answer of a named end user", async () => {
    await using test = await testServer();
    const { app } = test.keys;
    const { body: hold } = await test.call("POST", "/v1/holds", { key: app, body: ASK });
    expect(await answer(test, hold.id, app)).toMatchObject({ status: 403 });
    const relayed = await answer(test, hold.id, app, { claimed: { id: "u-7", name: "Eve" } });
    expect(relayed.body.outcome.by).toMatchObject({
      kind: "app",
      name: "shop",
      claimed: { id: "u-7", name: "Eve" },
    });
  });

  it("an app cannot answer a hold that only named people may answer", async () => {
    await using test = await testServer();
    const body = { ...ASK, answerers: ["grace"] };
    const { body: hold } = await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
    expect(hold).toMatchObject({ links: "server", answerers: ["grace"] });
    expect(hold.review_url).toBeUndefined();
    expect(await answer(test, hold.id, test.keys.operator)).toMatchObject({ status: 403 });
    expect(await answer(test, hold.id, test.keys.otherOperator)).toMatchObject({ status: 200 });
  });

  it("an operator cannot answer a hold that was placed with a key of the same name", async () => {
    await using test = await testServer();
    const { body: key } = await test.call("POST", "/v1/keys", {
      key: test.keys.admin,
      body: { name: "ada", role: "agent" },
    });
    const { body: hold } = await test.call("POST", "/v1/holds", { key: key.secret, body: ASK });
    expect(await answer(test, hold.id, test.keys.operator)).toMatchObject({ status: 403 });
    expect(await answer(test, hold.id, test.keys.otherOperator)).toMatchObject({ status: 200 });
  });
});
