/** Amounts of money, found so that they can be set apart. What an agent wrote as text is never rewritten. */

import { amountText, isCurrencyCode, type Json, type JsonObject, member } from "@holdpoint/protocol/rules";

const AMOUNT_NAME = /(?:^|_)(?:amount|price|total|sum|cost|fee|refund|payment|salary|budget)(?:$|_)/i;
const WITH_CURRENCY = /^[-+]?(?:[€$£¥₹]\s?\d[\d.,' ]*|\d[\d.,' ]*\s?(?:[€$£¥₹]|[A-Z]{3}))$/;

/** An amount with its currency, or null if the value is no money. */
export function moneyText(name: string, value: Json, beside: JsonObject): string | null {
  if (typeof value === "string") return WITH_CURRENCY.test(value.trim()) ? value.trim() : null;
  if (typeof value !== "number" || !AMOUNT_NAME.test(name)) return null;
  const currency = member(beside, "currency");
  return amountText(value, isCurrencyCode(currency) ? currency : undefined);
}
