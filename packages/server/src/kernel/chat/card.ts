/** Builds the card of a message: what it says, its buttons, the votes so far, and how the hold ended. */

import type { Card, CardBlock, CardButton, CardEnding } from "@holdpoint/protocol/chat";
import { type Ask, isGranting, member, visibleText } from "@holdpoint/protocol/rules";
import { tally } from "../decision/tally.ts";
import type { By, Hold, Outcome } from "../hold/hold.ts";
import { contextBlocks } from "./blocks.ts";
import type { ChatMessage } from "./chat.ts";
import { lookOf } from "./plan.ts";

/** The names of people by their id or address. */
export type Names = Readonly<Record<string, string>>;

export interface CardParts {
  readonly hold: Hold;
  /** The ask as it may leave the server; `null`: its content was erased. */
  readonly ask: Ask | null;
  readonly message: Pick<ChatMessage, "id" | "buttons">;
  readonly notes: readonly string[];
  /** Whether the context is shown. */
  readonly isFull: boolean;
  readonly isReminder: boolean;
  readonly names: Names;
}

const TITLES: Readonly<Record<string, string>> = {
  approval: "Approval needed",
  selection: "Choice needed",
  input: "Input needed",
  confirmation: "Confirmation needed",
  escalation: "Decision needed after a failure",
};

export function cardOf(parts: CardParts): Card {
  const { hold, ask, notes, isFull, isReminder, names } = parts;
  const title = member(TITLES, ask?.type ?? "") ?? "Answer needed";
  const isOpen = hold.status === "open";
  const votes = isOpen ? votesLine(hold, names) : undefined;
  return {
    title: isReminder ? `Reminder: ${title.toLowerCase()}` : title,
    askedBy: hold.createdBy,
    prompt: visibleText((ask?.prompt ?? "The content of this request was erased.").slice(0, SHOWN_MAX)),
    blocks: isFull ? shown([...optionBlocks(ask), ...contextBlocks(ask?.context)]) : [],
    notes: isOpen ? notes : [],
    ...(votes === undefined ? {} : { votes }),
    expiresAt: isOpen ? (hold.expiresAt ?? null) : null,
    state: hold.outcome === undefined ? { kind: "open" } : closedState(hold, hold.outcome, names),
    buttons: isOpen && ask !== null ? buttonsOf(ask, parts.message) : [],
  };
}

/** The beginning of the question only, for a message that would be too long. It has no deciding buttons. */
export function briefCard(card: Card, promptMax: number): Card {
  const characters = [...card.prompt];
  const prompt =
    characters.length <= promptMax ? card.prompt : `${characters.slice(0, promptMax).join("")} …`;
  return { ...card, prompt, blocks: [] };
}

/** The last copy of a message counts. An earlier one, whose reference was lost, only says so. */
export function strayCard(card: Card): Card {
  const text = "This copy is not used. Use the other message about this request.";
  const state =
    card.state.kind === "closed" ? card.state : ({ kind: "closed", ending: "cancelled", text } as const);
  const { votes: _votes, ...rest } = card;
  return { ...rest, blocks: [], notes: [], expiresAt: null, state, buttons: [] };
}

/** Nobody approves by a button what only looks harmless: unseen characters are marked, as on pages (G15). */
function shown(blocks: readonly CardBlock[]): readonly CardBlock[] {
  const length = blocks.reduce((sum, { label = "", text }) => sum + label.length + text.length, 0);
  if (length > SHOWN_MAX) return blocks;
  return blocks.map(({ label = "", style, text }) => ({
    label: visibleText(label),
    style,
    text: visibleText(text),
  }));
}

/** No platform's message is as long: such a card does not fit, and is sent in brief. To mark all of it would take long (G13). */
const SHOWN_MAX = 100_000;

function optionBlocks(ask: Ask | null): Card["blocks"] {
  return (ask?.options ?? []).flatMap(({ label, description }) =>
    description === undefined ? [] : [{ label, style: "plain" as const, text: description }],
  );
}

export function buttonId(messageId: string, index: number): string {
  return `${messageId}.${index}`;
}

