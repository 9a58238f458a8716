/** Texts beside other values, so that no two of them read alike (G15). */

/** What numbers, the other simple values and empty ones look like where they are shown, and texts that are quoted already. */
const READS_OTHERWISE =
  /^(?:-?\d+(?:\.\d+)?(?:e[-+]?\d+)?|null|true|false|empty (?:text|list|object)|".*)$/is;

/** A text that reads like another value (`5`, `null`) in quotation marks, as JSON; any other text as it is. */
export function exactText(text: string): string {
  return READS_OTHERWISE.test(text) ? JSON.stringify(text) : text;
}
