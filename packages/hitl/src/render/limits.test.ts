import { byteLength } from "@holdpoint/protocol/chat";
import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import { isObject } from "@holdpoint/protocol/rules";
import * as fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { caseBook, type Listed } from "../agent/case-book.ts";
import { INLINE, REVIEW_TOKEN, reviewWith, SUBMIT_TOKEN } from "../testing/reviews.ts";
import { DISCORD_LIMITS, discord } from "./discord.ts";
import { fit, withLink } from "./fit.ts";
import { SLACK_LIMITS, slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { TELEGRAM_LIMITS, telegram } from "./telegram.ts";
import { WHATSAPP_LIMITS, whatsapp } from "./whatsapp.ts";

/** Every object anywhere in a payload. */
function objectsIn(value: Json): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

const textsOf = (payload: Json, member: string): readonly string[] =>
  objectsIn(payload).flatMap((object) => (typeof object[member] === "string" ? [object[member]] : []));

/** Long ones as often as short ones: the limits are what is being tested. */
const long = { size: "max" } as const;
const ID_CHARACTERS = [..."ABCXYZabcxyz0189_-"];
const prompt = fc
  .string({ unit: "grapheme", maxLength: 500, ...long })
  .filter((text) => [...text].length <= 500);
const message = fc.string({ unit: "grapheme", minLength: 1, maxLength: 6_000, ...long });
const caseId = fc.string({
  unit: fc.constantFrom(...ID_CHARACTERS),
  minLength: 1,
  maxLength: 2_500,
  ...long,
});
const type = fc.constantFrom("approval", "selection", "input", "confirmation", "escalation", "x-own");
const titles = fc.array(fc.string({ unit: "grapheme", maxLength: 400, ...long }), { maxLength: 20 });

const listedCase = fc.record({ prompt, message, caseId, type, titles }).map((one) => {
  const url = `https://shop.example/review/r?token=${REVIEW_TOKEN}`;
  const form = { steps: one.titles.map((title) => ({ title, fields: [] })) };
  return reviewWith(
    {
      ...INLINE,
      ...(one.type === "approval" ? { inline_actions: ["approve", "reject"] } : {}),
      prompt: one.prompt,
      case_id: one.caseId,
      type: one.type,
      review_url: url,
      context: { form },
    },
    one.message,
  );
});

async function everyCase(check: (listed: Listed) => void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(listedCase, async (review) => check(await caseBook().add(review))),
    { numRuns: inject("isFull") ? 150 : 40, seed: 7 },
  );
}

