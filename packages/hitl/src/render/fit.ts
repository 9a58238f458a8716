/** Making text fit where a platform leaves only so much room. Cuts between characters, and says that it cut. */

/**
 * The text, or as much of its beginning as fits with an ellipsis. `encode` is what the platform will see of it. Room is
 * counted in UTF-16 units, which are never fewer than what any platform counts.
 */
export function fit(text: string, room: number, encode: (text: string) => string = (same) => same): string {
  const whole = encode(text);
  if (whole.length <= room) return whole;
  const characters = [...text];
  const cut = (length: number) => encode(`${characters.slice(0, length).join("").trimEnd()}…`);
  let least = 0;
  let most = characters.length;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (cut(middle).length <= room) least = middle;
    else most = middle - 1;
  }
  const shortened = cut(least);
  return shortened.length <= room ? shortened : "";
}

const linkLine = (url: string) => `\n\nDecide here: ${url}`;

function linkFits(url: string, room: number): boolean {
  return linkLine(url).length <= room;
}

/** Whether the text fits whole, with the link after it if there is one. */
export function fitsWhole(
  text: string,
  url: string | undefined,
  room: number,
  encode: (text: string) => string = (same) => same,
): boolean {
  return encode(text).length + (url === undefined ? 0 : linkLine(url).length) <= room;
}

/** The text with its link after it. The link is never cut: half a link is none. */
export function withLink(text: string, url: string, room: number, encode?: (text: string) => string): string {
  if (!linkFits(url, room))
    throw new RangeError("The review's link is too long for this messenger. Send it another way.");
  const line = linkLine(url);
  return fit(text, room - line.length, encode) + line;
}
