/** Facts about a hold, in their frame. */

import type { FactRecord } from "../draft.ts";
import { actorText, type Principal } from "../principal.ts";
import type { HoldFact } from "./facts.ts";
import type { Hold } from "./hold.ts";

/** The agent that asked may follow everything that happens to its hold. */
export function about(
  hold: Pick<Hold, "id" | "createdBy">,
  fact: HoldFact,
  at: number,
  by: Principal,
): FactRecord<HoldFact> {
  return { kind: "hold", id: hold.id, fact, at, actor: actorText(by), audience: hold.createdBy };
}
