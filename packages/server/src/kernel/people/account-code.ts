/** One-time codes that link an account: made while signed in, sent to a bot in a direct message. */

/** Without letters that are easily misread. */
const DIGITS = "23456789abcdefghjkmnpqrstvwxyz";
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const LENGTH = 12;

/** From a random token: 12 digits of 30, more than 57 bits, valid for 15 minutes and once. */
export function accountCode(token: string): string {
  const digits = [...token.slice(0, LENGTH)].map((one) =>
    DIGITS.charAt(BASE64URL.indexOf(one) % DIGITS.length),
  );
  return digits.join("");
}

/** `/start CODE` as Telegram's deep link sends it, `link CODE`, or the code alone. */
export function readCode(text: string): string | undefined {
  const [, code] = /^\s*(?:\/start(?:@\w+)?\s+|link\s+)?([2-9a-z]{12})\s*$/i.exec(text) ?? [];
  return code?.toLowerCase();
}
