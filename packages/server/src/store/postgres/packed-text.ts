/**
 * PostgreSQL's text type cannot store U+0000, which separates the parts of combined ids. It is stored as a pair of
 * characters, and the first character of that pair as another pair. Order and equality stay the same.
 */

const ZERO = "\u0000";
const MARK = "\u0001";
const PACKED_ZERO = `${MARK}\u0001`;
const PACKED_MARK = `${MARK}\u0002`;

export function pack(text: string): string {
  if (!text.includes(ZERO) && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, PACKED_MARK).replaceAll(ZERO, PACKED_ZERO);
}

export function packOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : pack(text);
}

export function unpack(text: string): string {
  if (!text.includes(MARK)) return text;
  let unpacked = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char !== MARK) {
      unpacked += char;
      continue;
    }
    at += 1;
    unpacked += text.charAt(at) === MARK ? ZERO : MARK;
  }
  return unpacked;
}

export function unpackOrNull(text: string | null): string | null {
  return text === null ? null : unpack(text);
}
