import { expect, test } from "vitest";
import { AGENT, DEV, link, OPERATOR, OTHER_AGENT, reviewer } from "../../../testing/core-samples.ts";
import { type Decided, type Given, given } from "../../../testing/given.ts";
import { INTENT_ID, intentRow, MADE } from "../../../testing/intent-samples.ts";
import type { Intent } from "../intent/intent.ts";
import { REQUEST_ATTACHMENT } from "./attachment.ts";
import { pendingOf } from "./place.ts";
import { type IntentRequest, REQUESTS_MAX, STRANGER_MAX, STRANGERS_MAX } from "./request.ts";

const by = { by: DEV };
const ask = (part: object = {}) =>
  ({
    kind: "ask_about_intent",
    intentId: INTENT_ID,
    request: { id: "approval_1", type: "approval", action: "pay", reason: "", context: {}, ...part },
    made: MADE,
  }) as const;
const accepted = ({ step, then }: Decided) => then(...step.decision.facts.map(({ fact }) => fact.type));
const full = Array.from({ length: REQUESTS_MAX }, (_, n) => ({
  id: `approval_x${n}`,
  holdId: `hx${n}`,
  type: "approval" as const,
  action: "pay",
}));

test("a question whose prompt would be too long is refused, and nothing is placed", () => {
  given(intentRow())
    .when(ask({ action: "x".repeat(21_000) }), by)
    .refused("invalid_ask");
});

test("an intent with a hundred waiting questions takes no further one, not even about its completion", () => {
  given(intentRow({ requests: full }))
    .when(ask(), by)
    .refused("too_many");
  const governance = { completion_mode: "require_approval" };
  given(intentRow({ requests: full, governance }))
    .when({ kind: "set_status", intentId: INTENT_ID, status: "completed", ifVersion: 1, made: MADE }, by)
    .refused("too_many");
});

const access = (n: number, part: object = {}) =>
  ({
    ...ask({
      ...{ id: `access_${n}`, type: "access", principalId: "x", principalType: "agent" },
      ...{ permission: "read", capabilities: [] },
      ...part,
    }),
    made: { ...MADE, holdId: `h${n}` },
  }) as const;
const strangers = (count: number, each: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ id: `access_x${n}`, holdId: `hx${n}`, type: "access" as const, stranger: each(n) },
  }));

test("strangers that ask for access use up their own quota, and those who work on the intent still ask", () => {
  const owned = (requests: Intent["requests"]) =>
    given(intentRow({ access: "owner", requests: requests ?? [] }));
  const one = strangers(STRANGER_MAX, () => OTHER_AGENT.name);
  owned(one).when(access(1), { by: OTHER_AGENT }).refused("too_many");
  accepted(owned(one.slice(1)).when(access(1), { by: OTHER_AGENT }));
  const all = strangers(STRANGERS_MAX, (n) => `agent-${n}`);
  owned(all).when(access(1), { by: OTHER_AGENT }).refused("too_many");
  accepted(owned(all).when(access(1), { by: AGENT }));
  const asked = accepted(owned([...all, ...full.slice(1)]).when(ask(), { by: AGENT }));
  expect(asked.get("intent", INTENT_ID)?.requests).toHaveLength(STRANGERS_MAX + REQUESTS_MAX);
  owned([...all, ...full])
    .when(ask(), { by: AGENT })
    .refused("too_many");
  accepted(owned(full).when(access(1), { by: OTHER_AGENT }));
});

test("G9 a request for access shows the title of the intent only if its asker may read the intent", () => {
  const row = intentRow({ access: "owner", title: "Refund Mrs Smith" });
  const stranger = accepted(given(row).when(access(1), { by: OTHER_AGENT }));
  expect(JSON.stringify(stranger.hold("h1"))).not.toContain("Smith");
  expect(stranger.hold("h1").ask).toMatchObject({
    prompt: `Give x the permission 'read' on the intent ${INTENT_ID}?`,
    context: { intent: { id: INTENT_ID } },
  });
  const knows = accepted(given(row).when(access(1), { by: AGENT }));
  expect(knows.hold("h1").ask).toMatchObject({
    prompt: "Give x the permission 'read' on “Refund Mrs Smith”?",
    context: { intent: { id: INTENT_ID, title: "Refund Mrs Smith" } },
  });
});

