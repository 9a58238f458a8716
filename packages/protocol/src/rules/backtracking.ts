/** Patterns that somebody else wrote, where the engine is a browser's or Node's own, which can be made to hang. */

/** The server takes no longer ones. Reading one takes time by the square of its length. */
const PATTERN_LENGTH_MAX = 1_000;
const VALUE_LENGTH_MAX = 1_000;
/** How many ways through a value an engine may try: a moment of work. */
const WAYS_MAX = 1e7;
/** The same at all places where a match may begin. There are fewer ways the later it begins. */
const WAYS_AT_ALL_PLACES_MAX = 1e8;
/** A pattern that says where it begins. A group of nothing but `^` may be repeated, and then it may be left out. */
const BEGINS = /^\^(?![*+{?])/;
const INNERMOST = /\(([^()]*)\)([*+{]?)/;

/**
 * How long a value may be that this pattern is tried on; less than 1: none. An engine tries every way to divide a value among
 * repetitions and alternatives. Inside a repeated group their number grows exponentially with the value; outside, each repetition
 * multiplies it by the value's length and each alternative at most doubles it. A pattern that does not say where it begins is tried at
 * every place of the value.
 */
export function triedLengthMax(source: string): number {
  if (source.length > PATTERN_LENGTH_MAX) return 0;
  // No character of a class can be read in two ways: pages and desks read invalid patterns too, in linear time (G13).
  // Escapes and classes match one character, whatever they contain.
  let flat = source.replace(/\\(?:[pPu]\{.*?\}|.)|\[(?:\\.|[^\]\\])*\]/g, "x").replaceAll("(?", "(");
  for (let found = INNERMOST.exec(flat); found !== null; found = INNERMOST.exec(flat)) {
    const [group, inner = "", repeated = ""] = found;
    if (repeated !== "" && /[*+{?|]/.test(inner)) return 0;
    flat = flat.replace(group, () => inner + repeated);
  }
  const repetitions = flat.split(/[*+{]/).length - 1;
  const alternatives = 2 ** (flat.split(/[?|]/).length - 1);
  const ways = WAYS_MAX / alternatives;
  const atOnePlace = Math.min(VALUE_LENGTH_MAX, repetitions === 0 ? ways : ways ** (1 / repetitions));
  if (BEGINS.test(flat) && !flat.includes("|")) return atOnePlace;
  return Math.min(atOnePlace, (WAYS_AT_ALL_PLACES_MAX / alternatives) ** (1 / (repetitions + 1)));
}
