import { expect, test } from "vitest";
import { AGENT, decidedHold, holdIn, NOW, openHold, WORKSPACE } from "./core-samples.ts";
import { applyFacts, rowName, runStep } from "./core-step.ts";
import { given } from "./given.ts";

const place = { kind: "place_hold", hold: holdIn() } as const;
const cancel = { kind: "cancel_hold", holdId: "h1" } as const;

test("given starts from facts or from bodies", () => {
  const { facts } = given().when(place, { by: AGENT }).then("hold.placed");
  expect(given(...facts).hold().status).toBe("open");
  expect(given(openHold()).hold()).toEqual(openHold());
  const group = { id: "g1", createdBy: "refunder", createdAt: 0, members: [] };
  expect(given({ kind: "group", id: "g1", body: group }).get("group", "g1")).toBe(group);
});

test("then and refused throw unless exactly the expected facts or the expected refusal happened", () => {
  const decided = given(openHold()).when(cancel);
  expect(() => decided.then("hold.decided")).toThrow();
  expect(() => decided.refused("not_found")).toThrow("accepted");
  const refused = given(decidedHold()).when(cancel);
  expect(() => refused.then()).toThrow("refused");
  expect(() => refused.refused("not_found")).toThrow();
  expect(() => refused.refused("already_settled", "hold.expired")).toThrow();
});

test("hold throws when there is no such hold, or when several exist and none is named", () => {
  expect(() => given().hold()).toThrow("there is no hold");
  expect(() => given(openHold()).hold("h2")).toThrow("there is no hold h2");
  expect(() => given(openHold(), openHold({ id: "h2" })).hold()).toThrow("say which");
});

test("reading an entity that no need named throws, in deciding and in evolving", () => {
  const rows = new Map([[rowName("hold", "h1"), { body: openHold({ progressedAt: 1 }), version: 1 }]]);
  const ended = { kind: "expired", at: 5 } as const;
  const fact = {
    kind: "hold",
    id: "h1",
    at: 5,
    actor: "system",
    fact: { type: "hold.expired", outcome: ended },
  } as const;
  expect(() => applyFacts(rows, [fact], new Set())).toThrow("was read, but no need named it");
  expect(() => applyFacts(rows, [fact], new Set(["hold h1", "workspace settings"]))).toThrow(
    "form_session h1 was read, but no need named it",
  );
  expect(applyFacts(rows, [fact]).get("hold h1")?.version).toBe(2);
});

test("a command raises the version by one, however many facts it states", () => {
  const rows = new Map([[rowName("hold", "h1"), { body: openHold(), version: 4 }]]);
  const command = {
    kind: "progress_hold",
    holdId: "h1",
    workspace: WORKSPACE,
    by: { ...AGENT, role: "dev" },
  } as const;
  const { after, decision } = runStep(rows, command, NOW);
  expect(decision.facts).toHaveLength(2);
  expect(after.get("hold h1")?.version).toBe(5);
});
