import { expect, test } from "vitest";
import { AGENT, APP, OPERATOR, OTHER_AGENT } from "../../../testing/core-samples.ts";
import { bodyOf } from "../../../testing/core-step.ts";
import { given } from "../../../testing/given.ts";
import { INTENT_ID, intentRow, MADE, RECORD, told } from "../../../testing/intent-samples.ts";
import { suspensionOf } from "./suspension.ts";

const on = { intentId: INTENT_ID, suspensionId: "s1" } as const;
const cancel = { kind: "cancel_suspension", ...on } as const;

/** An intent that everybody may write to, suspended by `refunder`. */
const suspended = () =>
  given(intentRow())
    .when({ kind: "suspend_intent", intentId: INTENT_ID, record: RECORD, made: MADE }, { by: AGENT })
    .then("intent.logged", "hold.placed", "intent.logged");

test("an agent that may write to the intent cannot cancel another agent's suspension", () => {
  suspended().when(cancel, { by: OTHER_AGENT }).refused("not_allowed");
  for (const by of [AGENT, OPERATOR]) {
    const { facts } = suspended().when(cancel, { by }).then("hold.cancelled", "intent.logged");
    expect(told(facts)).toEqual(["hold.cancelled", "status_changed"]);
  }
});

test("an agent that may write to the intent cannot cancel another agent's suspension by a state patch", () => {
  const start = suspended();
  const shown = suspensionOf(start.hold(), { id: "s1", holdId: "h1" }, true);
  const value = { ...shown, resolution: "cancelled" };
  const patches = [{ op: "set", path: "/_suspension", value }] as const;
  const patch = { kind: "patch_state", intentId: INTENT_ID, patches, ifVersion: 2, made: MADE } as const;
  start.when(patch, { by: OTHER_AGENT }).refused("not_allowed");
  const { after } = start.when(patch, { by: AGENT }).step;
  expect(bodyOf(after, "hold", "h1")?.status).toBe("cancelled");
});

test("a suspension without a question is cancelled by its agent or by a person, and by no other agent", () => {
  const asker = { role: "agent", id: AGENT.id, name: AGENT.name } as const;
  const unasked = given(intentRow({ status: "suspended_awaiting_input", asker }));
  unasked.when(cancel, { by: OTHER_AGENT }).refused("not_allowed");
  for (const by of [AGENT, OPERATOR])
    expect(told(unasked.when(cancel, { by }).step.decision.facts)).toEqual(["status_changed"]);
});

test("an app that may write to the intent cannot answer what another key asked, and is told why", () => {
  const respond = { kind: "respond_to_suspension", ...on, value: "approve", made: MADE } as const;
  const { reply } = suspended()
    .when(respond, { by: { ...APP, claimed: { id: "u1" } } })
    .refused("not_allowed");
  expect(reply).toMatchObject({
    failure: { message: "this key may answer only the holds it placed itself" },
  });
});