test("a question does not limit its hold: it has no deadline, and approving is all that a claim needs", () => {
  const placed = given(intentRow()).when(ask(), by).then("hold.placed", "intent.changed");
  const hold = placed.hold("h1");
  const rules = REQUEST_ATTACHMENT;
  const { rows: _rows, ...world } = { ...placed, version: () => 0, attachments: { domains: {}, groups: [] } };
  expect(rules.idOf(hold)).toBe("approval_1");
  expect(rules.placeNeeds("approval_1", "h1", world as never)).toEqual([]);
  expect(rules.claimNeeds("approval_1", hold, world as never)).toEqual([]);
  expect(rules.deadlineOf("approval_1", world as never)).toBeUndefined();
  expect(rules.whyNotClaim("approval_1", hold, world as never, undefined as never)).toBeNull();
  expect(rules.placed("approval_1", hold, DEV, world as never, 0)).toBeNull();
  expect(rules.notified("approval_1", hold, [], world as never, 0)).toBeUndefined();
});

test("G7 a question that was answered by a link in the asker's hands carries no person's name", () => {
  const answer = { kind: "answer_hold", holdId: "h1", action: "approve", data: {}, door: "page" } as const;
  const decidedBy = (givenTo: "asker" | "people") => {
    const through = link({ givenTo });
    const asked = given(intentRow(), through).when(ask(), by).then("hold.placed", "intent.changed");
    const named = { ...reviewer(through.body), claimed: { name: "Ada" } };
    const decided = accepted(asked.when({ ...answer, linkHash: "hash-1" }, { by: named }));
    return decided.get("intent_request", "approval_1")?.decidedBy;
  };
  expect(decidedBy("asker")).toBe("link_1");
  expect(decidedBy("people")).toBe("Ada");
});

test("an approval through a review link counts towards the completion, but for no person", () => {
  const answer = { kind: "answer_hold", holdId: "h1", action: "approve", data: {}, door: "page" } as const;
  const asking = ask({ action: "complete" });
  const asked = given(intentRow(), link()).when(asking, by).then("hold.placed", "intent.changed");
  const completion = (start: Given) => start.get("intent", INTENT_ID)?.completion?.approvals;
  const byLink = asked.when({ ...answer, linkHash: "hash-1" }, { by: reviewer(link().body) });
  expect(completion(accepted(byLink))).toEqual([{ id: "approval_1", by: "", version: 1 }]);
  expect(completion(accepted(asked.when(answer, { by: OPERATOR })))).toEqual([
    { id: "approval_1", by: "ada", version: 1 },
  ]);
});

test("a question about the completion that an earlier version placed still waits, and its approval counts for the intent as it is", () => {
  const governance = { completion_mode: "require_approval" };
  const complete = { kind: "set_status", intentId: INTENT_ID, status: "completed", made: MADE } as const;
  const asked = given(intentRow({ governance }))
    .when(ask({ action: "complete" }), by)
    .then("hold.placed", "intent.changed");
  const { version: _asked, ...request } = asked.get("intent_request", "approval_1") as IntentRequest;
  const intent = asked.get("intent", INTENT_ID) as Intent;
  const requests = pendingOf(intent).map(({ version: _version, ...ref }) => ref);
  const old = given(
    { kind: "intent", id: INTENT_ID, body: { ...intent, requests, version: 7 } },
    { kind: "intent_request", id: "approval_1", body: request },
    asked.hold(),
  );
  old.when({ ...complete, ifVersion: 7 }, by).refused("governance_violation");
  const answer = { kind: "answer_hold", holdId: "h1", action: "approve", data: {}, door: "console" } as const;
  const approved = accepted(old.when(answer, { by: OPERATOR }));
  expect(approved.get("intent", INTENT_ID)?.completion?.approvals).toMatchObject([{ version: 7 }]);
  expect(accepted(approved.when({ ...complete, ifVersion: 7 }, by)).get("intent", INTENT_ID)?.status).toBe(
    "completed",
  );
});

