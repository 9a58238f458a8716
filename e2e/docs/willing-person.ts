/** Somebody who says yes to whatever waits, so that what a page shows can come to its end. */

import { fieldsOf, type JsonObject, visibleFields } from "@holdpoint/protocol/rules";
import { type Hold, Holdpoint, isTerminalError } from "@holdpoint/sdk";

const YES: Readonly<Record<string, string>> = {
  approval: "approve",
  selection: "select",
  confirmation: "confirm",
  escalation: "retry",
  input: "submit",
};
const VALUES: Readonly<Record<string, string | number | boolean>> = {
  ...{ number: 1, range: 1, boolean: true, date: "2026-12-01", email: "ada@example.com" },
  url: "https://example.com",
};

export class WillingPerson implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #working: Promise<void>;

  constructor(url: string, apiKey: string) {
    this.#working = this.#work(new Holdpoint({ url, apiKey }));
  }

  async #work(hp: Holdpoint): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const { holds } = await hp.list({ status: "open" });
      for (const { id } of holds) {
        const hold = await hp.get(id);
        const said = hp.answer(id, { action: yesTo(hold), data: dataFor(hold) });
        // Somebody else was faster.
        await said.catch((error: unknown) => (isTerminalError(error) ? undefined : Promise.reject(error)));
      }
      // The next question changes the list; until then there is nothing to look at.
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#working.catch(() => undefined);
  }
}

function yesTo({ type, actions }: Hold): string {
  return YES[type] ?? actions[0]?.id ?? "submit";
}

function dataFor({ type, options = [], select, form }: Hold): JsonObject {
  if (type === "selection") return { selected: options.slice(0, select?.min ?? 1).map(({ id }) => id) };
  if (form === undefined) return {};
  let data: JsonObject = {};
  for (const { key } of fieldsOf(form)) {
    const field = visibleFields(form, data).find((shown) => shown.key === key);
    if (field === undefined) continue;
    const [first] = field.options ?? [];
    data = { ...data, [key]: first?.value ?? VALUES[field.type] ?? "yes" };
  }
  return data;
}
