import {
  Discovery07,
  Discovery08,
  HitlObject08,
  PollResponse08,
  type VerificationEvidence,
} from "@holdpoint/protocol/hitl";
import { describe, expect, test } from "vitest";
import { APPROVAL, create, openCase, pathOf, type TestCase } from "../../testing/hitl-cases.ts";
import { addPasskey, signedInPerson } from "../../testing/signed-in.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";
import type { Verifiers } from "./verifiers.ts";

const V08 = { headers: { "hitl-version": "0.8" } };
const CANARY = "the-proof-itself";
const HUMAN = { proof_type: "proof_of_human", provider: "stub" };
const BINDING = { case_id: true, action: true, freshness_seconds: 60, single_use: true };

function policy(part: object = {}) {
  return {
    mode: "required",
    required_for: ["inline_submit"],
    requirements: { any_of: [{ all_of: [HUMAN] }] },
    binding: BINDING,
    fallback: { on_missing: "browser_review", on_invalid: "browser_review" },
    ...part,
  };
}

/** A provider whose proofs say themselves when they were made, and whether they are good. */
const stub: Verifiers = {
  stub: async ({ presentation }) => {
    const { at, good = true } = presentation as { at?: number; good?: boolean };
    return good && at !== undefined ? { at, assurance: "medium" } : undefined;
  },
  broken: () => Promise.reject(new Error("the provider cannot be reached")),
};

const server = () => testServer({ verifiers: stub });
const opened = (test: TestServer, asked: object = policy()) =>
  openCase(test, { ...APPROVAL, inline: true, verification_policy: asked }, V08);

function evidence(test: TestServer, { id }: TestCase, part: object = {}): VerificationEvidence {
  const presentation = { at: test.clock.now(), secret: CANARY };
  const binding = { case_id: id, action: "approve" };
  return { ...HUMAN, format: "provider_opaque", presentation, binding, ...part } as VerificationEvidence;
}

const tap = (one: TestCase, ...sent: readonly VerificationEvidence[]) =>
  one.submit({ action: "approve", ...(sent.length === 0 ? {} : { verification_evidence: sent }) });

const refused = (error: string) => ({ status: 403, body: { error } });
const DONE = { status: 200, body: { status: "completed" } };

describe("verification policies", () => {
  test("HP-225 a verification policy is in the 0.8 object of the case, and in no 0.7 object", async () => {
    await using test = await server();
    const one = await opened(test);
    expect(one.hitl.verification_policy).toEqual(policy());
    expect(HitlObject08.safeParse(one.hitl).success).toBe(true);
    const old = await openCase(test, { ...APPROVAL, inline: true, verification_policy: policy() });
    expect(old.hitl).not.toHaveProperty("verification_policy");
  });

  test("HP-226 a verification policy with a missing member or an unknown word is refused", async () => {
    await using test = await server();
    for (const wrong of [
      policy({ mode: "sometimes" }),
      policy({ required_for: [] }),
      policy({ requirements: { any_of: [] } }),
      policy({ binding: { ...BINDING, freshness_seconds: 0 } }),
      policy({ fallback: { on_missing: "browser_review" } }),
    ])
      expect(await create(test, { ...APPROVAL, verification_policy: wrong }, V08)).toMatchObject({
        status: 400,
        body: { error: "invalid_request" },
      });
  });

  test("HP-227 a verification policy is met by one complete branch, and by no partial one", async () => {
    await using test = await server();
    const either = policy({
      requirements: {
        any_of: [{ all_of: [HUMAN, { proof_type: "x-badge" }] }, { all_of: [{ proof_type: "x-seal" }] }],
      },
    });
    const one = await opened(test, either);
    expect(await tap(one, evidence(test, one))).toMatchObject(refused("verification_failed"));
    const seal = evidence(test, one, { proof_type: "x-seal" });
    expect(await tap(one, seal)).toMatchObject(DONE);
  });

  test("HP-228 a verification policy refuses a tap without evidence or with bad evidence, and the page still accepts an answer", async () => {
    await using test = await server();
    const one = await opened(test);
    expect(await tap(one)).toMatchObject(refused("verification_required"));
    const bad = evidence(test, one, { presentation: { at: test.clock.now(), good: false } });
    expect(await tap(one, bad)).toMatchObject(refused("verification_failed"));
    expect((await one.poll()).body.status).toBe("pending");
    expect(await one.respond({ action: "approve" })).toMatchObject(DONE);
  });

  test("HP-229 the policy step_up requires evidence as the policy required does", async () => {
    await using test = await server();
    const one = await opened(test, policy({ mode: "step_up" }));
    expect(await tap(one)).toMatchObject(refused("verification_required"));
    expect(await tap(one, evidence(test, one))).toMatchObject(DONE);
  });

  test("HP-230 evidence without one of its five members is refused as a request", async () => {
    await using test = await server();
    const one = await opened(test);
    for (const name of ["proof_type", "provider", "format", "presentation", "binding"]) {
      const { [name as "format"]: _left, ...rest } = evidence(test, one);
      expect(await tap(one, rest as VerificationEvidence), name).toMatchObject({ status: 400 });
    }
  });
});

