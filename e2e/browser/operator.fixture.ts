/** A signed-in operator in the inbox, for tests of what goes wrong there. Everything placed is cancelled after each test. */

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { stage } from "./shared.ts";
import { ASKS, DESKTOP, goInConsole, type Placed, type Stage } from "./support.ts";

export let on: Stage;
let signed: Page | undefined;
const placed: Placed[] = [];

/** Call it once in a test file. */
export function withOperator(): void {
  beforeAll(async () => {
    on = await stage();
    await on.call("POST", "/v1/people", { id: "kim", name: "Kim Lee" });
  });
  afterAll(async () => {
    // Files of one process share this module.
    forgetPage();
    await on?.[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    await Promise.all(placed.splice(0).map(({ id }) => on.call("POST", `/v1/holds/${id}/cancel`, {})));
  });
}

/** Ada signs in once; the next test continues on that page, in the inbox, with so many seconds to take an answer back. */
export async function signedIn(undoSeconds: number): Promise<Page> {
  if (signed === undefined) {
    signed = await on.page(DESKTOP);
    await on.signIn(signed);
  }
  await signed.evaluate((seconds) => {
    localStorage.clear();
    localStorage.setItem("holdpoint.undo-seconds", String(seconds));
  }, undoSeconds);
  await goInConsole(signed, "/console");
  await signed.getByRole("heading", { name: "Inbox" }).waitFor();
  return signed;
}

/** The next test signs in on a new page. */
export function forgetPage(): void {
  signed = undefined;
}

export async function place(prompt: string, more: object = {}): Promise<Placed> {
  const hold = await on.place({ ...ASKS.approval, prompt, ...more });
  placed.push(hold);
  return hold;
}

export const look = (page: Page) => page.getByRole("region", { name: "Selected" });
export const onTheirWay = (page: Page) => page.getByRole("region", { name: "Answers on their way" });
export const unsent = (page: Page) => page.getByRole("region", { name: "Answers that were not sent" });
