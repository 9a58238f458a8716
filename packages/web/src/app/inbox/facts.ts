/** What a row says about a hold, read from its context. */

import type { Hold } from "@holdpoint/protocol/client";
import { amountIn, toolIn } from "@holdpoint/protocol/rules";

interface Named {
  readonly tool?: string;
  readonly amount?: string;
  readonly risk?: string;
}

export function factsOf({ context = {} }: Hold): Named {
  const { risk } = context as { readonly risk?: unknown };
  const tool = toolIn(context);
  const amount = amountIn(context);
  return {
    ...(tool === undefined ? {} : { tool }),
    ...(typeof risk === "string" && risk.length <= 20 ? { risk } : {}),
    ...(amount === undefined ? {} : { amount }),
  };
}

/** How many of the votes that are needed have been cast: `1 of 2`. */
export function votesOf({ decision, votes = [], missing = [] }: Hold): string | undefined {
  if (decision === undefined) return undefined;
  const need = decision.approve.reduce((sum, stage) => sum + stage.need, 0);
  const open = missing.reduce((sum, stage) => sum + stage.need, 0);
  const agreed = missing.length === 0 ? Math.min(votes.length, need) : Math.max(0, need - open);
  return `${agreed} of ${need}`;
}

/** One line for each member of the context, for comparing holds. */
export function linesOf(context: unknown, path = ""): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  if (typeof context !== "object" || context === null || Array.isArray(context)) {
    if (path !== "") lines.set(path, typeof context === "string" ? context : JSON.stringify(context));
    return lines;
  }
  if (Object.keys(context).length === 0 && path !== "") lines.set(path, "{}");
  for (const [name, value] of Object.entries(context))
    for (const [at, text] of linesOf(value, path === "" ? name : `${path}.${name}`)) lines.set(at, text);
  return lines;
}
