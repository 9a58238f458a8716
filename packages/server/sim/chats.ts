/** People who answer in a chat: at once, twice, from an old screen, in the wrong place, for somebody else. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { CHAT } from "./chat-app.ts";
import { AGENT, type Simulation, VOTERS } from "./simulation.ts";
import type { Deed } from "./workload.ts";

/** Nobody linked this one's account to a person. */
export const STRANGER = "stranger";

export function accountOf(person: string): string {
  return `user-of-${person}`;
}
const DAY = 86_400_000;

const LADDERS = [
  [{ after: "0s", channel: CHAT }],
  [
    { after: "0s", channel: CHAT },
    { after: "5m", channel: CHAT, to: "person:vera" },
  ],
  [{ after: "0s", channel: CHAT, to: "team:board" }],
] as const;

/** Whatever is asked follows from the number, because the same key must ask the same thing. */
export const placeInChat: Deed = async (sim) => {
  const number = sim.random.int(0, 60);
  const key = `chat:${number}`;
  const body = {
    ...{ key, type: "approval", prompt: `Do ${key}?`, ladder: LADDERS[number % LADDERS.length] },
    ...(number % 4 === 0 ? { timeout: "10m", on_timeout: "reject" } : {}),
    ...(number % 5 === 0 ? { decision: { approve: [{ need: 2, from: ["team:board"] }], reject: 2 } } : {}),
  };
  const reply = await sim.call("POST", "/v1/holds", AGENT, body);
  if (reply === null || reply.status > 201) return;
  const { id, outcome } = reply.body;
  if (!sim.ledger.placed.has(key)) sim.ledger.placed.set(key, { key, id, callback: false });
  sim.ledger.sawOutcome(id, outcome);
};

export const pressInChat: Deed = async (sim) => {
  const { random, chat, clock } = sim;
  // People mostly see what is new.
  const message = random.chance(0.7) ? chat.shown.at(-1) : chat.shown[random.int(0, chat.shown.length - 1)];
  const button = message?.offered[random.int(0, message.offered.length - 1)]?.id;
  if (message === undefined || button === undefined) return;
  const users = random.chance(0.3) ? Object.keys(VOTERS).map(accountOf) : [somebody(sim)];
  const elsewhere = random.chance(0.05) ? { chat: "#elsewhere", message: "1" } : undefined;
  const pressed = users.map((user) => chat.press(user, message, button, clock.now(), elsewhere));
  if (random.chance(0.5)) pressed.push(...pressedAgain(sim));
  await handled(pressed);
};

/** A reason for a "no", or the words of somebody who was not asked. */
export const replyInChat: Deed = async (sim) => {
  const { random, chat, clock } = sim;
  if (chat.questions.length === 0) return;
  const number = random.chance(0.7) ? chat.questions.length - 1 : random.int(0, chat.questions.length - 1);
  const asked = chat.questions[number]?.act.user ?? accountOf(STRANGER);
  const user = random.chance(0.8) ? asked : somebody(sim);
  await handled([chat.reply(user, number, "because", clock.now())]);
};

function somebody({ random }: Simulation): string {
  return accountOf(random.pick([...Object.keys(VOTERS), STRANGER]));
}

function pressedAgain({ random, chat, clock }: Simulation): readonly Promise<void>[] {
  const recent = chat.acts.slice(-10).filter(({ at }) => Math.abs(clock.now() - at) < DAY);
  return recent.filter(() => random.chance(0.4)).map((act) => chat.deliver(act));
}

/** Somebody comes back to the chat and presses whatever is left, so that copies come to light which no server knows of. */
export function pressLeftovers({ chat, clock }: Simulation): Promise<void> {
  const left = chat.shown.filter(({ card }) => card.buttons.length > 0);
  return handled(
    left.map((message) => chat.press(accountOf("vera"), message, message.offered[0]?.id ?? "", clock.now())),
  );
}

const TURNS_MAX = 30;

/** A press may have to wait for the clock, so it goes on by itself after some turns. */
async function handled(presses: readonly Promise<void>[]): Promise<void> {
  let isDone = false;
  void Promise.all(presses).then(() => {
    isDone = true;
  });
  for (let turns = 0; turns < TURNS_MAX && !isDone; turns += 1) await nextTurn();
}
