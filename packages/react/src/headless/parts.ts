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
  type Option,
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

/**
 * What to show of an ask, in order. `isWhole`: also what the inputs of an answer show, for places that draw no inputs.
 */
export function partsOf({ type, context, form, options }: Ask, isWhole = false): readonly Part[] {
  if (context === undefined) return [];
  const left = new Map(Object.entries(context));
  // Said above everything else.
  if (left.get(CALL_UNKNOWN) === true) left.delete(CALL_UNKNOWN);
  // Shown where they are answered.
  if (!isWhole) {
    const items = left.get("items");
    if (form !== undefined && JSON.stringify(left.get("form")) === JSON.stringify(form)) left.delete("form");
    if (type === "confirmation" && isWholeInChoices(items)) left.delete("items");
    if (type === "escalation" && isObject(left.get("params") ?? null)) left.delete("params");
    if (type === "selection" && options !== undefined && isCopyOfOptions(items, options))
      left.delete("items");
  }
  const parts = [...takeTexts(left), ...takeError(left), ...takeToolCall(left), ...takeArtifact(left)];
  return left.size === 0 ? parts : [...parts, { kind: "facts", facts: Object.fromEntries(left) }];
}

/** The tool call that the ask is about. */
export function toolCallOf(ask: Ask): Extract<Part, { kind: "tool_call" }> | undefined {
  return takeToolCall(new Map(Object.entries(ask.context ?? {})))[0];
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value.trim() !== "";
}

// Every function below takes out of `left` exactly what its part shows; the rest stays, and is shown as facts (G15).

function takeTexts(left: Map<string, Json>): readonly Part[] {
  return TEXT_NAMES.flatMap((name): Part[] => {
    const text = left.get(name);
    if (!isText(text)) return [];
    left.delete(name);
    return [{ kind: "text", name, text }];
  });
}

type ToolCallPart = Extract<Part, { kind: "tool_call" }>;

function takeToolCall(left: Map<string, Json>): readonly ToolCallPart[] {
  const at = ["tool_call", "toolCall"].find((name) => left.has(name));
  const nested = at === undefined ? undefined : left.get(at);
  if (at === undefined || nested === undefined || !isObject(nested)) return takeCall(left, TOOL_NAMES);
  const members = new Map(Object.entries(nested));
  const call = takeCall(members, ["name", ...TOOL_NAMES]);
  if (call.length === 0) return [];
  if (members.size === 0) left.delete(at);
  else left.set(at, Object.fromEntries(members));
  return call;
}

function takeCall(left: Map<string, Json>, toolNames: readonly string[]): readonly ToolCallPart[] {
  const toolName = toolNames.find((name) => typeof left.get(name) === "string");
  const argsName = ARGUMENT_NAMES.find((name) => isObject(left.get(name) ?? null));
  if (toolName === undefined || argsName === undefined) return [];
  const [tool, args] = [left.get(toolName) as string, left.get(argsName) as JsonObject];
  left.delete(toolName);
  left.delete(argsName);
  return [{ kind: "tool_call", tool, args }];
}

function takeArtifact(left: Map<string, Json>): readonly Part[] {
  const artifact = left.get("artifact");
  if (artifact === undefined || !isObject(artifact)) return [];
  const { content, ...facts } = artifact;
  if (content === undefined) return [];
  left.delete("artifact");
  const { title, ...untitled } = facts;
  return [
    isText(title)
      ? { kind: "artifact", title, content, facts: untitled }
      : { kind: "artifact", content, facts },
  ];
}

function takeError(left: Map<string, Json>): readonly Part[] {
  const error = left.get("error");
  if (isText(error)) {
    left.delete("error");
    return [{ kind: "error", title: error, facts: {} }];
  }
  if (error === undefined || !isObject(error) || Object.keys(error).length === 0) return [];
  left.delete("error");
  const facts = { ...error } as Record<string, Json>;
  const take = (...names: readonly string[]) => {
    const name = names.find((each) => isText(facts[each]));
    if (name === undefined) return undefined;
    const { [name]: text } = facts;
    delete facts[name];
    return text as string;
  };
  const title = take("title") ?? "Something went wrong";
  const summary = take("summary", "message");
  const { details, ...rest } = facts;
  return [
    {
      kind: "error",
      title,
      facts: rest,
      ...(summary === undefined ? {} : { summary }),
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

/** Whether choices that are drawn from the list show everything that it says. */
function isWholeInChoices(list: Json | undefined): boolean {
  return isListOf(list, ({ id, description = "", ...labels }) => {
    const [[name, label] = ["label", "-"], ...more] = Object.entries(labels);
    const isNamed = ["label", "title", "name"].includes(name) && isText(label);
    return typeof id === "string" && typeof description === "string" && isNamed && more.length === 0;
  });
}

/** A list of the same ids that says nothing more than the options do. */
function isCopyOfOptions(list: Json | undefined, options: readonly Option[]): boolean {
  return isListOf(list, (item) => {
    const { id, label, description } = options.find((option) => option.id === item["id"]) ?? {};
    const said = { id, description, label, title: label, name: label } as JsonObject;
    return Object.entries(item).every(([name, value]) => member(said, name) === value);
  });
}

function isListOf(list: Json | undefined, fits: (item: JsonObject) => boolean): boolean {
  return Array.isArray(list) && list.length > 0 && list.every((item: Json) => isObject(item) && fits(item));
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
