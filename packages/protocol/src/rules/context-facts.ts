/** What lists and sentences say about a hold, read from its context. */

/** The name of the tool that the agent wants to call, as checks and gates write it. */
export function toolIn(context: unknown): string | undefined {
  if (typeof context !== "object" || context === null || !("tool" in context)) return undefined;
  return typeof context.tool === "string" && context.tool !== "" ? context.tool : undefined;
}

const AMOUNT_LENGTH_MAX = 20;
const CURRENCY_LENGTH_MAX = 8;
/** The context itself, the arguments of the call, and what these contain. */
const DEPTH_MAX = 2;

/** An amount and its currency that stand side by side, in the context or in the arguments of the call: `80 EUR`. */
export function amountIn(context: unknown, depth = 0): string | undefined {
  if (typeof context !== "object" || context === null || depth > DEPTH_MAX) return undefined;
  const { amount, currency } = context as { readonly amount?: unknown; readonly currency?: unknown };
  if (
    (typeof amount === "number" || typeof amount === "string") &&
    String(amount).length <= AMOUNT_LENGTH_MAX
  )
    return typeof currency === "string" && currency.length <= CURRENCY_LENGTH_MAX
      ? `${inCents(amount)} ${currency}`
      : String(amount);
  for (const value of Object.values(context)) {
    const found = amountIn(value, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `79.9` is written as `79.90`. What an agent wrote as text is never rewritten. */
function inCents(amount: number | string): string {
  if (typeof amount === "string" || Number.isInteger(amount)) return String(amount);
  const rounded = amount.toFixed(2);
  return Number(rounded) === amount ? rounded : String(amount);
}
