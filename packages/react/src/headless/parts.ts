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
  sameJson,
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
    if (form !== undefined && sameJson(left.get("form"), form as Json)) left.delete("form");
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
  const { content, ...rest } = artifact;
  if (content === undefined) return [];
  left.delete("artifact");
  const { title, ...untitled } = rest;
  const titled = isText(title) ? { title } : {};
  return [{ kind: "artifact", content, facts: withMetadata(isText(title) ? untitled : rest), ...titled }];
}

/** Metadata stands beside the other members where none of them has the same name. */
function withMetadata(facts: JsonObject): JsonObject {
  const { metadata, ...others } = facts;
  const isApart = isObject(metadata ?? null) && Object.keys(metadata as JsonObject).length > 0;
  if (!isApart || Object.keys(metadata as JsonObject).some((name) => Object.hasOwn(others, name)))
    return facts;
  return { ...others, ...(metadata as JsonObject) };
}

function takeError(left: Map<string, Json>): readonly Part[] {
  const error = left.get("error");
  if (isText(error)) {
    left.delete("error");
    return [{ kind: "error", title: error, facts: {} }];
  }
  if (error === undefined || !isObject(error) || Object.keys(error).length === 0) return [];
  left.delete("error");
  const rest = new Map(Object.entries(error));
  const take = (...names: readonly string[]) => {
    const name = names.find((each) => isText(rest.get(each)));
    const text = name === undefined ? undefined : (rest.get(name) as string);
    if (name !== undefined) rest.delete(name);
    return text;
  };
  const title = take("title") ?? "Something went wrong";
  const summary = take("summary", "message");
  const details = rest.get("details");
  rest.delete("details");
  return [
    {
      kind: "error",
      title,
      facts: Object.fromEntries(rest),
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

const LABEL_NAMES = ["label", "title", "name"];

/** Whether choices that are drawn from the list show everything that it says. */
function isWholeInChoices(list: Json | undefined): boolean {
  return Array.isArray(list) && list.length > 0 && list.every(isPlainItem);
}

function isPlainItem(item: Json): item is JsonObject {
  if (!isObject(item) || typeof item["id"] !== "string" || !Object.values(item).every(isText)) return false;
  const more = Object.keys(item).filter((name) => name !== "id" && name !== "description");
  return more.length <= 1 && more.every((name) => LABEL_NAMES.includes(name));
}

type Listed = Pick<Option, "id" | "label" | "description">;

/** A list of the same ids that says nothing more than the options do. */
function isCopyOfOptions(list: Json | undefined, options: readonly Listed[]): boolean {
  if (!Array.isArray(list) || list.length === 0) return false;
  const byId = new Map(options.map((option) => [option.id, option]));
  return list.every((item: Json) => {
    const option = isObject(item) && typeof item["id"] === "string" ? byId.get(item["id"]) : undefined;
    if (option === undefined) return false;
    const said: Readonly<Record<string, Json | undefined>> = {
      id: option.id,
      description: option.description,
      ...Object.fromEntries(LABEL_NAMES.map((name) => [name, option.label])),
    };
    return Object.entries(item as JsonObject).every(
      ([name, value]) => Object.hasOwn(said, name) && said[name] === value,
    );
  });
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
