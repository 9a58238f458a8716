/** How much JSON a text is, counted without making any of it: a text that would become too much is refused for a fraction of the cost. */

export interface JsonBounds {
  readonly depthMax: number;
  /** Values in all: every object, list, text, number, boolean and null. */
  readonly valuesMax: number;
}

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** What is not JSON is counted as if it were. */
export function whyTooMuchJson(
  text: string,
  { depthMax, valuesMax }: JsonBounds,
): "too_deep" | "too_many" | null {
  let values = 1;
  let depth = 0;
  let isOpened = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Space, tab and line ends; JSON has nothing else below them outside of texts.
    if (code <= 0x20) continue;
    const isClosing = code === CLOSE_OBJECT || code === CLOSE_ARRAY;
    // The first value of a list or object has no comma before it.
    if ((isOpened && !isClosing) || code === COMMA) values += 1;
    isOpened = code === OPEN_OBJECT || code === OPEN_ARRAY;
    if (isOpened) depth += 1;
    else if (isClosing) depth -= 1;
    else if (code === QUOTE) at = endOfJsonText(text, at) - 1;
    if (depth > depthMax) return "too_deep";
    if (values > valuesMax) return "too_many";
  }
  return null;
}

/** Short texts end within so many characters, where looking at each is quickest; in long ones the next quote is searched for. */
const SHORT_TEXT = 64;

/** Where the text that starts at a quote is over: after its closing quote, or beyond the end. */
export function endOfJsonText(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    for (const end = at + SHORT_TEXT; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE || at >= text.length) return at + 1;
      if (code === BACKSLASH) at += 1;
    }
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length + 1;
    let escapes = 0;
    while (quote - escapes > at && text.charCodeAt(quote - escapes - 1) === BACKSLASH) escapes += 1;
    at = quote + 1;
    if (escapes % 2 === 0) return at;
  }
}
