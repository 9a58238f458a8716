/** Every refusal that the native operations declare, made to happen: what cannot happen must not be declared. */

import { type Code, ERROR_CODES, nativeSet, type Operation } from "@holdpoint/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { WEBHOOKS_MAX } from "../../kernel/access/access.ts";
import { NO_PLATFORM } from "../../kernel/platform.ts";
import type { Principal } from "../../kernel/principal.ts";
import { openRelease } from "../../testing/releases.ts";
import { signedInPerson } from "../../testing/signed-in.ts";
import { type TestCall, type TestReply, type TestServer, testServer } from "../../testing/test-server.ts";
import {
  ASK,
  as,
  BODIES,
  call,
  type Ids,
  NOWHERE,
  pathOf,
  type Recipe,
  SIGNED,
  saying,
  scene,
  sending,
  unknownSelf,
} from "./refusals.fixture.ts";
import { CHANNEL_REFUSALS } from "./refusals-channels.fixture.ts";
import { answered, DESK_REFUSALS, expired, past, placed, settled } from "./refusals-desk.fixture.ts";
import { PASSKEY_REFUSALS, VERIFYING, withoutHostName } from "./refusals-passkeys.fixture.ts";
import { byWeakToken, PEOPLE_REFUSALS } from "./refusals-people.fixture.ts";

const LIN = { approve: [{ need: 1, from: ["person:lin"] }] };
/** A rule that the operator's person can meet, but not with a key. */
async function adaByPasskey(test: TestServer) {
  await test.call("POST", "/v1/people", { key: test.keys.admin, body: { id: "ada", name: "Ada" } });
  return { approve: [{ need: 1, from: ["person:ada"] }], strength: "passkey" };
}

async function askedForFile(test: TestServer, more: object = {}): Promise<string> {
  const form = { fields: [{ key: "doc", label: "Document", type: "x-file-upload" }] };
  return (await placed(test, { type: "input", form, ...more })).id;
}

function uploading(test: TestServer, holdId: string, more: TestCall = {}): Promise<TestReply> {
  const path = `/v1/files?name=a.txt&hold_id=${holdId}`;
  return test.call("POST", path, { key: test.keys.operator, body: "content", ...more });
}

/** There is one, and it still waits for answers. */
function withRelease(role: keyof TestServer["keys"]): Recipe {
  return async (test, operation, ids) => {
    await openRelease(test, ids["group"] ?? "");
    return call(test, operation, ids, { key: test.keys[role] });
  };
}

const GENERAL: Partial<Record<Code, Recipe>> = {
  fresh_sign_in_required: async (test, operation, ids) => {
    const { headers } = await signedInPerson(test, "root", "admin");
    await test.clock.advance(600_000);
    return test.call(operation.method, pathOf(operation, ids), { ...sentFor(operation), headers });
  },
  unauthenticated: (test, operation, ids) => {
    const { key: _none, ...rest } = { key: "", ...sentFor(operation) };
    return test.call(operation.method, pathOf(operation, ids), rest);
  },
  agent_mismatch: (test, operation, ids) =>
    call(test, operation, ids, { key: test.keys.agent, headers: { "x-agent-id": "somebody" } }),
  not_found: (test, operation) => call(test, operation, { hold: NOWHERE, group: NOWHERE, digest: "x" }),
  invalid_query: (test, operation, ids) =>
    operation.query === undefined
      ? call(test, operation, ids, { headers: { "idempotency-key": "x".repeat(300) } })
      : test.call(operation.method, `${pathOf(operation, ids)}?nonsense=1`, { key: test.keys.dev }),
  invalid_cursor: (test, operation, ids) =>
    test.call(operation.method, `${pathOf(operation, ids)}?cursor=%20`, { key: test.keys.dev }),
  invalid_json: saying('{"a":1,"a":2}'),
  invalid_body: saying([]),
  unknown_member: (test, operation, ids) => {
    const body =
      operation.id === "claimHold"
        ? { digest: "x" }
        : (BODIES[operation.id] ?? { entries: [entry(NOWHERE)] });
    return call(test, operation, ids, { body: { ...(body as object), nonsense: 1 } });
  },
  too_large: saying(JSON.stringify({ a: "x".repeat(1024 * 1024) })),
  too_deep: saying(`${"[".repeat(65)}${"]".repeat(65)}`),
  unsupported_media_type: sending({ headers: { "content-type": "text/plain" } }),
};

