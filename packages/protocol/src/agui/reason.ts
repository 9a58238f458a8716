/** Reasons: which words are the protocol's, which are namespaced, and what kind of card suits each (AG-060 … 062, AG-092). */

import { isObject, type JsonObject, member } from "../rules/index.ts";
import type { Interrupt } from "./types.ts";

/** A framework's own `interrupt(value)`, asked without a schema: yes or no. */
export const PLAIN_REASON = "langgraph:interrupt";

const CORE_REASONS: readonly string[] = ["tool_call", "input_required", "confirmation"];
/** Words of the draft, kept as they are. */
const DRAFT_REASONS: readonly string[] = [
  "human_approval",
  "upload_required",
  "policy_hold",
  "database_modification",
  "error_recovery",
];

/** Why a reason may not be given to new interrupts; null: it may. */
export function whyNotReason(reason: string): string | null {
  if (CORE_REASONS.includes(reason) || DRAFT_REASONS.includes(reason)) return null;
  const [name, rest] = [reason.slice(0, reason.indexOf(":")), reason.slice(reason.indexOf(":") + 1)];
  if (!reason.includes(":") || name === "" || rest === "") return "own reasons are written <name>:<reason>";
  return name === "core" ? "the name core is the protocol's own" : null;
}

/** The standard components. `generic` shows message, schema and metadata, whatever the reason. */
export type CardKind =
  | "approval"
  | "form"
  | "confirmation"
  | "file"
  | "policy"
  | "recovery"
  | "database"
  | "generic";

const BY_REASON: Readonly<Record<string, CardKind>> = {
  tool_call: "approval",
  human_approval: "approval",
  [PLAIN_REASON]: "approval",
  input_required: "form",
  confirmation: "confirmation",
  upload_required: "file",
  policy_hold: "policy",
  error_recovery: "recovery",
  "holdpoint:escalation": "recovery",
  database_modification: "database",
};

export function cardKindOf({ reason, responseSchema }: Interrupt): CardKind {
  if (reason === PLAIN_REASON && responseSchema !== undefined) return "form";
  if (Object.hasOwn(BY_REASON, reason)) return BY_REASON[reason] as CardKind;
  return responseSchema === undefined ? "generic" : "form";
}

/** Whether the schema offers to change the arguments: only then an editor is shown (AG-054). */
export function offersEdits({ responseSchema }: Pick<Interrupt, "responseSchema">): boolean {
  return editedArgsSchema(responseSchema) !== undefined;
}

export function editedArgsSchema(schema: JsonObject | undefined): JsonObject | undefined {
  const properties = schema === undefined ? undefined : member(schema, "properties");
  const edited = isObject(properties) ? member(properties, "editedArgs") : undefined;
  return isObject(edited) ? edited : undefined;
}

/** An app's own components by reason, before the standard ones by kind (AG-095). */
export function createCardRegistry<Card>(
  standard: Readonly<Record<CardKind, Card>>,
  own: Readonly<Record<string, Card>> = {},
): (interrupt: Interrupt) => Card {
  return (interrupt) =>
    Object.hasOwn(own, interrupt.reason) ? (own[interrupt.reason] as Card) : standard[cardKindOf(interrupt)];
}
