import { appendFileSync } from "node:fs";

/** Stands for the payment. */
export function pay(order: string, amount: number): string {
  appendFileSync(process.env["LEDGER"] ?? "ledger.txt", `${order} ${amount}\n`);
  return `refunded ${order}`;
}