const APPROVE = { kind: "answer_hold", holdId: "h1", action: "approve", data: {}, door: "console" } as const;
const REVOKE = { kind: "revoke_hold", holdId: "h1" } as const;
const COMPLETE = { kind: "set_status", intentId: INTENT_ID, status: "completed", ifVersion: 1 } as const;
const approvedTo = (action: string) =>
  accepted(
    accepted(
      given(intentRow({ governance: { completion_mode: "require_approval" } })).when(ask({ action }), by),
    ).when(APPROVE, { by: OPERATOR }),
  );
const made2 = { ...MADE, holdId: "h2" };

test("G14 an approval that was revoked reads as denied, and the intent does not complete with it", () => {
  const approved = approvedTo("complete");
  const revoked = accepted(approved.when(REVOKE, { by: OPERATOR }));
  expect(revoked.get("intent_request", "approval_1")).toMatchObject({
    ...{ status: "denied", decidedBy: "ada", notes: "The approval was taken back." },
  });
  const { reply } = revoked.when({ ...COMPLETE, made: made2 }, by).refused("governance_violation");
  expect(reply).toMatchObject({ failure: { detail: { approval_status: "denied" } } });
  const done = accepted(approved.when({ ...COMPLETE, made: made2 }, by));
  done.when(REVOKE, { by: OPERATOR }).refused("claim_taken");
});

test("G5 an agent that gives up its approval is not named as the one who denied it", () => {
  const asked = accepted(given(intentRow()).when(ask(), { by: AGENT }));
  const revoked = accepted(accepted(asked.when(APPROVE, { by: OPERATOR })).when(REVOKE, { by: AGENT }));
  expect(revoked.get("intent_request", "approval_1")).not.toHaveProperty("decidedBy");
  expect(JSON.stringify(revoked.facts)).toContain("governance.approval_denied");
  expect(JSON.stringify(revoked.facts)).not.toContain("decided_by");
  expect(revoked.get("intent", INTENT_ID)?.completion).toBeUndefined();
});

test("G14 an approval that an earlier version stored without the intent's version can be revoked too", () => {
  const approved = approvedTo("complete");
  const { version: _version, ...request } = approved.get("intent_request", "approval_1") as IntentRequest;
  const { completion: _completion, ...intent } = approved.get("intent", INTENT_ID) as Intent;
  const old = given(
    { kind: "intent", id: INTENT_ID, body: intent },
    { kind: "intent_request", id: "approval_1", body: request },
    approved.hold(),
  );
  const revoked = accepted(old.when(REVOKE, { by: OPERATOR }));
  expect(revoked.get("intent", INTENT_ID)?.completion?.denied).toEqual({ id: "approval_1", version: 1 });
});

test("the approval of an access request is not revoked, because the access is on the intent's access list", () => {
  const request = {
    type: "access",
    principalId: "x",
    principalType: "agent",
    permission: "read",
    capabilities: [],
  };
  const asked = accepted(given(intentRow()).when(ask(request), by));
  const { reply } = accepted(asked.when(APPROVE, { by: OPERATOR }))
    .when(REVOKE, { by: OPERATOR })
    .refused("not_claimable");
  expect(reply).toMatchObject({ failure: { message: expect.stringContaining("access list") } });
});

test("the answer to an escalation is not revoked, because the intent follows it", () => {
  const request = { type: "escalation", priority: "high", urgency: "high" };
  const asked = accepted(given(intentRow()).when(ask(request), by));
  const resolve = { ...APPROVE, action: "submit", data: { resolution: "Pay by hand." } };
  const { reply } = accepted(asked.when(resolve, { by: OPERATOR }))
    .when(REVOKE, { by: OPERATOR })
    .refused("not_claimable");
  expect(reply).toMatchObject({ failure: { message: expect.stringContaining("followed this answer") } });
});
