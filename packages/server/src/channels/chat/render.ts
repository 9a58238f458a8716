/** Makes the card of one message from the hold as it is now. */

import type { Card } from "@holdpoint/protocol/chat";
import type { EntityOf } from "../../domains.ts";
import type { Engine } from "../../engine/engine.ts";
import { briefCard, cardOf, type Names, peopleIn } from "../../kernel/chat/card.ts";
import type { ChatMessage } from "../../kernel/chat/chat.ts";
import {
  askOf,
  type ChatManner,
  type ChatPlan,
  NOTES,
  planBrief,
  planMessage,
} from "../../kernel/chat/plan.ts";
import type { Hold } from "../../kernel/hold/hold.ts";
import { emailAccountId } from "../../kernel/people/person.ts";
import type { Redact } from "../../system/redact.ts";
import type { ChatBot } from "./bot.ts";
import { redactAsk, redactCard } from "./way-out.ts";

export interface RenderParts {
  readonly engine: Engine;
  readonly redact: Redact;
}

export interface Occasion {
  readonly isReminder: boolean;
}

/** A message to send: its buttons are stored before the card leaves. */
export interface Drafted {
  readonly buttons: ChatPlan["buttons"];
  card(message: Pick<ChatMessage, "id" | "buttons">): Promise<Card>;
}

/** How much of the question a message shows that is too long. */
const BRIEF_PROMPT = 300;

export async function draftMessage(
  { body: hold, workspace }: EntityOf<"hold">,
  bot: ChatBot,
  occasion: Occasion,
  { engine, redact }: RenderParts,
): Promise<Drafted> {
  const { clock, platform } = engine;
  const names = await namesIn(hold, workspace, engine);
  const { ask, isRedacted } = await redactAsk(askOf(hold), redact);
  const shown = { ...hold, ask };
  const plan = planMessage(
    shown,
    mannerOf(bot, platform.grantMaxMs),
    isRedacted || hides(bot, hold),
    clock.now(),
  );
  const parts = { hold: shown, ask, isFull: bot.isFull, ...occasion, names };
  const whole = async (message: Pick<ChatMessage, "id" | "buttons">, { notes }: ChatPlan) =>
    redactCard(cardOf({ ...parts, message, notes }), redact);
  const probe = await whole({ id: "x".repeat(32), buttons: plan.buttons }, plan);
  if (bot.platform.fits(probe)) return { buttons: plan.buttons, card: (message) => whole(message, plan) };
  const brief = planBrief(shown, clock.now());
  return {
    buttons: brief.buttons,
    card: async (message) => briefCard(await whole(message, brief), BRIEF_PROMPT),
  };
}

/** The card of a message that was sent before, as it must look now. Its buttons stay what they were. */
export async function redraw(
  { body: hold, workspace }: EntityOf<"hold">,
  message: ChatMessage,
  bot: ChatBot,
  occasion: Occasion,
  { engine, redact }: RenderParts,
): Promise<Card> {
  const names = await namesIn(hold, workspace, engine);
  const { ask, isRedacted } =
    hold.ask === null ? { ask: null, isRedacted: false } : await redactAsk(hold.ask, redact);
  const isHidden = isRedacted || hides(bot, hold);
  const canDecide = message.buttons.some(({ kind }) => kind !== "details" && kind !== "snooze");
  const notes = [...(isHidden ? [NOTES.withheld] : []), ...(canDecide ? [] : [NOTES.page])];
  const parts = { hold, ask, message, notes, isFull: bot.isFull, ...occasion, names };
  const card = await redactCard(cardOf(parts), redact);
  if (bot.platform.fits(card)) return card;
  // Votes or an ending made it too long. Without the whole question nobody may decide here.
  const brief = briefCard(card, BRIEF_PROMPT);
  const leading = message.buttons.flatMap(({ kind }, at) => (kind === "details" ? [at] : []));
  const left = brief.buttons.filter((_button, at) => leading.includes(at));
  return { ...brief, notes: brief.state.kind === "open" ? [NOTES.long] : [], buttons: left };
}

function hides({ isFull }: ChatBot, { ask }: Hold): boolean {
  return !isFull && Object.keys(ask?.context ?? {}).length > 0;
}

function mannerOf({ platform: { limits }, isAlways }: ChatBot, grantMaxMs: number): ChatManner {
  const { buttons, buttonLabel, dialogFields } = limits;
  return { isAlways, grantMaxMs, buttons, buttonLabel, dialogFields };
}

/** The names of people whom the card mentions, by their id or by the address that a link was sent to. */
export async function namesIn(
  hold: Hold,
  workspace: string,
  { store }: Pick<Engine, "store">,
): Promise<Names> {
  const mentioned = peopleIn(hold);
  if (mentioned.length === 0) return {};
  const accounts = await store.load(
    mentioned.map((name) => ({
      workspace,
      kind: "account" as const,
      id: emailAccountId(name),
      read: true as const,
    })),
  );
  const owners = new Map(accounts.map(({ id, body }) => [id, body.personId]));
  const idOf = (name: string) => owners.get(emailAccountId(name)) ?? name.replace(/^person:/, "");
  const people = await store.load(
    [...new Set(mentioned.map(idOf))].map((id) => ({
      workspace,
      kind: "person" as const,
      id,
      read: true as const,
    })),
  );
  const byId = new Map(people.map(({ id, body }) => [id, body.name]));
  return Object.fromEntries(
    mentioned.flatMap((name) => {
      const known = byId.get(idOf(name));
      return known === undefined ? [] : [[name, known]];
    }),
  );
}
