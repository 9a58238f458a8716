/** What the rules say is there is there; if it is not, that is a bug and no refusal. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`${what} is there`);
  return value;
}
