/** Results of several MCP servers as one. Names of tools and prompts get the name of their server before them. */

import { isJsonObject } from "./bounded-json.ts";
import type { Open } from "./messages.ts";

export interface Named<Value> {
  readonly name: string;
  readonly value: Value;
}

const BETWEEN = "__";

export function prefixed(server: string, name: string): string {
  return `${server}${BETWEEN}${name}`;
}

/** The server and its own name for the thing; `null` without a prefix. */
export function split(name: string): { readonly server: string; readonly own: string } | null {
  const at = name.indexOf(BETWEEN);
  return at < 1 ? null : { server: name.slice(0, at), own: name.slice(at + BETWEEN.length) };
}

/** The oldest revision that one of them chose, because all of them must speak it; what any can do, together they can. */
export function mergeHandshakes(results: readonly Named<Open>[]): Open {
  const versions = results.map(({ value }) => String(value["protocolVersion"])).toSorted();
  const instructions = results.flatMap(({ name, value }) =>
    typeof value["instructions"] === "string" ? [`${name}: ${value["instructions"]}`] : [],
  );
  return {
    protocolVersion: versions[0],
    capabilities: results.reduce<Open>((all, { value }) => mergeObjects(all, value["capabilities"]), {}),
    serverInfo: { name: results.map(({ name }) => name).join("+"), version: "1" },
    ...(instructions.length === 0 ? {} : { instructions: instructions.join("\n\n") }),
  };
}

function mergeObjects(one: Open, other: unknown): Open {
  if (!isJsonObject(other)) return one;
  const members = Object.entries(other).map(([name, value]): [string, unknown] => {
    const before = one[name];
    return [name, isJsonObject(before) && isJsonObject(value) ? mergeObjects(before, value) : value];
  });
  return { ...one, ...Object.fromEntries(members) };
}

/** The member of each list method's result that is the list. */
export const LISTS: Readonly<Record<string, string>> = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
};

export function namedItems(method: string, server: string, items: readonly Open[]): readonly Open[] {
  if (method !== "tools/list" && method !== "prompts/list") return items;
  return items.map((item) => ({ ...item, name: prefixed(server, String(item["name"])) }));
}
