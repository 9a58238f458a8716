/** Patterns that somebody else wrote, where the engine is a browser's or Node's own, which can be made to hang. */

const VALUE_LENGTH_MAX = 1_000;
/** How many ways through a value a browser may try: a moment of work. */
const WAYS_MAX = 1e7;

/**
 * How long a value may be that this pattern is tried on; 0: none. A browser's engine tries every way to divide a value among
 * repetitions and alternatives. Inside a repeated group their number grows exponentially with the value; outside, each repetition
 * multiplies it by the value's length and each alternative at most doubles it.
 */
export function triedLengthMax(source: string): number {
  // Escapes and classes match one character, whatever they contain.
  const bare = source
    .replace(/\\(?:[^pPuk]|[pP]\{[^}]*\}|u\{[^}]*\}|[uk])/g, "x")
    .replace(/\[[^\]]*\]/g, "x");
  const groups: boolean[] = [];
  let [hasWays, repetitions, alternatives] = [false, 0, 0];
  for (let at = 0; at < bare.length; at += 1) {
    const [sign, next] = [bare.charAt(at), bare.charAt(at + 1)];
    if (sign === "(") {
      groups.push(hasWays);
      hasWays = false;
      if (next === "?") at += 1;
    } else if (sign === ")") {
      if (hasWays && /[*+{]/.test(next)) return 0;
      hasWays = (groups.pop() ?? false) || hasWays;
    } else if (/[*+{?|]/.test(sign)) {
      hasWays = true;
      if (sign === "?" || sign === "|") alternatives += 1;
      else repetitions += 1;
    }
  }
  const ways = WAYS_MAX / 2 ** alternatives;
  return Math.min(VALUE_LENGTH_MAX, repetitions === 0 ? ways : ways ** (1 / repetitions));
}
