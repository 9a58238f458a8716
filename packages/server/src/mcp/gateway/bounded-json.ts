/** Bounds for what an MCP server says about itself. What exceeds them is left out: a call can still be asked about. */

import type { Open } from "./messages.ts";

const DEPTH_MAX = 24;
const VALUES_MAX = 2_000;
const CHARACTERS_MAX = 100_000;

export function isJsonObject(value: unknown): value is Open {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function jsonWithin(value: unknown): boolean {
  let values = 0;
  let characters = 0;
  const fits = (part: unknown, depth: number): boolean => {
    values += 1;
    if (typeof part === "string") characters += part.length;
    if (values > VALUES_MAX || characters > CHARACTERS_MAX || depth > DEPTH_MAX) return false;
    if (typeof part !== "object" || part === null) return true;
    return Object.entries(part).every(([name, member]) => {
      characters += name.length;
      return fits(member, depth + 1);
    });
  };
  return fits(value, 0);
}