describe("limits of the messengers", () => {
  test("HP-216 Telegram gets at most 64 bytes of data, 64 characters on a button and 4096 in the text", async () => {
    expect(TELEGRAM_LIMITS).toEqual({ text: 4096, buttonText: 64, callbackDataBytes: 64 });
    await everyCase((listed) => {
      const payload = telegram.render(listed);
      for (const data of textsOf(payload, "callback_data")) expect(byteLength(data)).toBeLessThanOrEqual(64);
      const [text, ...labels] = textsOf(payload, "text");
      expect(text?.length).toBeLessThanOrEqual(4096);
      for (const label of labels) expect(label.length).toBeLessThanOrEqual(64);
    });
  });

  test("HP-216 Slack gets at most 2000 characters of value, 75 on a button, 25 buttons and 3000 in a section", async () => {
    expect(SLACK_LIMITS).toMatchObject({ value: 2000, buttonText: 75, buttons: 25, sectionText: 3000 });
    await everyCase((listed) => {
      const payload = slack.render(listed);
      for (const value of textsOf(payload, "value")) expect(value.length).toBeLessThanOrEqual(2000);
      for (const text of textsOf(payload, "text")) expect(text.length).toBeLessThanOrEqual(3000);
      for (const id of textsOf(payload, "action_id")) expect(id.length).toBeLessThanOrEqual(255);
      for (const block of objectsIn(payload).filter((one) => one["type"] === "actions"))
        expect((block["elements"] as Json[]).length).toBeLessThanOrEqual(25);
      for (const button of objectsIn(payload).filter((one) => one["type"] === "button"))
        expect(textsOf(button["text"]!, "text")[0]?.length).toBeLessThanOrEqual(75);
    });
  });

  test("HP-216 Discord gets at most 100 characters of id, 80 on a button, 40 buttons in rows of 5 and 2000 in the text", async () => {
    expect(DISCORD_LIMITS).toMatchObject({ customId: 100, label: 80, buttons: 40, perRow: 5, content: 2000 });
    await everyCase((listed) => {
      const payload = discord.render(listed);
      for (const id of textsOf(payload, "custom_id")) expect(id.length).toBeLessThanOrEqual(100);
      for (const label of textsOf(payload, "label")) expect(label.length).toBeLessThanOrEqual(80);
      for (const url of textsOf(payload, "url")) expect(url.length).toBeLessThanOrEqual(512);
      expect(textsOf(payload, "content")[0]?.length).toBeLessThanOrEqual(2000);
      const rows = payload["components"] as JsonObject[];
      for (const row of rows) expect((row["components"] as Json[]).length).toBeLessThanOrEqual(5);
      expect(objectsIn(rows).filter((one) => one["type"] === 2).length).toBeLessThanOrEqual(40);
    });
  });

  test("HP-216 WhatsApp gets at most 256 characters of id, 20 on a button, 3 buttons and 1024 in the body", async () => {
    expect(WHATSAPP_LIMITS).toEqual({ replyId: 256, title: 20, buttons: 3, bodyText: 1024, text: 4096 });
    await everyCase((listed) => {
      const payload = whatsapp.render(listed);
      for (const id of textsOf(payload, "id")) expect(id.length).toBeLessThanOrEqual(256);
      for (const title of textsOf(payload, "title")) expect(title.length).toBeLessThanOrEqual(20);
      const buttons = objectsIn(payload).filter((one) => one["type"] === "reply");
      expect(buttons.length).toBeLessThanOrEqual(3);
      for (const text of textsOf(payload, "text")) expect(text.length).toBeLessThanOrEqual(1024);
      for (const body of textsOf(payload, "body")) expect(body.length).toBeLessThanOrEqual(4096);
    });
  });

  test("HP-220 the whole link is in every message, cut or not", async () => {
    await everyCase((listed) => {
      for (const messenger of [telegram, slack, discord, whatsapp, teams])
        expect(JSON.stringify(messenger.render(listed))).toContain(
          JSON.stringify(listed.review.reviewUrl).slice(1, -1),
        );
    });
  });

  test("HP-215 the submit token is in no message of any kind", async () => {
    await everyCase((listed) => {
      expect(listed.review.inline?.token).toBe(SUBMIT_TOKEN);
      for (const messenger of [telegram, slack, discord, whatsapp, teams])
        expect(JSON.stringify(messenger.render(listed, "reminder"))).not.toContain(SUBMIT_TOKEN);
    });
  });

  test("HP-216 a link that is too long for a button is put into the text, and one that is too long for both is an error", async () => {
    const long = (chars: number) =>
      caseBook().add(
        reviewWith({ ...INLINE, review_url: `https://shop.example/?token=${"t".repeat(chars)}` }),
      );
    const listed = await long(600);
    const payload = discord.render(listed);
    expect(textsOf(payload, "url")).toEqual([]);
    expect(payload["content"]).toContain(listed.review.reviewUrl);
    const longer = await long(1_200);
    expect(whatsapp.render(longer)).toMatchObject({ type: "text" });
    expect(whatsapp.render(await long(600))).toMatchObject({ type: "interactive" });
    const tooLong = await long(5_000);
    for (const messenger of [slack, discord, whatsapp])
      expect(() => messenger.render(tooLong)).toThrow("too long");
  });
});

describe("fitting text", () => {
  test("a text that is too long is cut between characters and ends in an ellipsis", () => {
    expect(fit("abc", 3)).toBe("abc");
    expect(fit("abcd", 3)).toBe("ab…");
    expect(fit("ab cd", 4)).toBe("ab…");
    expect(fit("😀😀😀", 4)).toBe("😀…");
    expect(fit("abc", 0)).toBe("");
  });

  test("a text is measured after it was encoded", () => {
    const doubled = (text: string) => text.replaceAll("*", "\\*");
    expect(fit("***", 6, doubled)).toBe("\\*\\*\\*");
    expect(fit("****", 6, doubled)).toBe("\\*\\*…");
  });

  test("a link is kept whole, and the text before it is cut", () => {
    expect(withLink("a long text before it", "https://a/b", 30)).toBe("a l…\n\nDecide here: https://a/b");
    expect(() => withLink("x", "https://a/b", 10)).toThrow("too long");
  });
});
