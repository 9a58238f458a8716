/**
 * Uses up an approval for a program that runs the tool itself and reports nothing, such as a coding agent. The claim is taken, so
 * nobody else can use the approval, and its record says that the call was handed over: whether it ran, Holdpoint does not see.
 *
 * What a person changed and the agent cannot take is not handed over: the original call was not approved (G14).
 */

import { type CallOptions, type ClaimClient, tryOnce, warnOutstanding } from "../client/index.ts";
import type { AgentCall } from "./agent-call.ts";
import type { Ruling } from "./ruling.ts";

class NotTaken extends Error {
  override readonly name = "NotTaken";
}

/** Returns why the call may not run; `null`: it was handed over, or nobody had to be asked. */
export async function handOver(
  client: ClaimClient,
  { edited }: Pick<AgentCall, "edited">,
  { hold, args, isEdited }: Extract<Ruling, { kind: "run" }>,
  to: string,
  options: CallOptions = {},
): Promise<string | null> {
  if (hold === undefined) return null;
  const work = () => {
    if (isEdited && edited(args) === null)
      throw new NotTaken(
        `A person approved this call with other arguments, which cannot be handed over, so it must not run: ${JSON.stringify(args)}`,
      );
    return { handed_over_to: to };
  };
  const attempt = await tryOnce(client, hold, work, { takesEdits: ["edited_args"], ...options });
  switch (attempt.kind) {
    case "ran":
      if (attempt.outstanding !== undefined) warnOutstanding(hold.id)(attempt.outstanding);
      return null;
    case "recorded":
      return "This approval was already used. Make the same call again to ask for another one.";
    case "refused":
      return `The approval cannot be used: ${attempt.refusal.message}`;
    case "failed":
      if (attempt.error instanceof NotTaken) return attempt.error.message;
      throw attempt.error;
  }
}
