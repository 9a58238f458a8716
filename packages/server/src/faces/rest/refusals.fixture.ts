/** A scene with something real for every parameter, and ways to call an operation in it. */

import type { Operation } from "@holdpoint/protocol";
import type { TestCall, TestReply, TestServer } from "../../testing/test-server.ts";

export const ASK = { type: "approval", prompt: "Refund 40 EUR?" } as const;
export const NOWHERE = "hold_00000000000000000000000000";

export type Ids = Readonly<Record<string, string>>;
export type Recipe = (test: TestServer, operation: Operation, ids: Ids) => Promise<TestReply>;

/** Something real for every parameter: an open hold of `refunder`, its link, a group, a key, a webhook, a message. */
export async function scene(test: TestServer): Promise<Ids> {
  const { agent, admin } = test.keys;
  const post = async (path: string, key: string, body: unknown) =>
    (await test.call("POST", path, { key, body })).body;
  const hold = await post("/v1/holds", agent, { ...ASK, callback_url: "http://127.0.0.1:9/" });
  const link = await post(`/v1/holds/${hold.id}/links`, admin, {});
  const group = await post("/v1/groups", agent, { holds: [ASK, ASK] });
  const key = await post("/v1/keys", admin, { name: "spare", role: "operator" });
  // One for all scenes of a server: a workspace may not have many.
  const { webhooks } = (await test.call("GET", "/v1/webhooks", { key: admin })).body;
  const hook =
    webhooks[0] ??
    (await post("/v1/webhooks", admin, { url: "http://127.0.0.1:9/", events: ["hold.nothing"] }));
  await post("/v1/people", admin, { id: "lin", name: "Lin" });
  await post("/v1/teams", admin, { id: "crew" });
  return {
    person: "lin",
    team: "crew",
    hold: hold.id,
    digest: hold.digest,
    link: link.id,
    group: group.id,
    key: key.id,
    hook: hook.id,
  };
}

export function idFor(operation: Operation, ids: Ids): string {
  const noun = operation.path.split("/")[2] ?? "";
  return (
    {
      holds: ids["hold"],
      groups: ids["group"],
      releases: ids["group"],
      keys: ids["key"],
      webhooks: ids["hook"],
      people: ids["person"],
      teams: ids["team"],
      channels: ids["channel"] ?? "team",
    }[noun] ?? NOWHERE
  );
}

export function pathOf(operation: Operation, ids: Ids): string {
  return operation.path
    .replace("{id}", idFor(operation, ids))
    .replace("{link_id}", ids["link"] ?? NOWHERE)
    .replace("{claim_id}", "claim_none");
}

const CREDENTIAL = { id: "AA", rawId: "AA", type: "public-key", clientExtensionResults: {} };

/** What a passkey that nobody knows has signed. */
export const SIGNED = {
  id: "challenge_none",
  credential: {
    ...CREDENTIAL,
    response: { authenticatorData: "AA", clientDataJSON: "AA", signature: "AA" },
  },
};

export const BODIES: Readonly<Record<string, unknown>> = {
  placeHold: ASK,
  answerHold: { action: "approve" },
  challengeAnswer: { action: "approve" },
  addPasskey: {
    id: "challenge_none",
    credential: { ...CREDENTIAL, response: { attestationObject: "AA", clientDataJSON: "AA" } },
  },
  cancelHold: {},
  assignHold: { to: null },
  commentHold: { text: "Why?" },
  extendHold: { by: "1h" },
  snoozeHold: { for: "1h" },
  makeLink: {},
  finishClaim: { ok: true },
  releaseClaim: {},
  placeGroup: { holds: [ASK] },
  recordSkip: { what: "POST /orders" },
  keepThread: { data: {} },
  makeKey: { name: "new", role: "operator" },
  decideRelease: { decision: "retry" },
  makeSignIn: {},
  makeBrowserToken: { person: "lin" },
  checkCall: { tool: "pay", args: {} },
  recordStandingCalls: { tool: "pay", rules_version: 0, calls: [{}], local_rules: { digest: "d" } },
  publishRules: { rules: [] },
  tryRules: { agent: "a", tool: "pay", args: {} },
  replayRules: { rules: [] },
  putChannel: { platform: "telegram", to: ["-1"] },
  putRota: { people: ["ada"], every: "7d", from: "2026-03-02T08:00:00Z" },
  changeSettings: { max_open_checks: 10 },
  makeWebhook: { url: "http://127.0.0.1:9/" },
  addPerson: { name: "Eve" },
  changePerson: { name: "Lin Wu" },
  linkAccount: { platform: "slack", user_id: "U1" },
  unlinkAccount: { platform: "slack", user_id: "U1" },
  invitePerson: {},
  addTeam: { id: "new" },
  addPushDevice: {
    endpoint: "http://127.0.0.1:9/send/1",
    keys: { p256dh: "A".repeat(87), auth: "A".repeat(22) },
  },
  changeTeam: { name: "Crew" },
};

export function call(
  test: TestServer,
  operation: Operation,
  ids: Ids,
  more: TestCall = {},
): Promise<TestReply> {
  const body = operation.id === "claimHold" ? { digest: ids["digest"] } : BODIES[operation.id];
  const sent = operation.body === undefined ? {} : { body: body ?? {} };
  return test.call(operation.method, pathOf(operation, ids), { key: test.keys.dev, ...sent, ...more });
}

/** As `key`, whatever else. */
export function as(role: keyof TestServer["keys"]): Recipe {
  return (test, operation, ids) => call(test, operation, ids, { key: test.keys[role] });
}

export function sending(more: TestCall): Recipe {
  return (test, operation, ids) => call(test, operation, ids, more);
}

export function saying(body: unknown): Recipe {
  return sending({ body });
}

/** About a person who does not exist. */
export const nobody: Recipe = (test, operation) => call(test, operation, { person: NOWHERE });

/** A key whose person has no row yet. */
export const unknownSelf: Recipe = (test, operation) =>
  call(test, operation, { person: "ada" }, { key: test.keys.operator });