describe("evidence for a verification policy", () => {
  test("HP-231 evidence counts for its own case, action and challenge only", async () => {
    await using test = await server();
    const one = await opened(test, policy({ binding: { ...BINDING, challenge: "c1" } }));
    const other = await opened(test);
    const bound = { case_id: one.id, action: "approve", challenge: "c1" };
    for (const binding of [
      { ...bound, case_id: other.id },
      { ...bound, action: "reject" },
      { ...bound, challenge: "c2" },
      { case_id: one.id, action: "approve" },
    ])
      expect(await tap(one, evidence(test, one, { binding }))).toMatchObject(refused("verification_failed"));
    expect(await tap(one, evidence(test, one, { binding: bound }))).toMatchObject(DONE);
  });

  test("HP-232 evidence counts once, also when it is sent again with another case", async () => {
    await using test = await server();
    const anyCase = policy({ binding: { ...BINDING, case_id: false } });
    const one = await opened(test, anyCase);
    const other = await opened(test, anyCase);
    const sent = evidence(test, one);
    expect(await tap(one, sent)).toMatchObject(DONE);
    expect(await tap(other, sent)).toMatchObject(refused("verification_failed"));
  });

  test("HP-233 evidence counts while it is fresh and until the policy's own end", async () => {
    await using test = await server();
    const one = await opened(test);
    const old = evidence(test, one);
    await test.clock.advance(60_001);
    expect(await tap(one, old)).toMatchObject(refused("verification_failed"));
    const expires_at = new Date(test.clock.now() + 1_000).toISOString();
    const short = await opened(test, policy({ binding: { ...BINDING, expires_at } }));
    await test.clock.advance(1_000);
    expect(await tap(short, evidence(test, short))).toMatchObject(refused("verification_failed"));
  });

  test("HP-234 evidence is checked by the provider's verifier, and an unknown or failing verifier proves nothing", async () => {
    await using test = await server();
    const one = await opened(
      test,
      policy({ requirements: { any_of: [{ all_of: [{ proof_type: "proof_of_human" }] }] } }),
    );
    for (const provider of ["unknown", "broken", "constructor", "holdpoint"])
      expect(await tap(one, evidence(test, one, { provider }))).toMatchObject(refused("verification_failed"));
    expect(await tap(one, evidence(test, one))).toMatchObject(DONE);
  });

  test("HP-235 evidence for the page is a passkey on the page, and the agent never sees it", async () => {
    await using test = await server();
    await test.call("POST", "/v1/people", { key: test.keys.admin, body: { id: "ada", name: "Ada" } });
    const device = await addPasskey(await signedInPerson(test));
    const onPage = policy({
      required_for: ["browser_submit"],
      requirements: { any_of: [{ all_of: [{ proof_type: "x-webauthn" }] }] },
    });
    const one = await openCase(test, { ...APPROVAL, verification_policy: onPage }, V08);
    expect(await one.respond({ action: "approve" })).toMatchObject(refused("verification_required"));
    const post = (verb: string, fields: Record<string, string>) =>
      test.call("POST", pathOf(one.hitl.review_url).replace("?", `/${verb}?`), {
        body: new URLSearchParams(fields).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      });
    expect(await post("answer", { _action: "approve" })).toMatchObject({ status: 403 });
    const { body: asked } = await post("challenge", { _action: "approve" });
    const credential = device.get(asked.public_key);
    const done = await post("answer", {
      _action: "approve",
      _passkey: JSON.stringify({ id: asked.id, credential }),
    });
    expect(done.body.hold.status).toBe("decided");
    const { body } = await one.poll();
    expect(body.submission_context).toMatchObject({
      mode: "browser_submit",
      verification_result: { satisfied: true, verified_evidence: [{ proof_type: "x-webauthn" }] },
    });
    expect(JSON.stringify(body)).not.toContain(credential.response.signature);
  });

  test("HP-235 a case that requires evidence the page cannot ask for is refused", async () => {
    await using test = await server();
    const body = { ...APPROVAL, verification_policy: policy({ required_for: ["browser_submit"] }) };
    expect(await create(test, body, V08)).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  });
});

