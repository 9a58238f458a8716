/**
 * Formats that the library of pages reads otherwise than the server does, in the server's reading (`ajv-formats`). A property test
 * on the server compares all formats.
 */

type FormatCheck = (text: string) => boolean;

const matching =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text);

const TIME = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(z|([+-])(\d\d)(?::?(\d\d))?)?$/i;

function isTime(text: string, needsZone: boolean): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [zone, sign] = [match[4], match[5] === "-" ? -1 : 1];
  const [zoneHour, zoneMinute] = [Number(match[6] ?? 0), Number(match[7] ?? 0)];
  if (zoneHour > 23 || zoneMinute > 59 || (needsZone && zone === undefined)) return false;
  if (hour <= 23 && minute <= 59 && second < 60) return true;
  // A leap second is the last one of a day in UTC.
  const utcMinute = minute - zoneMinute * sign;
  const utcHour = hour - zoneHour * sign - (utcMinute < 0 ? 1 : 0);
  return (utcHour === 23 || utcHour === -1) && (utcMinute === 59 || utcMinute === -1) && second < 61;
}

function isDateTime(text: string, isDate: FormatCheck, needsZone: boolean): boolean {
  const [date = "", time = "", ...more] = text.split(/t|\s/i);
  return more.length === 0 && isDate(date) && isTime(time, needsZone);
}

function isRegex(text: string): boolean {
  if (/[^\\]\\Z/.test(text)) return false;
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** `known`: the library's own formats, for the parts that agree. */
export function serverFormats(known: {
  readonly date: FormatCheck;
  readonly "uri-reference": FormatCheck;
}): Readonly<Record<string, FormatCheck>> {
  const { date, "uri-reference": reference } = known;
  return {
    time: (text) => isTime(text, true),
    "iso-time": (text) => isTime(text, false),
    "date-time": (text) => isDateTime(text, date, true),
    "iso-date-time": (text) => isDateTime(text, date, false),
    duration: matching(/^P(?!$)((\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?|(\d+W)?)$/),
    uri: (text) => /^[a-z][a-z0-9+\-.]*:/i.test(text) && reference(text),
    email: matching(
      /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i,
    ),
    hostname: matching(
      /^(?=.{1,253}\.?$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-0-9a-z]{0,61}[0-9a-z])?)*\.?$/i,
    ),
    ipv4: matching(/^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/),
    uuid: matching(/^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i),
    byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
    regex: isRegex,
  };
}
