/** Moments as OpenIntent writes them: UTC with milliseconds and an offset in digits, which every client can read. */

export function wireTime(at: number): string {
  return new Date(at).toISOString().replace("Z", "+00:00");
}

const TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?<zone>z|[+-]\d{2}:?\d{2})?$/i;

/** Epoch milliseconds, or null when it is no moment. Without an offset it is UTC. */
export function readTime(text: string): number | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const zoned = match.groups?.["zone"] === undefined ? `${text}Z` : text;
  const at = Date.parse(zoned.replace(" ", "T").replace(",", "."));
  return Number.isNaN(at) ? null : at;
}
