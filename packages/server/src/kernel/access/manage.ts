/** Commands that only a principal who manages the workspace may give. */

import type { AnyCommand, CommandSpec } from "../domain.ts";
import { refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { KernelBodies, KernelFact } from "../kernel.ts";
import { mayManage, type Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { whyStale } from "./fresh.ts";

/** Only admins, the dev key and the server itself may change keys, people, webhooks and settings. */
export function whyNotManage(by: Principal): Failure | null {
  if (mayManage(by) || by.role === "system") return null;
  return failure("not_allowed", `a key with the role ${by.role} may not change settings; use an admin key`);
}

export function managed<C extends AnyCommand, A extends keyof KernelBodies>(
  about: A,
  needs: (command: C, world: World) => readonly Need[],
  decide: CommandSpec<C>["decide"],
): CommandSpec<C, KernelBodies, KernelFact, A> {
  return {
    about,
    needs,
    decide(command, draft, context) {
      const denied = whyNotManage(command.by) ?? whyStale(command.by, context.now);
      return denied === null ? decide(command, draft, context) : refuse(denied);
    },
  };
}
