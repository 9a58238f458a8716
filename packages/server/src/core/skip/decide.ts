/** Recording a skip. There is nothing to weigh: whoever may ask a person may say that they did not. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { actorText, mayPlace, type Principal } from "../principal.ts";
import { refusal } from "../refusal.ts";
import type { Need } from "../world.ts";
import type { Skip } from "./skip.ts";

export interface SkipCommand {
  readonly kind: "record_skip";
  readonly workspace: string;
  readonly by: Principal;
  readonly skip: Pick<Skip, "id" | "what" | "agent">;
}

export function isSkipCommand(command: { readonly kind: string }): command is SkipCommand {
  return command.kind === "record_skip";
}

export function skipNeeds({ skip }: SkipCommand): readonly Need[] {
  return [{ kind: "skip", id: skip.id }];
}

export function decideSkip({ by, skip: { id, ...said } }: SkipCommand, { now }: Context): Decision {
  if (!mayPlace(by)) return refuse(refusal("not_allowed", `a key with the role ${by.role} skips nobody`));
  const skip: Skip = { id, ...said, recordedBy: by.name, recordedAt: now };
  const fact = { type: "skip.recorded", skip } as const;
  return accept("skip", id, [{ kind: "skip", id, fact, at: now, actor: actorText(by), audience: by.name }]);
}
