/** Records a skip. Every role that may place a hold may also record that it did not ask a person. */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { actorText, mayPlace, type Principal } from "../principal.ts";
import type { Need } from "../world.ts";
import type { Skip } from "./skip.ts";

export interface SkipCommand {
  readonly kind: "record_skip";
  readonly workspace: string;
  readonly by: Principal;
  readonly skip: Pick<Skip, "id" | "what" | "agent">;
}

export function skipNeeds({ skip }: SkipCommand): readonly Need[] {
  return [{ kind: "skip", id: skip.id }];
}

export function recordSkip(
  { by, skip: { id, ...said } }: SkipCommand,
  draft: Draft,
  { now }: Context,
): Reply {
  if (!mayPlace(by))
    return refuse(
      failure("not_allowed", `a key with the role ${by.role} may not record skips; use an agent or app key`),
    );
  const skip: Skip = { id, ...said, recordedBy: by.name, recordedAt: now };
  const fact = { type: "skip.recorded", skip } as const;
  draft.state({ kind: "skip", id, fact, at: now, actor: actorText(by), audience: by.name });
  return accept(id);
}
