/** What a row says about a hold, read from its context. */

import type { Hold } from "@holdpoint/protocol/client";

interface Named {
  readonly tool?: string;
  readonly amount?: string;
  readonly risk?: string;
}

export function factsOf({ context = {} }: Hold): Named {
  const { tool, risk } = context as { readonly tool?: unknown; readonly risk?: unknown };
  const amount = amountIn(context);
  return {
    ...(typeof tool === "string" ? { tool } : {}),
    ...(typeof risk === "string" && risk.length <= 20 ? { risk } : {}),
    ...(amount === undefined ? {} : { amount }),
  };
}

/** An amount and its currency that stand side by side, in the context or in the arguments of the call. */
export function amountIn(context: unknown, depth = 0): string | undefined {
  if (typeof context !== "object" || context === null || depth > 2) return undefined;
  const { amount, currency } = context as { readonly amount?: unknown; readonly currency?: unknown };
  if ((typeof amount === "number" || typeof amount === "string") && String(amount).length <= 20)
    return typeof currency === "string" && currency.length <= 8 ? `${amount} ${currency}` : String(amount);
  for (const value of Object.values(context)) {
    const found = amountIn(value, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
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
  for (const [name, value] of Object.entries(context))
    for (const [at, text] of linesOf(value, path === "" ? name : `${path}.${name}`)) lines.set(at, text);
  return lines;
}
