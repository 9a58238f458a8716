/**
 * What an ask's context says, cut into the parts people know: the tool call, the artifact, the error, the reason; whatever
 * else is there follows as facts. Nothing is left out.
 */

import {
  type Ask,
  CALL_UNKNOWN,
  isObject,
  type Json,
  type JsonObject,
  member,
} from "@holdpoint/protocol/rules";

export type Part =
  | { readonly kind: "tool_call"; readonly tool: string; readonly args: JsonObject }
  | {
      readonly kind: "artifact";
      readonly title?: string;
      readonly content: Json;
      readonly facts: JsonObject;
    }
  | {
      readonly kind: "error";
      readonly title: string;
      readonly summary?: string;
      readonly details?: Json;
      readonly facts: JsonObject;
    }
  | { readonly kind: "text"; readonly name: string; readonly text: string }
  | { readonly kind: "facts"; readonly facts: JsonObject };

const TOOL_NAMES = ["tool", "tool_name", "toolName", "function"] as const;
const ARGUMENT_NAMES = ["args", "arguments", "tool_args", "toolArgs", "input"] as const;
/** Said first, in full sentences. */
const TEXT_NAMES = ["description", "reason", "message", "summary"] as const;

/** What to show of an ask, in order. */
export function partsOf({ type, context, form, options }: Ask): readonly Part[] {
  if (context === undefined) return [];
  const left = new Map(Object.entries(context));
  // Said above everything else.
  if (left.get(CALL_UNKNOWN) === true) left.delete(CALL_UNKNOWN);
  // Shown where they are answered.
  if (form !== undefined) left.delete("form");
  if (type === "confirmation" && hasIds(left.get("items"))) left.delete("items");
  if (type === "escalation" && isObject(left.get("params") ?? null)) left.delete("params");
  if (type === "selection" && options !== undefined && isCopyOfOptions(left.get("items"), options))
    left.delete("items");
  const parts = [...takeTexts(left), ...takeError(left), ...takeToolCall(left), ...takeArtifact(left)];
  return left.size === 0 ? parts : [...parts, { kind: "facts", facts: Object.fromEntries(left) }];
}

/** The tool call that the ask is about. */
export function toolCallOf(ask: Ask): Extract<Part, { kind: "tool_call" }> | undefined {
  return takeToolCall(new Map(Object.entries(ask.context ?? {})))[0];
}

function takeTexts(left: Map<string, Json>): readonly Part[] {
  return TEXT_NAMES.flatMap((name): Part[] => {
    const text = left.get(name);
    if (typeof text !== "string") return [];
    left.delete(name);
    return [{ kind: "text", name, text }];
  });
}

function takeToolCall(left: Map<string, Json>): readonly Extract<Part, { kind: "tool_call" }>[] {
  const nested = left.get("tool_call") ?? left.get("toolCall");
  if (isObject(nested ?? null)) {
    const tool = firstOf(nested as JsonObject, ["name", ...TOOL_NAMES]);
    const args = firstOf(nested as JsonObject, ARGUMENT_NAMES);
    if (typeof tool !== "string" || !isObject(args ?? null)) return [];
    left.delete("tool_call");
    left.delete("toolCall");
    return [{ kind: "tool_call", tool, args: args as JsonObject }];
  }
  const toolName = TOOL_NAMES.find((name) => typeof left.get(name) === "string");
  const argsName = ARGUMENT_NAMES.find((name) => isObject(left.get(name) ?? null));
  if (toolName === undefined || argsName === undefined) return [];
  const part = {
    kind: "tool_call",
    tool: left.get(toolName) as string,
    args: left.get(argsName) as JsonObject,
  } as const;
  left.delete(toolName);
  left.delete(argsName);
  return [part];
}

function takeArtifact(left: Map<string, Json>): readonly Part[] {
  const artifact = left.get("artifact");
  if (artifact === undefined || !isObject(artifact)) return [];
  const { title, content, metadata, ...others } = artifact;
  if (content === undefined) return [];
  left.delete("artifact");
  const facts = { ...others, ...(isObject(metadata ?? null) ? (metadata as JsonObject) : {}) };
  return [{ kind: "artifact", content, facts, ...(typeof title === "string" ? { title } : {}) }];
}

function takeError(left: Map<string, Json>): readonly Part[] {
  const error = left.get("error");
  if (error === undefined || error === null) return [];
  if (typeof error === "string") {
    left.delete("error");
    return [{ kind: "error", title: error, facts: {} }];
  }
  if (!isObject(error)) return [];
  const { title, summary, message, details, ...facts } = error;
  left.delete("error");
  const said = typeof summary === "string" ? summary : message;
  return [
    {
      kind: "error",
      title: typeof title === "string" ? title : "Something went wrong",
      facts,
      ...(typeof said === "string" ? { summary: said } : {}),
      ...(details === undefined ? {} : { details }),
    },
  ];
}

function firstOf(object: JsonObject, names: readonly string[]): Json | undefined {
  return names.map((name) => member(object, name)).find((value) => value !== undefined);
}

export interface Item {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
}

/** The items of a list to confirm. */
export function itemsOf(list: Json | undefined): readonly Item[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: Json): Item[] => {
    if (!isObject(item) || typeof item["id"] !== "string") return [];
    const label = firstOf(item, ["label", "title", "name"]);
    const { description } = item;
    return [
      {
        id: item["id"],
        label: typeof label === "string" ? label : item["id"],
        ...(typeof description === "string" ? { description } : {}),
      },
    ];
  });
}

function hasIds(list: Json | undefined): boolean {
  return itemsOf(list).length > 0 && Array.isArray(list) && itemsOf(list).length === list.length;
}

/** A list of the same ids that says nothing more than the options do. */
function isCopyOfOptions(list: Json | undefined, options: readonly { readonly id: string }[]): boolean {
  if (!hasIds(list)) return false;
  const ids = new Set(options.map(({ id }) => id));
  const known = new Set(["id", "title", "label", "name", "description"]);
  return (list as readonly JsonObject[]).every(
    (item) => ids.has(item["id"] as string) && Object.keys(item).every((name) => known.has(name)),
  );
}

/** A name as an agent wrote it, as words. */
export function labelOf(name: string): string {
  const words = name
    .replace(/(?<=.)[_-](?:markdown|md)$/i, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .trim();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
