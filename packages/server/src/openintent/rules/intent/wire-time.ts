/** Times in OpenIntent's format: UTC with milliseconds and a numeric offset, which every client can parse. */

export function wireTime(at: number): string {
  return new Date(at).toISOString().replace("Z", "+00:00");
}

const TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?<zone>z|[+-]\d{2}:?\d{2})?$/i;

/** Epoch milliseconds, or `null` if the text is not a time. A time without an offset is UTC. */
export function readTime(text: string): number | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const zoned = match.groups?.["zone"] === undefined ? `${text}Z` : text;
  const at = Date.parse(zoned.replace(" ", "T").replace(",", "."));
  return Number.isNaN(at) ? null : at;
}