function sentFor(operation: Operation): TestCall {
  return operation.body === undefined ? {} : { body: BODIES[operation.id] ?? {} };
}

function entry(holdId: string) {
  return { kind: "answer", hold_id: holdId, action: "approve" };
}

/** The operator answers a group whose only member has this rule. */
async function votingOn(test: TestServer, operation: Operation, ids: Ids, decision: object) {
  const body = { holds: [{ ...ASK, decision }] };
  const group = (await test.call("POST", "/v1/groups", { key: test.keys.agent, body })).body;
  const entries = [entry(group.holds[0].id)];
  return call(test, operation, { ...ids, group: group.id }, { key: test.keys.operator, body: { entries } });
}

const groupAnswer =
  (change: (entries: ReturnType<typeof entry>[]) => unknown[]): Recipe =>
  async (test, operation, ids) => {
    const group = await test.call("GET", `/v1/groups/${ids["group"]}`, { key: test.keys.dev });
    const entries = change(group.body.holds.map(({ id }: { id: string }) => entry(id)));
    return call(test, operation, ids, { body: { entries } });
  };

const claimed = async (test: TestServer, ids: Ids) => {
  await answered(test, ids["hold"] ?? "");
  const body = { digest: ids["digest"], lease: "10s" };
  return (await test.call("POST", `/v1/holds/${ids["hold"]}/claim`, { key: test.keys.agent, body })).body;
};

const DEV: Principal = { role: "dev", via: "key", id: "env:dev:dev", name: "dev" };

async function intent(test: TestServer, isDone: boolean): Promise<void> {
  const { engine } = test.server;
  const about = { workspace: "default", by: DEV, intentId: "i1" } as const;
  const state = { dependsOn: [], constraints: [], state: {}, confidence: 0 };
  const made = { id: "i1", title: "Refund", description: "", ...state };
  await engine.run({ kind: "create_intent", workspace: "default", by: DEV, intent: made, status: "active" });
  if (!isDone) return;
  const unused = { holdId: NOWHERE, salt: "" };
  await engine.run({ kind: "set_status", ...about, status: "completed", ifVersion: 1, made: unused });
}

const PLACING: Partial<Record<Code, (wrap: (ask: object) => unknown) => Recipe>> = {
  invalid_ask: (wrap) => saying(wrap({ type: "selection", prompt: "Which?" })),
  key_reused: (wrap) => async (test, operation, ids) => {
    await placed(test, { key: "k" }, test.keys.dev);
    return call(test, operation, ids, { body: wrap({ ...ASK, prompt: "Other?", key: "k" }) });
  },
  previous_not_found: (wrap) => saying(wrap({ ...ASK, previous: NOWHERE })),
  after_not_settled: (wrap) => async (test, operation, ids) => {
    const { id } = await placed(test, { key: "k" }, test.keys.dev);
    return call(test, operation, ids, { body: wrap({ ...ASK, key: "k", after: id }) });
  },
  unknown_person: (wrap) =>
    saying(wrap({ ...ASK, decision: { approve: [{ need: 1, from: ["person:nobody"] }] } })),
  unknown_team: (wrap) =>
    saying(wrap({ ...ASK, decision: { approve: [{ need: 1, from: ["team:nobody"] }] } })),
  unfulfillable_decision: (wrap) =>
    saying(wrap({ ...ASK, decision: { approve: [{ need: 2, from: ["person:lin"] }] } })),
  callback_refused: (wrap) => saying(wrap({ ...ASK, callback_url: "http://169.254.169.254/" })),
  not_allowed: (wrap) => (test, operation, ids) =>
    call(test, operation, ids, { key: test.keys.operator, body: wrap(ASK) }),
  intent_not_found: (wrap) => saying(wrap({ ...ASK, intent_id: "nowhere" })),
  intent_suspended: (wrap) => async (test, operation, ids) => {
    await intent(test, false);
    await placed(test, { intent_id: "i1" }, test.keys.dev);
    return call(test, operation, ids, { body: wrap({ ...ASK, intent_id: "i1" }) });
  },
  intent_not_active: (wrap) => async (test, operation, ids) => {
    await intent(test, true);
    return call(test, operation, ids, { body: wrap({ ...ASK, intent_id: "i1" }) });
  },
};