describe("how an answer with evidence is reported", () => {
  test("HP-236 HP-237 the completed poll says how it came and what was verified, without the proof", async () => {
    await using test = await server();
    const one = await opened(test);
    await tap(one, evidence(test, one));
    const { body } = await one.poll();
    expect(PollResponse08.safeParse(body).success).toBe(true);
    expect(body.submission_context).toMatchObject({
      mode: "inline_submit",
      submitted_via: "telegram_inline_button",
      submitted_by: { platform: "telegram" },
      verification_result: {
        satisfied: true,
        verified_evidence: [{ ...HUMAN, assurance_level: "medium", bound_to_case: true, fresh: true }],
        missing_requirements: [],
      },
    });
    const log = await test.call("GET", `/v1/holds/${one.holdId}/events`, { key: test.keys.admin });
    const hold = await test.call("GET", `/v1/holds/${one.holdId}`, { key: test.keys.admin });
    for (const text of [body, log.body, hold.body]) expect(JSON.stringify(text)).not.toContain(CANARY);
  });

  test("HP-237 an answer without required or sent evidence has no verification result", async () => {
    await using test = await server();
    const one = await opened(test, policy({ mode: "optional" }));
    await tap(one);
    expect((await one.poll()).body.submission_context).not.toHaveProperty("verification_result");
  });

  test("HP-238 the refusal names the page, unless the policy says that there is no other way", async () => {
    await using test = await server();
    const one = await opened(test);
    const page = `http://localhost:4100/review/${one.id}`;
    expect((await tap(one)).body).toMatchObject({ error: "verification_required", review_url: page });
    const only = await opened(test, policy({ fallback: { on_missing: "reject", on_invalid: "reject" } }));
    const { body } = await tap(only);
    expect(body).toMatchObject({ message: expect.stringContaining("no other way") });
    expect(body).not.toHaveProperty("review_url");
  });

  test("HP-241 a 0.7 agent gets neither the policy nor an inline offer that needs proof", async () => {
    await using test = await server();
    const old = await openCase(test, { ...APPROVAL, inline: true, verification_policy: policy() });
    for (const name of ["verification_policy", "submit_url", "submit_token", "inline_actions"])
      expect(old.hitl).not.toHaveProperty(name);
    const free = await openCase(test, {
      ...{ ...APPROVAL, inline: true },
      verification_policy: policy({ mode: "optional" }),
    });
    expect(free.hitl).toHaveProperty("submit_url");
    expect(await free.submit({ action: "approve", verification_evidence: [] })).toMatchObject({
      status: 400,
    });
    expect(await free.submit({ action: "approve" })).toMatchObject(DONE);
  });

  test("HP-242 discovery of 0.8 says what the server knows of agents, and discovery of 0.7 has no such member", async () => {
    await using test = await server();
    const read = async (version: string) =>
      (await test.call("GET", `/.well-known/hitl.json?spec_version=${version}`)).body;
    const now = await read("0.8");
    expect(Discovery08.safeParse(now).success).toBe(true);
    expect(now.hitl_protocol).toMatchObject({
      capabilities: { supports_agent_binding: false },
      authentication: {
        documentation: expect.any(String),
        well_known: expect.any(String),
        profiles: ["bearer"],
      },
    });
    expect(Discovery07.safeParse(await read("0.7")).success).toBe(true);
  });

  test("HP-243 good evidence gives nobody authority: the account still has to be registered", async () => {
    await using test = await server();
    const body = {
      ...{ ...APPROVAL, inline: true, verification_policy: policy() },
      submitters: [{ platform: "slack", platform_user_id: "U1" }],
    };
    const one = await openCase(test, body, V08);
    expect(await tap(one, evidence(test, one))).toMatchObject(refused("identity_mismatch"));
    expect((await one.poll()).body.status).toBe("pending");
  });
});
