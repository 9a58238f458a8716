/** The agent under test: it asks before it refunds, and takes what a person changed. */

import type { Holdpoint } from "@holdpoint/sdk";
import * as z from "zod";

const Refund = z.object({ cents: z.number().int().positive() });

export interface Bank {
  pay(order: string, cents: number): Promise<string>;
}

export async function refund(hp: Holdpoint, bank: Bank, order: string, cents: number): Promise<string> {
  const approved = await hp.approve(`Refund ${cents / 100} EUR for order ${order}?`, {
    key: `refund:${order}`,
    context: { order, cents },
    responseSchema: Refund,
    timeout: "2h",
  });
  if (!approved) return "refused";
  return approved.runOnce((edited) => bank.pay(order, edited?.cents ?? cents));
}
