/** One-time codes that link an account: made while signed in, sent to a bot in a direct message. */

import { createHash } from "node:crypto";

/** Without letters that are easily misread. */
const DIGITS = "23456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 12;

/** From a token of 256 random bits: 12 digits of 30, about 59 bits, valid for 15 minutes and once. */
export function accountCode(token: string): string {
  const bytes = createHash("sha256").update(token).digest().subarray(0, LENGTH);
  return [...bytes].map((byte) => DIGITS.charAt(byte % DIGITS.length)).join("");
}

/** `/start CODE` as Telegram's deep link sends it, `link CODE`, or the code alone. */
export function readCode(text: string): string | undefined {
  const [, code = ""] = /^\s*(?:\/start(?:@\w+)?\s+|link\s+)?([2-9a-z]{12})\s*$/i.exec(text) ?? [];
  return code === "" ? undefined : code.toLowerCase();
}
