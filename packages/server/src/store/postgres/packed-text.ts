/**
 * PostgreSQL's text holds every character but U+0000, which ids made of two parts use between them. So it is written as a
 * pair, and the first half of that pair as another. Order and equality stay what they were.
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
