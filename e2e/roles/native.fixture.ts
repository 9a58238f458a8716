/** A call to every native operation, about something real that the agent `refunder` owns and that others prepared. */

import { nativeOperations } from "@holdpoint/protocol";
import { BODIES } from "../../packages/server/src/faces/rest/refusals.fixture.ts";
import { stuckRelease } from "../../packages/server/src/testing/releases.ts";
import { addPasskey, signedInPerson } from "../../packages/server/src/testing/signed-in.ts";
import type { TestServer } from "../../packages/server/src/testing/test-server.ts";
import type { RoleRequest } from "./request.ts";

const ASK = { type: "approval", prompt: "Refund 40 EUR?" } as const;

async function granted(test: TestServer): Promise<string> {
  const body = { tool: "pay", args: {} };
  const { hold } = (await test.call("POST", "/v1/checks", { key: test.keys.agent, body })).body;
  const answer = { action: "approve", grant: { for: "1h" } };
  const path = `/v1/holds/${hold.id}/answer`;
  return (await test.call("POST", path, { key: test.keys.operator, body: answer })).body.outcome.grant_id;
}

let teams = 0;

/** What a call to the operation is about, prepared by those who may. */
export async function nativeRequest(test: TestServer, id: string): Promise<RoleRequest> {
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
    case "putChannel":
      return { path: "/v1/channels/team", body: BODIES["putChannel"] };
    case "removeChannel":
      return { path: "/v1/channels/team" };
    case "listRotas":
      return { path: "/v1/oncall" };
    case "putRota":
      return { path: "/v1/oncall/ops", body: BODIES["putRota"] };
    case "removeRota":
      await test.call("PUT", "/v1/oncall/ops", { key: admin, body: BODIES["putRota"] });
      return { path: "/v1/oncall/ops" };
    case "testChannel":
      return { path: "/v1/channels/team/test" };
    case "changeSettings":
      return { path: "/v1/settings", body: BODIES["changeSettings"] };
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

/** For the inbox of a person who may answer. */
export async function browserToken(
  test: TestServer,
): Promise<{ readonly id: string; readonly token: string }> {
  const key = test.keys.admin;
  await test.call("POST", "/v1/people", { key, body: { id: "lin", name: "Lin" } });
  return (await test.call("POST", "/v1/browser-tokens", { key, body: { person: "lin" } })).body;
}
