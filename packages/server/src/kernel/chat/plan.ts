/**
 * Which buttons a message offers. A person who decides must see what will run (G15) and must be able to prove who they are: where the
 * chat cannot show everything, or a chat account is not proof enough, the message only leads to the page.
 */

import {
  type Ask,
  actionsOf,
  type Form,
  fieldsOf,
  isCallUnknown,
  type Style,
  shownActions,
  visibleText,
} from "@holdpoint/protocol/rules";
import { isStrongEnough } from "../decision/decision.ts";
import { endsAt, type Hold } from "../hold/hold.ts";
import { policyOf } from "../hold/verification.ts";
import type { ChatButton } from "./chat.ts";

/** What a channel and its platform allow. */
export interface ChatManner {
  /** The operator lets people decide although not everything is shown. */
  readonly isAlways: boolean;
  readonly buttons: number;
  readonly buttonLabel: number;
  readonly dialogFields: number;
  /** The longest time for which similar calls may be allowed. */
  readonly grantMaxMs: number;
}

export interface ChatPlan {
  readonly buttons: readonly ChatButton[];
  /** What people must know about what they do not see here. */
  readonly notes: readonly string[];
}

const HOUR_MS = 3_600_000;
const SNOOZE_MS = HOUR_MS;
const GRANT_MS = 2 * HOUR_MS;
const DETAILS: ChatButton = { kind: "details" };

export const NOTES = {
  withheld: "Not everything is shown here.",
  weak: "This decision needs more than a chat account. Open the page to answer.",
  unknown: "The exact call is unknown. Open the page to answer.",
  page: "Open the page to answer.",
  long: "This is too long for a chat. Open the page to read all of it and to answer.",
} as const;

/** `isWithheld`: context is not shown here, or something in the ask was redacted. */
export function planMessage(hold: Hold, manner: ChatManner, isWithheld: boolean, now: number): ChatPlan {
  const withheld = isWithheld ? [NOTES.withheld] : [];
  const snooze = snoozeOf(hold, now);
  const why = whyNotHere(hold, isWithheld && !manner.isAlways);
  if (why !== null) return { buttons: [DETAILS, ...snooze], notes: [...withheld, why] };
  const deciding = decidingButtons(hold, manner);
  const all = [...deciding, ...grantOf(hold, manner), DETAILS, ...snooze];
  const isShown = deciding.length > 0 && all.length <= manner.buttons && labelsFit(hold, all, manner);
  return isShown
    ? { buttons: all, notes: withheld }
    : { buttons: [DETAILS, ...snooze], notes: [...withheld, NOTES.page] };
}

/** Where nothing but the beginning of the question fits. */
export function planBrief(hold: Hold, now: number): ChatPlan {
  return { buttons: [DETAILS, ...snoozeOf(hold, now)], notes: [NOTES.long] };
}

function whyNotHere(hold: Hold, isHidden: boolean): string | null {
  const ask = askOf(hold);
  const { decision } = hold;
  const isWeak = decision !== undefined && !isStrongEnough("account", decision.strength);
  const policy = policyOf(hold);
  if (isWeak || (policy !== undefined && policy.mode !== "optional")) return NOTES.weak;
  if (isCallUnknown(ask)) return NOTES.unknown;
  return isHidden ? NOTES.page : null;
}

export function askOf({ id, ask }: Pick<Hold, "id" | "ask">): Ask {
  if (ask === null) throw new Error(`Invariant: open hold ${id} has no ask`);
  return ask;
}

/** The names under which each type of ask takes the words of a person who refuses. */
const REASONS: Readonly<Record<string, string>> = { reject: "feedback", edit: "feedback" };

function decidingButtons(hold: Hold, manner: ChatManner): readonly ChatButton[] {
  const ask = askOf(hold);
  switch (ask.type) {
    case "approval":
    case "confirmation":
    case "escalation":
      return actionsOf(ask).map(({ id }) => actionButton(ask, id));
    case "selection":
      return isOneOf(ask)
        ? (ask.options ?? []).map(({ id }) => ({
            kind: "answer",
            action: "select",
            data: { selected: [id] },
          }))
        : [];
    case "input":
      return actionsOf(ask).flatMap(({ id }) => (isShortForm(ask.form, manner) ? [formButton(id)] : []));
    default:
      return [];
  }
}

