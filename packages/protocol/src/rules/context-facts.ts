/** What lists and sentences say about a hold, read from its context. */

import { amountText } from "./amount-text.ts";

/** The name of the tool that the agent wants to call, as checks and gates write it. */
export function toolIn(context: unknown): string | undefined {
  if (typeof context !== "object" || context === null || !("tool" in context)) return undefined;
  return typeof context.tool === "string" && context.tool !== "" ? context.tool : undefined;
}

const AMOUNT_LENGTH_MAX = 20;
const CURRENCY_LENGTH_MAX = 8;
/** The context itself, the arguments of the call, and what these contain. */
const DEPTH_MAX = 2;

/** An amount and its currency that stand side by side, in the context or in the arguments of the call: `80.00 EUR`. */
export function amountIn(context: unknown, depth = 0): string | undefined {
  if (typeof context !== "object" || context === null || depth > DEPTH_MAX) return undefined;
  const { amount, currency } = context as { readonly amount?: unknown; readonly currency?: unknown };
  if (
    (typeof amount === "number" || typeof amount === "string") &&
    String(amount).length <= AMOUNT_LENGTH_MAX
  )
    return written(
      amount,
      typeof currency === "string" && currency.length <= CURRENCY_LENGTH_MAX ? currency : undefined,
    );
  for (const value of Object.values(context)) {
    const found = amountIn(value, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function written(amount: number | string, currency: string | undefined): string {
  if (typeof amount === "number") return amountText(amount, currency);
  return currency === undefined ? amount : `${amount} ${currency}`;
}
