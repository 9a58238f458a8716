/** What the rules say is there is there; if it is not, that is a bug and no refusal. */
export function must<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} is there`);
  return value;
}
