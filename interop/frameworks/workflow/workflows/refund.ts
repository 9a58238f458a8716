import { Holdpoint, isTerminalError } from "@holdpoint/sdk";
import { createHook, FatalError } from "workflow";
import { pay } from "../pay.ts";

export async function refund(order: string, amount: number) {
  "use workflow";
  const bell = createHook<string>({ token: `refund:${order}` });
  const holdId = await ask(order, amount);
  await bell;
  return settle(holdId, order, amount);
}

async function ask(order: string, amount: number) {
  "use step";
  const prompt = `Refund ${amount} EUR for order ${order}?`;
  return (await new Holdpoint().place({ key: `refund:${order}`, type: "approval", prompt })).id;
}

/** The bell says that something has happened. What, is read here, and the payment is made once however often this step is repeated. */
async function settle(holdId: string, order: string, amount: number) {
  "use step";
  const hp = new Holdpoint();
  const outcome = await hp.hold(holdId).wait();
  if (outcome.kind !== "decided" || outcome.action !== "approve") return `not refunded: ${outcome.kind}`;
  try {
    return await hp.runOnce(outcome, () => pay(order, amount));
  } catch (error) {
    // Repeating the step would not help: a person has to look whether it ran.
    throw isTerminalError(error) ? new FatalError(error.message) : error;
  }
}
