/**
 * What is asked. An ask is plain data, immutable once placed (G12); these types and the checks beside them are
 * shared by the server's core and by every page and library that shows an ask, so that no rule stands in two places.
 */

import type { Form } from "./form.ts";
import type { JsonObject } from "./json.ts";

export const ASK_TYPES = ["approval", "selection", "input", "confirmation", "escalation"] as const;

export type KnownAskType = (typeof ASK_TYPES)[number];
/** `x-*` types are somebody else's words: shown generically, with the actions their author declares. */
export type AskType = KnownAskType | `x-${string}`;

export type Style = "primary" | "danger" | "default";

export type Option = {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly style?: Style;
};

/** A button. The five known types bring their own; an ask may narrow them, and `x-*` types declare theirs. */
export interface Action {
  readonly id: string;
  readonly label?: string;
  readonly style?: Style;
}

/** How many options of a selection may be chosen; at least one unless `min` says otherwise. */
export interface SelectRange {
  readonly min?: number;
  readonly max?: number;
}

export interface Ask {
  readonly type: AskType;
  readonly prompt: string;
  readonly context?: JsonObject;
  readonly options?: readonly Option[];
  readonly select?: SelectRange;
  readonly form?: Form;
  /** JSON Schema 2020-12: of `data` for input and `x-*`, of `data.edited_args` for approval. */
  readonly responseSchema?: JsonObject;
  readonly actions?: readonly Action[];
  /** How often what is approved may be executed, one after another; once when absent. */
  readonly uses?: Uses;
}

/** `unlimited`: until it is taken back. */
export type Uses = number | "unlimited";

/** What a person gave. */
export interface Answer {
  readonly action: string;
  readonly data: JsonObject;
}

const ACTIONS_OF_TYPE: Readonly<Record<KnownAskType, readonly Action[]>> = {
  approval: [
    { id: "approve", label: "Approve", style: "primary" },
    { id: "edit", label: "Request changes" },
    { id: "reject", label: "Reject", style: "danger" },
  ],
  selection: [{ id: "select", label: "Select", style: "primary" }],
  input: [{ id: "submit", label: "Submit", style: "primary" }],
  confirmation: [
    { id: "confirm", label: "Confirm", style: "primary" },
    { id: "cancel", label: "Cancel" },
  ],
  escalation: [
    { id: "retry", label: "Retry", style: "primary" },
    { id: "skip", label: "Skip" },
    { id: "abort", label: "Abort", style: "danger" },
  ],
};

const SUBMIT: readonly Action[] = [{ id: "submit", label: "Submit", style: "primary" }];

export function isKnownType(type: string): type is KnownAskType {
  return Object.hasOwn(ACTIONS_OF_TYPE, type);
}

/** The actions a person may take, in the order of their buttons. */
export function actionsOf(ask: Pick<Ask, "type" | "actions">): readonly Action[] {
  if (!isKnownType(ask.type)) return ask.actions ?? SUBMIT;
  const known = ACTIONS_OF_TYPE[ask.type];
  if (ask.actions === undefined) return known;
  // An author may narrow and relabel, never invent: what an action means belongs to the type.
  return ask.actions.map((action) => ({ ...known.find((own) => own.id === action.id), ...action }));
}

/** A button as people see it. */
export interface ShownAction {
  readonly id: string;
  /** What the action means, in our words; of actions that only an `x-*` type knows, in its author's. */
  readonly word: string;
  /** The word first, then the label of the asker if it says something else: "Approve: Ship it". */
  readonly label: string;
  readonly style: Style;
}

/** No two types mean something else by the same id. */
const KNOWN_ACTIONS = Object.values(ACTIONS_OF_TYPE).flat();

/**
 * The buttons that decide, as people see them. The asker chooses the labels, so a label alone could say "Reject" on the button that
 * approves: what an action means always stands first, in the words and the style of its type.
 */
export function shownActions(ask: Pick<Ask, "type" | "actions">): readonly ShownAction[] {
  return actionsOf(ask).map(shownAction);
}

function shownAction({ id, label: given, style = "default" }: Action): ShownAction {
  const own = KNOWN_ACTIONS.find((known) => known.id === id);
  const word = own?.label ?? given ?? id;
  const isSame = given === undefined || given.trim().toLowerCase() === word.toLowerCase();
  const label = isSame || given.trim() === "" ? word : `${word}: ${given}`;
  return { id, word, label, style: own === undefined ? style : (own.style ?? "default") };
}

const GRANTING = new Set(["approve", "select", "submit", "confirm", "retry"]);
const REFUSING = new Set(["edit", "reject", "cancel", "skip", "abort", "deny", "decline"]);

/** Whether an action lets the agent go on as proposed; only such an answer can be claimed for execution. */
export function isGranting(ask: Pick<Ask, "type">, action: string): boolean {
  return isKnownType(ask.type) ? GRANTING.has(action) : !REFUSING.has(action);
}

/** Whether an approval that was claimed this often may be claimed once more. */
export function hasUsesLeft({ uses = 1 }: Pick<Ask, "uses">, claims: number): boolean {
  return uses === "unlimited" || claims < uses;
}

/** The member of an ask's context that is `true` where the exact call is unknown. */
export const CALL_UNKNOWN = "call_unknown";

export function isCallUnknown({ context }: Pick<Ask, "context">): boolean {
  return context?.[CALL_UNKNOWN] === true;
}
