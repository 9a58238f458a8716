/**
 * Returns the value, or throws if it is missing. For values that the rules guarantee: a missing one is a bug, not a
 * refusal. `what` names the value in the error: `task task_123`.
 */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`Invariant: ${what} does not exist`);
  return value;
}
