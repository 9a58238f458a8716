/**
 * Arrays as PostgreSQL reads them. The driver would make them too, element by element with regular expressions; a batch has
 * thousands of elements, and most need nothing done.
 */

export type Element = string | number | boolean | null | undefined;

export function arrayText(values: readonly Element[]): string {
  return `{${values.map(elementText).join(",")}}`;
}

function elementText(value: Element): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value !== "string") return String(value);
  if (!value.includes('"') && !value.includes("\\")) return `"${value}"`;
  // Quotes and backslashes are escaped as in JSON; of control characters JSON would make something else.
  if (!hasControls(value)) return JSON.stringify(value);
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < 0x20) return true;
  return false;
}
