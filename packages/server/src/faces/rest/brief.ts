/** As much of a hold as a line about it needs. */

import type { HoldBrief } from "@holdpoint/protocol";
import type { Hold } from "../../kernel/hold/hold.ts";
import { toolOf } from "../../store/hold-listing.ts";
import { time } from "../http/present.ts";

export function briefOf(hold: Hold): HoldBrief {
  const { ask, key, expiresAt, assignee } = hold;
  const tool = toolOf(ask?.context);
  const amount = amountIn(ask?.context);
  return {
    id: hold.id,
    prompt: ask?.prompt ?? "",
    created_by: hold.createdBy,
    created_at: time(hold.createdAt),
    status: hold.status,
    ...(tool === null ? {} : { tool }),
    ...(amount === undefined ? {} : { amount }),
    ...(key === undefined ? {} : { key }),
    ...(expiresAt === undefined ? {} : { expires_at: time(expiresAt) }),
    ...(assignee === undefined ? {} : { assignee }),
  };
}

/** An amount and its currency that stand side by side in the context or in the arguments of the call. */
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