function placing(wrap: (ask: object) => unknown): Partial<Record<Code, Recipe>> {
  return Object.fromEntries(Object.entries(PLACING).map(([code, make]) => [code, make(wrap)]));
}

const BAD_RULES = { rules: [{ tools: ["a"], when: { "args.x": {} }, verdict: "ask" }] };

function grantTooLong(verb: "answer" | "challenge"): Recipe {
  return async (test) => {
    const body = { tool: "pay", args: {} };
    const { hold } = (await test.call("POST", "/v1/checks", { key: test.keys.agent, body })).body;
    const answer = { action: "approve", grant: { for: "8d" } };
    return test.call("POST", `/v1/holds/${hold.id}/${verb}`, { key: test.keys.operator, body: answer });
  };
}

const SPECIAL: Readonly<Record<string, Partial<Record<Code, Recipe>>>> = {
  placeHold: placing((ask) => ask),
  placeGroup: placing((ask) => ({ holds: [ask] })),
  answerHold: {
    not_allowed: as("agent"),
    already_settled: settled,
    hold_expired: expired,
    invalid_answer: saying({ action: "approve", data: { feedback: 7 } }),
    invalid_action: saying({ action: "explode" }),
    shown_mismatch: saying({ action: "approve", shown: "sha256:other" }),
    precondition_failed: sending({ headers: { "if-match": '"17"' } }),
    not_grantable: saying({ action: "approve", grant: { for: "1h" } }),
    grant_too_long: grantTooLong("answer"),
    not_proven: saying({ action: "approve", passkey: SIGNED }),
    passkeys_unavailable: withoutHostName({ action: "approve", passkey: SIGNED }),
    ...VERIFYING,
    not_entitled: async (test, operation, ids) => {
      const { id } = await placed(test, { decision: LIN });
      return call(test, operation, { ...ids, hold: id });
    },
    fresh_sign_in_required: async (test, operation, ids) => {
      const { approve } = await adaByPasskey(test);
      const { id } = await placed(test, { decision: { approve, max_age: 60 } });
      return call(test, operation, { ...ids, hold: id }, { key: test.keys.operator });
    },
    strength_too_low: async (test, operation, ids) => {
      const { id } = await placed(test, { decision: await adaByPasskey(test) });
      return call(test, operation, { ...ids, hold: id }, { key: test.keys.operator });
    },
  },
  challengeAnswer: {
    not_allowed: as("agent"),
    already_settled: settled,
    hold_expired: expired,
    invalid_answer: saying({ action: "approve", data: { feedback: 7 } }),
    invalid_action: saying({ action: "explode" }),
    shown_mismatch: saying({ action: "approve", shown: "sha256:other" }),
    not_grantable: saying({ action: "approve", grant: { for: "1h" } }),
    grant_too_long: grantTooLong("challenge"),
    passkeys_unavailable: withoutHostName(),
  },
  ...PASSKEY_REFUSALS,
  recordStandingCalls: {
    not_allowed: saying({ tool: "pay", rules_version: 1, calls: [{}] }),
  },
  checkCall: {
    not_allowed: as("operator"),
    invalid_ask: saying({ tool: "pay", args: {}, args_schema: { type: "nonsense" } }),
    too_many_open: async (test, operation, ids) => {
      const open = Array.from({ length: 100 }, (_none, n) =>
        call(test, operation, ids, { body: { tool: "pay", args: { n } } }),
      );
      await Promise.all(open);
      return call(test, operation, ids, { body: { tool: "pay", args: {} } });
    },
  },
  ...DESK_REFUSALS,
  listChecks: { not_allowed: as("agent") },
  getRules: { not_allowed: as("agent") },
  publishRules: {
    not_allowed: as("operator"),
    invalid_rules: saying(BAD_RULES),
    precondition_failed: sending({ headers: { "if-match": '"17"' } }),
  },
  rulesHistory: { not_allowed: as("agent") },
  tryRules: {
    not_allowed: as("agent"),
    invalid_rules: saying({ agent: "a", tool: "pay", args: {}, rules: BAD_RULES }),
  },
  replayRules: {
    not_allowed: as("agent"),
    invalid_rules: saying(BAD_RULES),
    invalid_cursor: saying({ rules: [], cursor: " " }),
  },
  coverage: { not_allowed: as("agent") },
  listGrants: { not_allowed: as("agent") },
  suggestGrants: { not_allowed: as("agent") },
  revokeGrant: { not_allowed: as("agent") },
  cancelHold: { not_allowed: as("auditor"), already_settled: settled, hold_expired: expired },
  listReleases: { not_allowed: as("agent") },
  getRelease: { not_allowed: as("agent") },
  decideRelease: { not_allowed: withRelease("auditor"), release_not_stuck: withRelease("dev") },
  eraseHold: { not_allowed: as("operator"), not_settled: sending({}) },
  makeLink: { not_allowed: as("agent"), already_settled: settled, hold_expired: expired },
  listLinks: { not_allowed: as("agent") },
  revokeLink: { not_allowed: as("auditor") },
  claimHold: {
    not_allowed: as("operator"),
    not_claimable: sending({}),
    digest_mismatch: async (test, operation, ids) => {
      await answered(test, ids["hold"] ?? "");
      return call(test, operation, { ...ids, digest: "sha256:other" });
    },
    claim_taken: async (test, operation, ids) => {
      await claimed(test, ids);
      return call(test, operation, ids);
    },
    claim_unknown: async (test, operation, ids) => {
      await claimed(test, ids);
      await test.clock.advance(10_000);
      return call(test, operation, ids);
    },
  },
  finishClaim: {
    not_allowed: async (test, _operation, ids) => {
      const claim = await claimed(test, ids);
      const path = `/v1/holds/${ids["hold"]}/claim/${claim.id}/done`;
      return test.call("POST", path, { key: test.keys.operator, body: { ok: true } });
    },
    claim_taken: async (test, _operation, ids) => {
      const claim = await claimed(test, ids);
      const path = `/v1/holds/${ids["hold"]}/claim/${claim.id}/done`;
      await test.call("POST", path, { key: test.keys.agent, body: { ok: true } });
      return test.call("POST", path, { key: test.keys.agent, body: { ok: false } });
    },
  },
  releaseClaim: {
    not_allowed: as("agent"),
    not_claimable: async (test, operation, ids) => {
      const claim = await claimed(test, ids);
      const path = `/v1/holds/${ids["hold"]}/claim/${claim.id}/done`;
      await test.call("POST", path, { key: test.keys.agent, body: { ok: true } });
      return call(test, operation, ids);
    },
  },
  revokeHold: {
    not_allowed: as("auditor"),
    not_claimable: sending({}),
    claim_taken: async (test, operation, ids) => {
      const claim = await claimed(test, ids);
      const path = `/v1/holds/${ids["hold"]}/claim/${claim.id}/done`;
      await test.call("POST", path, { key: test.keys.agent, body: { ok: true } });
      return call(test, operation, ids);
    },
  },
  answerGroup: {
    not_found: (test, operation) =>
      call(test, operation, { group: NOWHERE }, { body: { entries: [entry(NOWHERE)] } }),
    not_allowed: async (test, operation, ids) => {
      const group = await test.call("GET", `/v1/groups/${ids["group"]}`, { key: test.keys.dev });
      const entries = group.body.holds.map(({ id }: { id: string }) => entry(id));
      return call(test, operation, ids, { key: test.keys.agent, body: { entries } });
    },
    not_entitled: (test, operation, ids) => votingOn(test, operation, ids, LIN),
    fresh_sign_in_required: async (test, operation, ids) => {
      const { approve } = await adaByPasskey(test);
      return votingOn(test, operation, ids, { approve, max_age: 60 });
    },
    strength_too_low: async (test, operation, ids) =>
      votingOn(test, operation, ids, await adaByPasskey(test)),
    group_incomplete: groupAnswer((entries) => entries.slice(1)),
    invalid_answer: groupAnswer((entries) => entries.map((one) => ({ ...one, data: { feedback: 7 } }))),
    invalid_action: groupAnswer((entries) => entries.map((one) => ({ ...one, action: "explode" }))),
    shown_mismatch: groupAnswer((entries) => entries.map((one) => ({ ...one, shown: "sha256:other" }))),
    hold_expired: async (test, operation, ids) => {
      const { body: group } = await test.call("POST", "/v1/groups", {
        key: test.keys.agent,
        body: { holds: [{ ...ASK, timeout: "10s" }] },
      });
      await past(test);
      const entries = [entry(group.holds[0].id)];
      return call(test, operation, { ...ids, group: group.id }, { body: { entries } });
    },
  },
  uploadFile: {
    not_found: (test) => uploading(test, NOWHERE),
    not_allowed: async (test) => uploading(test, await askedForFile(test), { key: test.keys.agent }),
    too_large: async (test) =>
      uploading(test, await askedForFile(test), { body: "x".repeat(10 * 1024 * 1024 + 1) }),
    already_settled: async (test) => {
      const id = await askedForFile(test);
      await answered(test, id, "submit");
      return uploading(test, id);
    },
    hold_expired: async (test) => {
      const id = await askedForFile(test, { timeout: "10s" });
      await past(test);
      return uploading(test, id);
    },
    no_file_wanted: (test, _operation, ids) => uploading(test, ids["hold"] ?? ""),
    too_many_files: async (test) => {
      const id = await askedForFile(test);
      for (let each = 0; each < 20; each += 1) await uploading(test, id);
      return uploading(test, id);
    },
    file_quota_reached: async () => {
      await using full = await testServer({ platform: { ...NO_PLATFORM, fileBytesMax: 1 } });
      return await uploading(full, await askedForFile(full));
    },
  },
  withdrawVote: {
    no_vote: sending({}),
    strength_too_low: byWeakToken,
    not_allowed: as("auditor"),
    already_settled: settled,
    hold_expired: expired,
  },
  recordSkip: { not_allowed: as("operator") },
  listSkips: { not_allowed: as("agent") },
  keepThread: {
    // A name that cannot be kept names nothing.
    not_found: (test) => test.call("PUT", "/v1/threads/a%00b", { key: test.keys.dev, body: { data: {} } }),
    not_allowed: as("operator"),
    precondition_failed: saying({ data: {}, if_version: 7 }),
    too_large: saying(JSON.stringify({ data: { a: "x".repeat(10 * 1024 * 1024) } })),
  },
  getThread: { not_found: sending({}) },
  forgetThread: { not_allowed: as("operator"), not_found: sending({}) },
  makeKey: { not_allowed: as("operator") },
  listKeys: { not_allowed: as("operator") },
  revokeKey: {
    not_allowed: as("operator"),
    not_found: (test, operation) => call(test, operation, { key: NOWHERE }),
  },
  rotateKeySecret: {
    not_allowed: as("auditor"),
    not_found: (test, operation) => call(test, operation, { key: NOWHERE }),
  },
  makeSignIn: { not_allowed: as("operator") },
  makeBrowserToken: {
    not_allowed: as("agent"),
    not_found: saying({ person: "lin", hold_id: NOWHERE }),
    unknown_person: (test, operation, ids) =>
      call(test, operation, ids, { key: test.keys.operator, body: { person: "nobody" } }),
  },
  revokeBrowserToken: { not_allowed: as("auditor"), not_found: sending({}) },
  ...PEOPLE_REFUSALS,
  makeAccountCode: {
    not_allowed: as("admin"),
    not_found: unknownSelf,
    fresh_sign_in_required: async (test, operation, ids) => {
      const { headers } = await signedInPerson(test, "lin");
      await test.clock.advance(600_000);
      return test.call(operation.method, pathOf(operation, ids), { ...sentFor(operation), headers });
    },
  },
  ...CHANNEL_REFUSALS,
  makeWebhook: {
    not_allowed: as("operator"),
    callback_refused: saying({ url: "http://169.254.169.254/" }),
    too_many_webhooks: async () => {
      await using test = await testServer();
      const make = () =>
        test.call("POST", "/v1/webhooks", { key: test.keys.admin, body: BODIES["makeWebhook"] });
      for (let made = 0; made < WEBHOOKS_MAX; made += 1) expect((await make()).status).toBe(201);
      return await make();
    },
  },
  listWebhooks: { not_allowed: as("agent") },
  deleteWebhook: {
    not_allowed: as("auditor"),
    not_found: (test, operation) => call(test, operation, { hook: NOWHERE }),
  },
  listDeliveries: { not_allowed: as("agent") },
  replayDelivery: {
    not_allowed: as("operator"),
    not_found: sending({}),
    delivery_queued: async (test) => {
      const hold = await placed(test, { callback_url: "http://127.0.0.1:9/" });
      await test.call("POST", `/v1/holds/${hold.id}/cancel`, { key: test.keys.agent });
      await test.server.sender.idle();
      const path = `/v1/deliveries?hold_id=${hold.id}`;
      const { body } = await test.call("GET", path, { key: test.keys.dev });
      return test.call("POST", `/v1/deliveries/${body.deliveries[0].id}/replay`, { key: test.keys.dev });
    },
  },
  readLog: { not_allowed: as("agent") },
  verifyLog: { not_allowed: as("operator") },
  streamEvents: { not_acceptable: sending({ headers: { accept: "application/json" } }) },
};

