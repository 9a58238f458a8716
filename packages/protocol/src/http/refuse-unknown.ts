import { misconfigured } from "./config/settings.ts";

/** A mistyped name would be ignored in silence. */
export function refuseUnknown(what: string, given: object, known: object): void {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  throw misconfigured(
    `there is no ${what} ${unknown.join(", ")}. Use one of: ${Object.keys(known).join(", ")}`,
  );
}
