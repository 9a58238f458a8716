/** Every kind of message of one platform on one page: each ask, short, long, redacted, with votes and closed. */

import type { ChatDriver, Shown } from "./chat-driver.ts";
import { type ChatStage, type ChatStageOptions, chatStage } from "./chat-stage.ts";
import { escaped } from "./message-html.ts";

interface Scene {
  readonly title: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly options?: ChatStageOptions;
  /** What happens before the picture is taken. */
  readonly after?: (at: ChatStage, message: Shown, id: string) => Promise<unknown>;
}

const DIFF = { diff: { before: "amount: 10\ncurrency: EUR", after: "amount: 40\ncurrency: EUR" } };
const TWO = { approve: [{ need: 2, from: ["team:finance"] }], strength: "account" };
const REFUND = { prompt: "Refund 40 EUR to Bob?", context: { order: "o-1", amount: 40, ...DIFF } };

const SCENES: readonly Scene[] = [
  { title: "Approval", body: { ...REFUND, timeout: "2h" } },
  {
    title: "Selection",
    body: {
      type: "selection",
      prompt: "Where should the copy be kept?",
      options: [
        { id: "eu", label: "Europe", description: "Frankfurt, 12 ms" },
        { id: "us", label: "America" },
      ],
      select: { max: 1 },
    },
  },
  {
    title: "Input",
    body: {
      type: "input",
      prompt: "Which city?",
      form: { fields: [{ key: "city", label: "City", type: "text", required: true }] },
    },
  },
  { title: "Confirmation", body: { type: "confirmation", prompt: "Send 1,204 letters now?" } },
  {
    title: "Escalation",
    body: { type: "escalation", prompt: "The payment failed three times: card_declined." },
  },
  {
    title: "Too long for a chat",
    body: { prompt: "Publish the report?", context: { report: "A line of it.\n".repeat(2000) } },
  },
  {
    title: "Something was redacted",
    body: { prompt: "Pay with card 4111 1111 1111 1111?" },
    options: { redact: ["\\d{4} \\d{4} \\d{4} \\d{4}"] },
  },
  { title: "Context not shown here", body: REFUND, options: { bot: { isFull: false } } },
  {
    title: "One of two votes",
    body: { ...REFUND, decision: TWO },
    after: async (at, message) => {
      await at.chat.press("ada", message, "Approve").told;
      await at.when(() => at.now(message).text.includes("1 of 2"));
    },
  },
  {
    title: "Approved",
    body: REFUND,
    after: async (at, message) => {
      await at.chat.press("ada", message, "Approve").told;
      await at.closed(message);
    },
  },
  {
    title: "Expired",
    body: { ...REFUND, timeout: "10m", on_timeout: "reject" },
    after: async (at, message) => {
      await at.at.clock.advance(600_000);
      await at.closed(message);
    },
  },
  {
    title: "Withdrawn",
    body: REFUND,
    after: async (at, message, id) => {
      await at.at.call("POST", `/v1/holds/${id}/cancel`, { key: at.at.keys.agent, body: {} });
      await at.closed(message);
    },
  },
];

export interface Picture {
  readonly title: string;
  readonly html: string;
  readonly shown: Shown;
}

/** Takes each scene with a server and a platform of its own. */
export async function pictures(
  driver: (now: () => number) => Promise<ChatDriver>,
): Promise<readonly Picture[]> {
  const taken: Picture[] = [];
  for (const { title, body, options, after } of SCENES) {
    await using at = await chatStage(driver, options);
    const id = await at.place(body);
    const message = await at.nth(body["decision"] === undefined ? "group" : "ada", 1);
    await after?.(at, message, id);
    taken.push({ title, html: at.chat.draw(message), shown: at.now(message) });
  }
  return taken;
}

export function galleryPage(platform: string, taken: readonly Picture[]): string {
  const figures = taken.map(
    ({ title, html }) => `<figure><figcaption>${escaped(title)}</figcaption>${html}</figure>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(platform)}</title>
<style>${STYLE}</style><h1>${escaped(platform)}</h1><main>${figures.join("")}</main></html>`;
}

const STYLE = `
body { font: 15px/1.45 system-ui, sans-serif; margin: 24px; background: #eef1f4; color: #1c1f23 }
h1 { font-size: 22px } main { columns: 3 380px; column-gap: 20px }
figure { break-inside: avoid; margin: 0 0 20px } figcaption { font-weight: 600; margin-bottom: 6px; color: #525a63 }
article { background: #fff; border: 1px solid #d5dae0; border-radius: 10px; padding: 12px; overflow-wrap: anywhere }
article.discord { background: #f7f7fa } .embed { border-left: 4px solid; padding-left: 12px }
h2 { font-size: 16px; margin: 0 0 6px } p { margin: 6px 0 } .small { color: #6a737d; font-size: 13px }
pre { background: #f1f3f5; border-radius: 6px; padding: 8px; margin: 6px 0; white-space: pre-wrap; font-size: 13px }
.row { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 8px }
button { font: inherit; padding: 6px 12px; border-radius: 6px; border: 1px solid #b9c0c8; background: #fff; color: #1c1f23 }
article.telegram .row { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr }
button.primary { background: #1a7f4b; border-color: #1a7f4b; color: #fff }
button.danger { background: #b3261e; border-color: #b3261e; color: #fff }
`;
