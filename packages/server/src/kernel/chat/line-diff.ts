/**
 * Which lines of a text changed, for messages in a chat. Every line of both texts is shown: removed ones after `-`, added ones after
 * `+`, and those that are the same in both once, after a space.
 */

/** The comparison takes this many steps at most (G13). What is longer is shown as removed and added as a whole. */
const STEPS_MAX = 250_000;

export function lineDiff(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const begin = commonStart(old, now);
  const end = commonStart(old.slice(begin).reverse(), now.slice(begin).reverse());
  const lines = [
    ...marked(" ", old.slice(0, begin)),
    ...compared(old.slice(begin, old.length - end), now.slice(begin, now.length - end)),
    ...marked(" ", old.slice(old.length - end)),
  ];
  return lines.join("\n");
}

function marked(sign: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) => `${sign} ${line}`);
}

function commonStart(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((line, at) => line !== other[at]);
  return differs === -1 ? one.length : differs;
}

/** By the longest sequence of lines that both have in common. */
function compared(old: readonly string[], now: readonly string[]): readonly string[] {
  if (old.length * now.length > STEPS_MAX) return [...marked("-", old), ...marked("+", now)];
  const left = commonLengths(old, now);
  const lengthAt = (i: number, j: number) => Number(left[i * (now.length + 1) + j]);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push(`  ${old[i]}`);
      i += 1;
      j += 1;
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) {
      lines.push(`- ${old[i]}`);
      i += 1;
    } else {
      lines.push(`+ ${now[j]}`);
      j += 1;
    }
  }
  return [...lines, ...marked("-", old.slice(i)), ...marked("+", now.slice(j))];
}

/** How many lines the rests of both texts have in common, from each pair of lines on. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const [below, right, both] = [(i + 1) * width + j, i * width + j + 1, (i + 1) * width + j + 1];
      lengths[i * width + j] =
        old[i] === now[j]
          ? Number(lengths[both]) + 1
          : Math.max(Number(lengths[below]), Number(lengths[right]));
    }
  return lengths;
}
