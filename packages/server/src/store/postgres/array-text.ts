/**
 * Formats arrays as PostgreSQL text. The driver can do it too, with regular expressions for each element; a batch has
 * thousands of elements, and most of them need no escaping.
 */

export type Element = string | number | boolean | null | undefined;

/**
 * Formats one column of the rows. If consecutive rows have the same value, such as the workspace, its text is made
 * once.
 */
export function arrayText<Row>(rows: readonly Row[], of: (row: Row) => Element): string {
  const texts = new Array<string>(rows.length);
  let last: Element;
  let lastText = elementText(last);
  for (let at = 0; at < rows.length; at += 1) {
    const value = of(rows[at] as Row);
    if (value !== last) {
      last = value;
      lastText = elementText(value);
    }
    texts[at] = lastText;
  }
  return `{${texts.join(",")}}`;
}

function elementText(value: Element): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value !== "string") return String(value);
  if (!value.includes('"') && !value.includes("\\")) return `"${value}"`;
  // Quotes and backslashes are escaped as in JSON. Control characters are not: JSON would escape them in a way
  // PostgreSQL does not read.
  if (!CONTROLS.test(value)) return JSON.stringify(value);
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it looks for
const CONTROLS = /[\u0000-\u001f]/;
