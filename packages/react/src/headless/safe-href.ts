/** Addresses that a press may open; anything else stays text. */
export function safeHref(text: string): string | null {
  if (!/^(?:https?:\/\/|mailto:)/i.test(text) || /[\s<>"]/.test(text)) return null;
  return URL.canParse(text) ? text : null;
}