/** The row and the number that a button names; `undefined`: it is none of ours. */
export function readButtonId(id: string): { readonly row: string; readonly index: number } | undefined {
  const [, row = "", index = ""] = /^([\w-]{8,60})\.(\d{1,3})$/.exec(id) ?? [];
  return row === "" ? undefined : { row, index: Number(index) };
}

function buttonsOf(ask: Ask, { id, buttons }: Pick<ChatMessage, "id" | "buttons">): readonly CardButton[] {
  const canDecide = buttons.some(({ kind }) => kind !== "details" && kind !== "snooze");
  return buttons.map((button, index) => ({ id: buttonId(id, index), ...lookOf(ask, button, canDecide) }));
}

const PAST: Readonly<Record<string, string>> = {
  approve: "Approved",
  edit: "Changes requested",
  reject: "Rejected",
  select: "Chosen",
  submit: "Answered",
  confirm: "Confirmed",
  cancel: "Cancelled",
  retry: "Retry chosen",
  skip: "Skipped",
  abort: "Aborted",
};

function past(action: string): string {
  return member(PAST, action) ?? `Answered with ${action}`;
}

function nameOf(person: string, names: Names): string {
  return member(names, person) ?? person;
}

/** "1 of 2 · Ada approved". */
function votesLine({ decision, votes = [], ask }: Hold, names: Names): string | undefined {
  if (decision === undefined || ask === null) return undefined;
  const { missing } = tally(decision, votes, ask);
  const need = decision.approve.reduce((sum, stage) => sum + stage.need, 0);
  const left = missing.reduce((sum, stage) => sum + stage.need - stage.given, 0);
  if (need === 1 && votes.length === 0) return undefined;
  const said = votes.map(({ person, action }) => `${nameOf(person, names)}: ${past(action).toLowerCase()}`);
  return [`${need - left} of ${need}`, ...said].join(" · ");
}

/** How a hold ended and by whom, in one sentence. */
export function endingText(hold: Hold, outcome: Outcome, names: Names): string {
  return closedState(hold, outcome, names).text;
}

type ClosedState = Extract<Card["state"], { readonly kind: "closed" }>;

/** G5: only what a person decided names a person. */
function closedState(hold: Hold, outcome: Outcome, names: Names): ClosedState {
  switch (outcome.kind) {
    case "expired": {
      const action = outcome.default?.action;
      const then = action === undefined ? "" : ` The agent goes on with “${action}”.`;
      return { kind: "closed", ending: "expired", text: `Expired: nobody answered in time.${then}` };
    }
    case "cancelled": {
      const name = outcome.cancelledBy.name;
      const who = name === undefined ? "" : ` by ${nameOf(name, names)}`;
      return { kind: "closed", ending: "cancelled", text: `Withdrawn${who}.` };
    }
    case "decided": {
      const isGranted = isGranting({ type: hold.ask?.type ?? "approval" }, outcome.action);
      const ending: CardEnding = isGranted ? "granted" : "refused";
      return { kind: "closed", ending, text: `${past(outcome.action)} ${whoOf(hold, outcome, names)}.` };
    }
  }
}

function whoOf(hold: Hold, { by, action }: Extract<Outcome, { kind: "decided" }>, names: Names): string {
  const voters = (hold.votes ?? []).filter((vote) => vote.action === action).map(({ person }) => person);
  if (voters.length > 1) return `by ${listed(voters.map((person) => nameOf(person, names)))}`;
  return byWhom(by, names);
}

function byWhom({ kind, id, name, givenTo }: By, names: Names): string {
  if (kind === "grant") return "by an earlier permission; nobody looked at this call";
  if (kind === "app") return `through the app ${name ?? id}`;
  const known = name === undefined ? undefined : member(names, name);
  if (known !== undefined && givenTo === undefined) return `by ${known}`;
  // An address is not shown to a group.
  if (kind === "link" || name === undefined) return "through a review link";
  return `by ${name}`;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Whose names a card may show: ids of people, and addresses that links were sent to. */
export function peopleIn({ votes = [], outcome }: Hold): readonly string[] {
  const by =
    outcome?.kind === "decided" ? outcome.by : outcome?.kind === "cancelled" ? outcome.cancelledBy : null;
  return [...new Set([...votes.map(({ person }) => person), ...(by?.name === undefined ? [] : [by.name])])];
}
