import { Holdpoint } from "@holdpoint/sdk";

/** Asks, and gives the id of the hold. A repeat finds the same hold. */
export async function ask(order: string, amount: number, bell?: string): Promise<string> {
  const prompt = `Refund ${amount} EUR for order ${order}?`;
  const metadata = bell === undefined ? {} : { metadata: { bell } };
  return (await new Holdpoint().place({ key: `refund:${order}`, type: "approval", prompt, ...metadata })).id;
}

/** Reads what became of the hold; `null`: nobody has decided yet. The payment is made once, however often this is repeated. */
export async function settle(holdId: string, order: string): Promise<string | null> {
  const hp = new Holdpoint();
  const outcome = await hp.outcome(holdId);
  if (outcome.kind === "pending") return null;
  if (outcome.kind !== "decided" || outcome.action !== "approve") return `not refunded: ${outcome.kind}`;
  return hp.runOnce(outcome, () => `refunded ${order}`);
}
