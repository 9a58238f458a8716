import { misconfigured } from "./config/settings.ts";

/** A mistyped name would be ignored in silence. */
export function refuseUnknown(what: string, given: object, known: object): void {
  const names = Object.keys(known);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw misconfigured(`there is no ${what} ${unknown.join(", ")}. Use one of: ${names.join(", ")}`);
}
