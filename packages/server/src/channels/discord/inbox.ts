/** What the Gateway brings, to its handler, and what the handler says, to the one person who acted (P4). */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Clock } from "../../system/clock.ts";
import { answerText } from "../chat/answer-text.ts";
import type { ChatAnswer, ChatHandlers } from "../chat/platform.ts";
import { type Incoming, type Interaction, MODAL } from "./read.ts";
import { EPHEMERAL, renderChoice, renderModal, renderPrivate } from "./render.ts";
import type { DiscordApi } from "./rest.ts";
import type { DiscordSender } from "./sender.ts";

/** Discord waits three seconds for the first answer. */
const ANSWER_MS = 2_000;

/** Types of the first answer to an interaction. */
const MESSAGE = 4;
const NOTHING = 6;
const UPDATE = 7;
const DIALOG = 9;

export interface DiscordInboxParts {
  readonly api: DiscordApi;
  readonly sender: DiscordSender;
  readonly clock: Clock;
  readonly handlers: ChatHandlers;
}

type Acted = Exclude<Incoming, { kind: "direct" }>;

export async function onIncoming(incoming: Incoming, parts: DiscordInboxParts): Promise<void> {
  const { handlers, sender } = parts;
  if (incoming.kind !== "direct") return onInteraction(incoming, parts);
  const { id, text, by, chat } = incoming;
  const said = answerText(await handlers.onDirect({ id, text, by }));
  if (said !== undefined) await sender.post(chat, renderPrivate(said));
}

async function onInteraction(incoming: Acted, { api, clock, handlers }: DiscordInboxParts): Promise<void> {
  const { interaction } = incoming;
  // A commit that takes long must not look to the person as if the press had failed.
  let early: Promise<unknown> | undefined;
  const cancel = clock.at(clock.now() + ANSWER_MS, () => {
    early = respond(api, interaction, { type: NOTHING });
  });
  try {
    const answer = await answerTo(incoming, handlers);
    cancel();
    if (early === undefined) await respond(api, interaction, firstAnswer(incoming, answer));
    else await early.then(() => followUp(api, interaction, answer));
  } finally {
    cancel();
  }
}

function answerTo(incoming: Acted, handlers: ChatHandlers): Promise<ChatAnswer> {
  const { by, interaction } = incoming;
  const { id } = interaction;
  return incoming.kind === "press"
    ? handlers.onPress({ id, button: incoming.button, message: incoming.message, by })
    : handlers.onReply({ id, to: { question: incoming.question }, values: incoming.values, by });
}

function respond(api: DiscordApi, { id, token }: Interaction, body: JsonObject): Promise<unknown> {
  const options = { lane: `interaction ${id}`, withoutToken: true } as const;
  return api.call("POST", `/interactions/${id}/${token}/callback`, body, options);
}

/** The first answer is given already; what is left to say follows by the interaction's token. */
async function followUp(api: DiscordApi, interaction: Interaction, answer: ChatAnswer): Promise<void> {
  const body = bodyOf(answer);
  if (body === undefined) return;
  const { application, token, id } = interaction;
  const options = { lane: `interaction ${id}`, withoutToken: true } as const;
  await api.call("POST", `/webhooks/${application}/${token}`, { ...body, flags: EPHEMERAL }, options);
}

function firstAnswer(incoming: Acted, answer: ChatAnswer): JsonObject {
  // A modal cannot follow a modal.
  if (answer.kind === "ask" && answer.question.fields.length > 0 && incoming.kind === "press") {
    return { type: DIALOG, data: renderModal(answer.question, `${MODAL}${answer.question.id}`) };
  }
  const body = bodyOf(answer);
  if (body === undefined) return { type: NOTHING };
  // A private message with buttons, such as a question, is replaced: its buttons have served.
  const isPrivate = incoming.kind === "press" && incoming.isEphemeral;
  return isPrivate
    ? { type: UPDATE, data: { components: [], ...body } }
    : { type: MESSAGE, data: { ...body, flags: EPHEMERAL } };
}

function bodyOf(answer: ChatAnswer): JsonObject | undefined {
  if (answer.kind === "ask" && answer.question.fields.length === 0) return renderChoice(answer.question);
  const text = answerText(answer);
  return text === undefined ? undefined : renderPrivate(text);
}
