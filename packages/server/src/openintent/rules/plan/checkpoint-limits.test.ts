import { expect, test } from "vitest";
import { DEV } from "../../../testing/core-samples.ts";
import { given } from "../../../testing/given.ts";
import { INTENT_ID, intentRow } from "../../../testing/intent-samples.ts";
import { planIn } from "../../../testing/plan-samples.ts";
import type { CheckpointIn } from "./commands.ts";
import type { Plan } from "./plan.ts";

const by = { by: DEV };
const create = (checkpoints: readonly CheckpointIn[]) =>
  ({ kind: "create_plan", intentId: INTENT_ID, plan: planIn({ checkpoints }) }) as const;
const change = (checkpoints: readonly CheckpointIn[]) =>
  ({ kind: "change_plan", planId: "p1", patch: { checkpoints } }) as const;

/** Checkpoints whose ids begin with `from`. */
function some(count: number, from: string, part: Partial<CheckpointIn> = {}): readonly CheckpointIn[] {
  return Array.from({ length: count }, (_, n) => ({
    ...{ id: `${from}${n}`, name: "", afterTask: null, requiresApproval: true, approvers: [] },
    ...{ timeoutHours: null, onTimeout: "escalate", ...part },
  }));
}

/** An intent with a plan whose first 400 checkpoints were reached. */
function reached() {
  const made = given(intentRow()).when(create([]), by).then("intent.logged", "intent.changed");
  const checkpoints = some(400, "r").map((each) => ({ ...each, status: "reached" }) as const);
  const body = { ...(made.get("plan", "p1") as Plan), checkpoints };
  return given(intentRow(), { kind: "plan", id: "p1", body });
}

test("a plan has at most 500 checkpoints, those that were reached included (G13)", () => {
  reached()
    .when(change(some(101, "c")), by)
    .refused("too_many");
  const full = reached()
    .when(change(some(100, "c")), by)
    .then("intent.changed");
  expect(full.get("plan", "p1")?.checkpoints).toHaveLength(500);
});

test("the checkpoints of a plan have at most 512 KiB together (G13)", () => {
  const approvers = Array.from({ length: 100 }, () => "n".repeat(100));
  const long = some(60, "c", { approvers });
  reached().when(change(long), by).refused("too_many");
  given(intentRow()).when(create(long), by).refused("too_many");
});
