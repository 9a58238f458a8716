/** Text from agents, servers and strangers, made harmless for a terminal. */

/** Escape sequences and other control characters could repaint what a person is about to approve. */
export function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must be removed.
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "�");
}

/** JSON with the same characters escaped: a program reads back exactly what was said, and a terminal is not repainted. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