function actionButton({ type }: Ask, action: string): ChatButton {
  const field = type === "approval" ? REASONS[action] : undefined;
  return field === undefined ? { kind: "answer", action, data: {} } : { kind: "reason", action, field };
}

function formButton(action: string): ChatButton {
  return { kind: "form", action };
}

/** A press chooses one option, so the ask must want exactly one. */
function isOneOf({ select, options = [] }: Ask): boolean {
  const { min = 1, max = options.length } = select ?? {};
  return min <= 1 && (max === 1 || options.length === 1);
}

const DIALOG_TYPES: ReadonlySet<string> = new Set([
  "text",
  "textarea",
  "number",
  "date",
  "email",
  "url",
  "select",
]);

/** A form that a dialog can show as it is. Secrets are not typed into a chat. */
export function isShortForm(
  form: Form | undefined,
  { dialogFields }: Pick<ChatManner, "dialogFields">,
): boolean {
  const fields = form === undefined ? [] : fieldsOf(form);
  return (
    fields.length > 0 &&
    fields.length <= dialogFields &&
    fields.every(
      ({ type, sensitive, conditional }) =>
        DIALOG_TYPES.has(type) && sensitive !== true && conditional === undefined,
    )
  );
}

/** Only holds that a check placed have similar calls. */
function grantOf(hold: Hold, { grantMaxMs }: ChatManner): readonly ChatButton[] {
  const isOffered = hold.call !== undefined && hold.grantable !== false && grantMaxMs >= GRANT_MS;
  return isOffered ? [{ kind: "grant", action: "approve", forMs: GRANT_MS }] : [];
}

function snoozeOf(hold: Hold, now: number): readonly ChatButton[] {
  return now + SNOOZE_MS < endsAt(hold) ? [{ kind: "snooze", forMs: SNOOZE_MS }] : [];
}

function labelsFit(hold: Hold, buttons: readonly ChatButton[], { buttonLabel }: ChatManner): boolean {
  return buttons.every((button) => lookOf(askOf(hold), button, true).label.length <= buttonLabel);
}

export interface Look {
  readonly label: string;
  readonly style: Style;
}

/** `canDecide`: the message offers an answer besides the page. */
export function lookOf(ask: Ask, button: ChatButton, canDecide: boolean): Look {
  switch (button.kind) {
    case "details":
      return { label: canDecide ? "Details" : "Open", style: canDecide ? "default" : "primary" };
    case "snooze":
      return { label: `Remind me in ${button.forMs / HOUR_MS} h`, style: "default" };
    case "grant":
      return { label: `Approve similar for ${button.forMs / HOUR_MS} h …`, style: "default" };
    case "answer":
      return answerLook(ask, button);
    default: {
      const { label, style } = actionLook(ask, button.action);
      return { label: `${label} …`, style };
    }
  }
}

function answerLook(ask: Ask, { action, data }: Extract<ChatButton, { kind: "answer" }>): Look {
  const [selected] = Array.isArray(data["selected"]) ? data["selected"] : [];
  const option = ask.options?.find(({ id }) => id === selected);
  if (option === undefined) return actionLook(ask, action);
  return { label: visibleText(option.label), style: option.style ?? "default" };
}

/** Every platform's buttons take this much, with the dots of a button that asks for more. */
const ACTION_LABEL_MAX = 60;

/** A label that is too long is left out whole: cut off, it could say something else. */
function actionLook(ask: Ask, action: string): Look {
  const shown = shownActions(ask).find(({ id }) => id === action);
  if (shown === undefined) return { label: action, style: "default" };
  const { word, style } = shown;
  const label = visibleText(shown.label);
  return { label: label.length > ACTION_LABEL_MAX ? word : label, style };
}