const cases = nativeSet.operations.flatMap((operation) =>
  operation.errors.map((code) => ({ operation, code: code as Code, id: operation.id })),
);

const shared = testServer();
afterAll(async () => (await shared)[Symbol.asyncDispose]());

describe("declared refusals", () => {
  it.each(cases)("$id can refuse with $code", async ({ operation, code }) => {
    const recipe = SPECIAL[operation.id]?.[code] ?? GENERAL[code];
    expect(recipe, "a refusal that nobody can make happen").toBeDefined();
    // What every operation refuses alike changes nothing, so that one server serves for all of it.
    const isAlone = SPECIAL[operation.id]?.[code] !== undefined;
    const test = isAlone ? await testServer() : await shared;
    const reply = await recipe?.(test, operation, await scene(test));
    if (isAlone) await test[Symbol.asyncDispose]();
    expect(reply).toMatchObject({ status: ERROR_CODES[code].status, body: { code } });
  });

  it("every recipe in this file is for a declared refusal", () => {
    const declared = new Set(cases.map(({ id, code }) => `${id} ${code}`));
    const made = Object.entries(SPECIAL).flatMap(([id, codes]) =>
      Object.keys(codes).map((code) => `${id} ${code}`),
    );
    expect(made.filter((one) => !declared.has(one))).toEqual([]);
  });
});
