/** Sizes as people read them. */

const UNITS = ["kB", "MB", "GB", "TB"] as const;

export function sizeWords(bytes: number): string {
  let size = bytes / 1024;
  let at = 0;
  // What would be shown as 1,024 of a unit is 1 of the next.
  while (Math.round(size) >= 1024 && at < UNITS.length - 1) {
    size /= 1024;
    at += 1;
  }
  const digits = { maximumFractionDigits: at === 0 ? 0 : 1 };
  return `${(at === 0 ? Math.ceil(size) : size).toLocaleString("en", digits)} ${UNITS[at]}`;
}

export function percentWords(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  return percent < 1 ? "less than 1 %" : `${Math.floor(percent)} %`;
}
