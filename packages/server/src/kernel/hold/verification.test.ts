import { describe, expect, test } from "vitest";
import { link, NOW, OPERATOR, openHold, reviewer } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { personRow, rule } from "../../testing/people.ts";
import { logData } from "../../testing/tables.ts";
import {
  type CheckedEvidence,
  type EvidencePolicy,
  fallbackFor,
  isMetByPasskey,
  wantsPasskey,
} from "./verification.ts";

const HUMAN = { proof_type: "proof_of_human", provider: "stub" };
const BINDING = { case_id: true, action: true, freshness_seconds: 60, single_use: true };
const policy = (part: Partial<EvidencePolicy> = {}): EvidencePolicy => ({
  mode: "required",
  required_for: ["inline_submit"],
  requirements: { any_of: [{ all_of: [HUMAN] }] },
  binding: BINDING,
  fallback: { on_missing: "browser_review", on_invalid: "reject" },
  ...part,
});
const evidence = (part: Partial<CheckedEvidence> = {}): CheckedEvidence => ({
  ...{ id: "e1", proofType: "proof_of_human", provider: "stub", format: "jwt" },
  bound: { holdId: "h1", action: "approve" },
  verified: { at: NOW, assurance: "high" },
  ...part,
});

const submit = link({ purpose: "submit", actions: ["approve"] });
const answer = { kind: "answer_hold", holdId: "h1", action: "approve", data: {} } as const;

function tap(asked: EvidencePolicy, sent?: readonly CheckedEvidence[], now = NOW, ...rows: readonly never[]) {
  const hold = openHold({ face: { verification: asked as never } });
  const command = { ...answer, door: "inline", linkHash: "hash-1" } as const;
  return given(hold, submit, ...rows).when(sent === undefined ? command : { ...command, evidence: sent }, {
    by: reviewer(submit.body),
    now,
  });
}

describe("an inline answer that needs evidence", () => {
  test("is taken with good evidence, which is used up and not in the log", () => {
    const settled = tap(policy(), [evidence()]).then("hold.evidence_used", "hold.decided");
    expect(settled.hold().outcome).toMatchObject({
      verification: {
        satisfied: true,
        verified_evidence: [{ proof_type: "proof_of_human", provider: "stub", assurance_level: "high" }],
        missing_requirements: [],
      },
    });
    expect(settled.get("used_evidence", "e1")).toEqual({ holdId: "h1" });
    expect(logData({ type: "hold.evidence_used", ids: ["e1"] })).toBeNull();
  });

  test("is refused without evidence and with bad evidence, and says what the case allows instead", () => {
    const missing = tap(policy()).refused("verification_required");
    expect(missing.reply).toMatchObject({
      failure: { message: expect.stringContaining("on the review page") },
    });
    expect(fallbackFor(policy(), "verification_required")).toBe("browser_review");
    expect(fallbackFor(policy(), "verification_failed")).toBe("reject");
    const { verified: _unchecked, ...unverified } = evidence();
    const failed = tap(policy(), [unverified]).refused("verification_failed");
    expect(failed.reply).toMatchObject({
      failure: { message: expect.stringContaining("no other way") },
    });
  });

  test.each([
    ["bound to another case", { bound: { holdId: "h2", action: "approve" } }],
    ["bound to another action", { bound: { holdId: "h1", action: "reject" } }],
    ["older than the policy allows", { verified: { at: NOW - 60_001 } }],
    ["made in the future", { verified: { at: NOW + 1 } }],
    ["of another provider", { provider: "other" }],
    ["of another type", { proofType: "x-other" }],
  ])("is refused with evidence that is %s", (_what, part) => {
    tap(policy(), [evidence(part)]).refused("verification_failed");
  });

  test("is taken at the last moment of its freshness", () => {
    tap(policy(), [evidence({ verified: { at: NOW - 60_000 } })]).then("hold.evidence_used", "hold.decided");
  });

  test("is refused when the policy's own time is over, or its challenge is not in the evidence", () => {
    const until = policy({ binding: { ...BINDING, expires_at: new Date(NOW).toISOString() } });
    tap(until, [evidence()]).refused("verification_failed");
    const fresh = [evidence({ verified: { at: NOW - 1 } })];
    tap(until, fresh, NOW - 1).then("hold.evidence_used", "hold.decided");
    const asking = policy({ binding: { ...BINDING, challenge: "c1" } });
    tap(asking, [evidence()]).refused("verification_failed");
    const bound = { holdId: "h1", action: "approve", challenge: "c1" };
    tap(asking, [evidence({ bound })]).then("hold.evidence_used", "hold.decided");
  });

  test("is refused with evidence that was used before, unless it may be used again", () => {
    const used = { kind: "used_evidence", id: "e1", body: { holdId: "h0" } } as never;
    tap(policy(), [evidence()], NOW, used).refused("verification_failed");
    const again = policy({ binding: { ...BINDING, case_id: false, action: false, single_use: false } });
    tap(again, [evidence({ bound: {} })], NOW, used).then("hold.decided");
  });

  test("needs the formats and the assurance that the policy names", () => {
    const strict = { ...HUMAN, min_assurance: "medium", presentation_formats: ["jwt"] } as const;
    const asked = policy({ requirements: { any_of: [{ all_of: [strict] }] } });
    tap(asked, [evidence()]).then("hold.evidence_used", "hold.decided");
    tap(asked, [evidence({ format: "zkp" })]).refused("verification_failed");
    tap(asked, [evidence({ verified: { at: NOW, assurance: "low" } })]).refused("verification_failed");
    tap(asked, [evidence({ verified: { at: NOW } })]).refused("verification_failed");
  });

  test("needs one whole branch: an OR of ANDs", () => {
    const both = { all_of: [HUMAN, { proof_type: "x-badge" }] };
    const asked = policy({ requirements: { any_of: [both, { all_of: [{ proof_type: "x-seal" }] }] } });
    tap(asked, [evidence()]).refused("verification_failed");
    const badge = evidence({ id: "e2", proofType: "x-badge", provider: "any" });
    tap(asked, [evidence(), badge]).then("hold.evidence_used", "hold.decided");
    tap(asked, [evidence({ proofType: "x-seal" })]).then("hold.evidence_used", "hold.decided");
  });
});

