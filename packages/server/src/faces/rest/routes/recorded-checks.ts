/** Recorded checks with the arguments that they were about, for replay. */

import type { RecordedCheck } from "@holdpoint/protocol/gating";
import { isGranting } from "@holdpoint/protocol/rules";
import type { EntityOf } from "../../../domains.ts";
import { argsOf } from "../../../kernel/gating/ask.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import type { RestDeps } from "../deps.ts";

/** A check that asked people leaves the arguments to its hold, so that erasing the hold erases them. */
export async function recordedChecks(
  page: readonly EntityOf<"check">[],
  workspace: string,
  { engine }: RestDeps,
): Promise<{ readonly checks: readonly RecordedCheck[]; readonly erased: number }> {
  const ids = [...new Set(page.flatMap(({ body }) => body.holdId ?? []))];
  const found = await engine.store.load(
    ids.map((id) => ({ workspace, kind: "hold" as const, id, read: true as const })),
  );
  const holds = new Map(found.map(({ id, body }) => [id, body]));
  let erased = 0;
  const checks = page.flatMap(({ body: check }): RecordedCheck[] => {
    const { id, agent, tool, at, ruled, annotations, holdId } = check;
    const hints = annotations === undefined ? {} : { annotations };
    if (check.calls !== undefined)
      return check.calls.map((args) => ({ id, agent, tool, at, args, verdict: ruled, ...hints }));
    const hold = holdId === undefined ? undefined : holds.get(holdId);
    const args = check.args ?? (hold?.ask ? argsOf(hold.ask) : null);
    if (args === null) {
      erased += 1;
      return [];
    }
    const decided = hold === undefined ? {} : { decided: endingOf(hold) };
    return [{ id, agent, tool, at, args, verdict: ruled, ...hints, ...decided }];
  });
  return { checks, erased };
}

function endingOf({ ask, outcome }: Hold): NonNullable<RecordedCheck["decided"]> {
  if (outcome === undefined) return "open";
  if (outcome.kind !== "decided" || outcome.by.kind === "grant") return "nobody";
  return ask !== null && isGranting(ask, outcome.action) ? "approved" : "rejected";
}
