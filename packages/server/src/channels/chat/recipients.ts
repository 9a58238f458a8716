/** Who a message to a chat is for: a chat that the operator allows, or a linked account of a person. */

import type { Engine } from "../../engine/engine.ts";
import { emailAccountId, isAway, type Person } from "../../kernel/people/person.ts";
import { mayBeTold } from "../../kernel/platform.ts";
import type { DeliveryFailed } from "../delivery.ts";
import type { ChatBot } from "./bot.ts";
import type { ChatTarget } from "./platform.ts";

export interface RecipientParts {
  readonly engine: Engine;
  /** The person who is on call now; `undefined`: `to` names no rota. */
  readonly onCall: (to: string) => Promise<string | undefined>;
}

export async function targetOf(
  workspace: string,
  to: string | undefined,
  { name, platform }: ChatBot,
  { engine, onCall }: RecipientParts,
): Promise<ChatTarget | DeliveryFailed> {
  if (to === undefined) return failed("no_recipient");
  const named = (await onCall(to)) ?? to;
  const person = await personNamed(workspace, named, engine);
  if (person === null) return failed("recipient_not_found");
  if (person === undefined)
    return mayBeTold(engine.platform.notify, name, to)
      ? { kind: "chat", chat: to }
      : failed("recipient_not_allowed");
  const account = person.accounts.find((one) => one.platform === platform.kind);
  if (account === undefined) return failed("no_account");
  const { tenant, userId } = account;
  return { kind: "account", userId, ...(tenant === undefined ? {} : { tenant }) };
}

/**
 * `undefined`: it names no person. `null`: it names one who is not there or suspended. The delegate of somebody who is away is
 * told instead.
 */
async function personNamed(
  workspace: string,
  to: string,
  { store, clock }: Engine,
): Promise<Person | null | undefined> {
  const find = async (id: string) =>
    (await store.load([{ workspace, kind: "person", id, read: true }]))[0]?.body;
  const [account] = await store.load([{ workspace, kind: "account", id: emailAccountId(to), read: true }]);
  const isNamed = to.startsWith("person:") || to.startsWith("team:");
  const person = await find(account?.body.personId ?? to.replace(/^person:/, ""));
  if (person === undefined) return isNamed ? null : undefined;
  const delegate = isAway(person, clock.now()) ? person.absence?.delegate : undefined;
  const told = delegate === undefined ? person : await find(delegate);
  return told?.status === "active" ? told : null;
}

function failed(error: string): DeliveryFailed {
  return { kind: "failed", error, retry: false };
}