describe("evidence that is not required", () => {
  test("is not asked for, and reported if it was sent, good or bad", () => {
    const optional = policy({ mode: "optional" });
    expect(tap(optional).then("hold.decided").hold().outcome).not.toHaveProperty("verification");
    const good = tap(optional, [evidence()]).then("hold.evidence_used", "hold.decided");
    expect(good.hold().outcome).toMatchObject({ verification: { satisfied: true } });
    const { verified: _unchecked, ...unverified } = evidence();
    expect(tap(optional, [unverified]).then("hold.decided").hold().outcome).toMatchObject({
      verification: {
        satisfied: false,
        verified_evidence: [],
        missing_requirements: ["proof_of_human:stub"],
      },
    });
  });

  test("is ignored on a hold without a policy", () => {
    const command = { ...answer, door: "inline", linkHash: "hash-1", evidence: [evidence()] } as const;
    given(openHold(), submit)
      .when(command, { by: reviewer(submit.body) })
      .then("hold.decided");
  });
});

describe("an answer on the page that needs evidence", () => {
  const WEBAUTHN = { proof_type: "x-webauthn" } as const;
  const onPage = policy({
    binding: { ...BINDING, challenge: "asked elsewhere" },
    required_for: ["browser_submit"],
    requirements: { any_of: [{ all_of: [WEBAUTHN] }] },
  });
  const made = { publicKey: "pk", transports: [], relyingParty: "localhost", name: "", madeAt: 0 };
  const passkey = { id: "cred-ada", personId: "ada", counter: 0, ...made };
  const start = given(openHold({ face: { verification: onPage as never } }), personRow("ada"), {
    kind: "passkey",
    id: "cred-ada",
    body: passkey,
  });

  test.each(["page", "console", "rest", "cli"] as const)(
    "is refused by the door %s without a passkey",
    (door) => {
      start.when({ ...answer, door }, { by: OPERATOR }).refused("verification_required");
    },
  );

  test("is taken with a passkey, and its result names no proof", () => {
    const proof = {
      kind: "passkey",
      ...{ challenge: "c1", credential: "cred-ada", counter: 1, evidence: { signature: "canary" } },
    } as const;
    const settled = start
      .when({ ...answer, door: "page", kind: "challenge_answer", challengeId: "c1" }, { by: OPERATOR })
      .then("challenge.made")
      .when({ ...answer, door: "page", proof }, { by: OPERATOR })
      .then("challenge.ended", "passkey.used", "hold.decided");
    const { outcome } = settled.hold();
    expect(outcome).toMatchObject({
      verification: {
        satisfied: true,
        verified_evidence: [{ proof_type: "x-webauthn", provider: "holdpoint" }],
      },
    });
    expect(JSON.stringify(outcome)).not.toContain("canary");
  });

  test("is known beforehand: which holds want a passkey, and which policies a passkey meets", () => {
    expect(wantsPasskey(openHold())).toBe(false);
    expect(wantsPasskey(openHold({ decision: rule({ strength: "passkey" }) }))).toBe(true);
    expect(wantsPasskey(openHold({ face: { verification: onPage as never } }))).toBe(true);
    expect(wantsPasskey(openHold({ face: { verification: policy() as never } }))).toBe(false);
    expect(isMetByPasskey(onPage)).toBe(true);
    expect(isMetByPasskey(policy())).toBe(false);
  });
});
