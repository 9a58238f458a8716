/**
 * The value formats that the published schemas name: RFC 3339 moments, RFC 3986 URIs, mailboxes, and the protocol's own
 * address rule. Lengths count characters as JSON Schema does, not UTF-16 units.
 */

export const CASE_ID = /^[a-zA-Z0-9_-]+$/;
export const FIELD_KEY = /^[a-zA-Z][a-zA-Z0-9_]*$/;
export const EXTENSION = /^x-/;

/** HTTPS anywhere; plain HTTP only on the machine itself. */
export const SAFE_URL = /^(https:\/\/.+|http:\/\/(localhost|127\.0\.0\.1)(:[0-9]+)?(\/.*)?$)/;

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTES_IN_DAY = 1440;

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
}

/** RFC 3339 date-time. A leap second counts only where leap seconds are put: at 23:59:60 UTC. */
export function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = Number(parts[8] ?? 0) * 60 + Number(parts[9] ?? 0);
  if (Number(parts[8] ?? 0) > 23 || Number(parts[9] ?? 0) > 59) return false;
  if (day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 60) return false;
  if (second < 60) return true;
  const utc = hour * 60 + minute - (parts[7] === "-" ? -offset : offset);
  return (utc + MINUTES_IN_DAY) % MINUTES_IN_DAY === MINUTES_IN_DAY - 1;
}

// RFC 3986, appendix A, put together from its own rules so that each part can be read against the text.
const ESCAPED = "%[0-9A-Fa-f]{2}";
const PLAIN = "A-Za-z0-9\\-._~!$&'()*+,;=";
const PATH_CHAR = `(?:[${PLAIN}:@]|${ESCAPED})`;
const USER = `(?:(?:[${PLAIN}:]|${ESCAPED})*@)?`;
const NAME = `(?:[${PLAIN}]|${ESCAPED})*`;
const LITERAL = `\\[(?:v[0-9A-Fa-f]+\\.[${PLAIN}:]+|[0-9A-Fa-f:.]+)\\]`;
const AUTHORITY = `${USER}(?:${LITERAL}|${NAME})(?::[0-9]*)?`;
const PATH = `(?:/${PATH_CHAR}*)*`;
// The empty path is left out: an address with nothing after its scheme leads nowhere.
const HIERARCHY = `(?://${AUTHORITY}${PATH}|/(?:${PATH_CHAR}+${PATH})?|${PATH_CHAR}+${PATH})`;
const REST = `(?:${PATH_CHAR}|[/?])*`;
const URI = new RegExp(`^[A-Za-z][A-Za-z0-9+.-]*:${HIERARCHY}(?:\\?${REST})?(?:#${REST})?$`);
const IP_LITERAL = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[^/?#]*@)?\[([0-9A-Fa-f:.]+)\]/;

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}

/** RFC 4291 text form: eight groups, one run of zeros may be `::`, the last two groups may be an IPv4 address. */
function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1);
  const embedded = last?.includes(".") === true && !text.endsWith("::");
  if (embedded && !isIpv4(last)) return false;
  const plain = embedded ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  const count = plain.length + (embedded ? 2 : 0);
  return halves.length === 2 ? count <= 7 : count === 8;
}

/** An absolute URI. */
export function isUri(text: string): boolean {
  if (!URI.test(text)) return false;
  const literal = IP_LITERAL.exec(text)?.[1];
  return literal === undefined || isIpv6(literal);
}

export function isSafeUrl(text: string): boolean {
  return SAFE_URL.test(text) && isUri(text);
}

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOMAIN_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
const MAILBOX = new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${DOMAIN_LABEL}\\.)+${DOMAIN_LABEL}$`);

export function isEmail(text: string): boolean {
  return MAILBOX.test(text);
}

/** Whether a text has at most so many characters, without counting on when it is far longer. */
export function fitsLength(text: string, most: number): boolean {
  if (text.length <= most) return true;
  if (text.length > most * 2) return false;
  return [...text].length <= most;
}

export function hasLength(text: string, least: number): boolean {
  return text.length >= least && [...text].length >= least;
}
