import type { FactRecord } from "../draft.ts";
import { actorText, type Principal } from "../principal.ts";
import type { HoldFact } from "./facts.ts";
import type { Hold } from "./hold.ts";

/** Builds the record of a fact about a hold. The agent that placed the hold may follow every event of it. */
export function about(
  hold: Pick<Hold, "id" | "createdBy">,
  fact: HoldFact,
  at: number,
  by: Principal,
): FactRecord<HoldFact> {
  return { kind: "hold", id: hold.id, fact, at, actor: actorText(by), audience: hold.createdBy };
}
