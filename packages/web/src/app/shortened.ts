/** The beginning of a text that stands among others: a question may have ten thousand characters. */

const LENGTH_MAX = 160;

export function shortened(text: string): string {
  // By characters: half of an emoji is none.
  const characters = [...text.slice(0, 4 * LENGTH_MAX)];
  return characters.length <= LENGTH_MAX ? text : `${characters.slice(0, LENGTH_MAX).join("").trimEnd()} …`;
}
