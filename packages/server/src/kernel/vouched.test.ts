import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { TABLE } from "../domains.ts";
import { samplePerson } from "../testing/people.ts";

/** Must not be covered: a digest in the log cannot be erased, and other fields change without an event. */
const PRIVATE = "must-not-show";

const GRANT = {
  ...{ agent: "refunder", tool: "refund", argsDigest: "sha256:a", uses: 20, used: 3, until: 9 },
  ruleDigest: "sha256:r",
};

describe("what the log covers of a row that gives somebody authority", () => {
  test.each<[string, object, JsonObject]>([
    [
      "api_key",
      { name: "refunder", role: "agent", hash: "h", hint: PRIVATE, callbackSecret: PRIVATE },
      { name: "refunder", role: "agent", hash: "h", owner: null, revokedAt: null },
    ],
    [
      "sign_in",
      { name: "ada", role: "operator", expiresAt: 9, hash: PRIVATE },
      { name: "ada", role: "operator", expiresAt: 9, usedAt: null },
    ],
    [
      "sign_in",
      { name: "ada", role: "operator", expiresAt: 9, usedAt: 5 },
      { name: "ada", role: "operator", expiresAt: 9, usedAt: 5 },
    ],
    [
      "session",
      { name: "ada", role: "operator", expiresAt: 9, hash: PRIVATE, device: PRIVATE },
      { name: "ada", role: "operator", expiresAt: 9, endedAt: null },
    ],
    [
      "session",
      { name: "ada", role: "operator", expiresAt: 9, endedAt: 5 },
      { name: "ada", role: "operator", expiresAt: 9, endedAt: 5 },
    ],
    [
      "webhook",
      { url: "https://a.test", events: ["hold.decided"], secrets: [PRIVATE] },
      { url: "https://a.test", events: ["hold.decided"] },
    ],
    [
      "server_settings",
      { agentLinks: "always", notifyAllow: [PRIVATE], grantMaxMs: 5 },
      { agentLinks: "always", maxOpenChecks: null, grantMaxMs: 5, standingMs: null },
    ],
    [
      "server_settings",
      { notifyAllow: [PRIVATE], retainMs: 5, inlineAnswers: true, redact: ["a"], deliveryRetainMs: 1 },
      {
        ...{ agentLinks: null, maxOpenChecks: null, grantMaxMs: null, standingMs: null },
        ...{ retainMs: 5, inlineAnswers: true, redact: ["a"] },
      },
    ],
    ["rules", { version: 4, source: "api", note: PRIVATE }, { version: 4, source: "api" }],
    ["grant", { ...GRANT, args: { to: { equal: PRIVATE } } }, { ...GRANT, revokedAt: null }],
    ["grant", { ...GRANT, revokedAt: 5 }, { ...GRANT, revokedAt: 5 }],
    [
      "passkey",
      { personId: "ada", publicKey: "k", relyingParty: "hold.test", counter: 7, name: PRIVATE },
      { personId: "ada", publicKey: "k", relyingParty: "hold.test" },
    ],
    [
      "person",
      samplePerson("ada", { name: PRIVATE, email: PRIVATE, teams: ["finance"] }),
      { role: "operator", status: "active", isVerified: true, teams: ["finance"], absence: null },
    ],
    [
      "person",
      samplePerson("ada", { absence: { from: 1, until: 9, delegate: "grace" } }),
      {
        ...{ role: "operator", status: "active", isVerified: true, teams: [] },
        absence: { from: 1, until: 9, delegate: "grace" },
      },
    ],
  ])(
    "of a row of the kind %s it covers who may do what, and neither secrets nor personal data (G9)",
    (kind, body, covered) => {
      expect(TABLE.vouchedOf(kind, body)).toEqual(covered);
      expect(TABLE.vouchedKinds).toContain(kind);
      expect(JSON.stringify(TABLE.vouchedOf(kind, body))).not.toContain(PRIVATE);
    },
  );
});
