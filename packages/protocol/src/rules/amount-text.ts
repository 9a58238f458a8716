/** How a number of money is written, in rows and on cards alike. What an agent wrote as text is never rewritten. */

const CODE = /^[A-Z]{3}$/;
/** A double has no more. Nothing is rounded: people decide on what is written. */
const FRACTION_MAX = 20;

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: FRACTION_MAX });
const cents = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: FRACTION_MAX });

/** `42.00 EUR`, `1,204` without a currency. */
export function amountText(amount: number, currency?: string): string {
  const isMoney = currency !== undefined && CODE.test(currency);
  const number = (Number.isInteger(amount) && !isMoney ? whole : cents).format(amount);
  return currency === undefined ? number : `${number} ${currency}`;
}

export function isCurrencyCode(text: unknown): text is string {
  return typeof text === "string" && CODE.test(text);
}
