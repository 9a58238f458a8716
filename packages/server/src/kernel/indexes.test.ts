import { expect, test } from "vitest";
import { type Kind, TABLE } from "../domains.ts";
import { link, openHold } from "../testing/core-samples.ts";
import { DECISION, FAILURE, intentBody, intentCheckpoint, subscription } from "../testing/intent-samples.ts";

const BODIES: Readonly<Partial<Record<Kind, object>>> = {
  hold: { ...openHold({ threadId: "t", groupId: "g", previous: "h0" }), intentId: "i" },
  link: link().body,
  group: { id: "g", threadId: "t" },
  api_key: { id: "k", name: "refunder" },
  release: { id: "g", state: "pending" },
  intent: intentBody({ parentId: "intent_0", path: ["intent_0"] }),
  task: { intentId: "i", planId: "p" },
  session: { name: "ada", oidc: { issuer: "https://id.example", subject: "1", sid: "s" } },
  plan: { intentId: "i" },
  coordinator: { intentId: "i", portfolioId: "p" },
  coordinator_decision: { intentId: "i" },
  portfolio: { id: "p", createdBy: "refunder" },
  membership: { portfolioId: "p", intentId: "i", suspended: true },
  failure: FAILURE,
  decision: DECISION,
  subscription: subscription({ intentId: "intent_0", portfolioId: "p" }),
  intent_checkpoint: intentCheckpoint(),
  intent_request: { intentId: "i", type: "approval" },
  plan_checkpoint: { planId: "p", checkpointId: "c" },
};

test.each(TABLE.kinds as readonly Kind[])(
  "the kind %s gives a value for every index it declares and for no other",
  (kind) => {
    const values = TABLE.indexValues(kind, BODIES[kind] ?? {});
    expect(Object.keys(values).toSorted()).toEqual([...TABLE.indexNames(kind)].toSorted());
    expect(Object.values(values).every((value) => typeof value === "string")).toBe(true);
  },
);

test("a session of the identity provider is found by the provider's names, and another session only by its person", () => {
  const oidc = { provider: "corp", issuer: "https://id.example", subject: "1" };
  const name = "ada";
  expect(TABLE.indexValues("session", { name, oidc: { ...oidc, sid: "s" } })).toEqual({
    ...{ name, oidc_subject: "https://id.example\n1", oidc_sid: "https://id.example\ns" },
  });
  expect(TABLE.indexValues("session", { name, oidc })).toEqual({
    ...{ name, oidc_subject: "https://id.example\n1", oidc_sid: undefined },
  });
  expect(TABLE.indexValues("session", { name })).toEqual({
    ...{ name, oidc_subject: undefined, oidc_sid: undefined },
  });
});

test("a hold is indexed by its status, its creator and both together, and by its thread only if it has one", () => {
  const values = TABLE.indexValues("hold", openHold());
  expect(values).toMatchObject({ status: "open", creator: "refunder", creator_status: "refunder\u0000open" });
  expect(values["thread"]).toBeUndefined();
});
