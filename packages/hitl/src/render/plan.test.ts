import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import { isObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { listed, REVIEWS } from "../testing/render-cases.ts";
import { INLINE, inlineReview, reviewWith } from "../testing/reviews.ts";
import { discord } from "./discord.ts";
import type { Messenger } from "./messenger.ts";
import { buttonsOf } from "./plan.ts";
import { slack } from "./slack.ts";
import { teams, teamsTask } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { whatsapp } from "./whatsapp.ts";

const actions = (members: JsonObject) => buttonsOf(inlineReview(members)).map((button) => button.action);
const proof = (members: JsonObject) => ({
  spec_version: "0.8",
  verification_policy: { mode: "required", required_for: ["inline_submit"], ...members },
});

describe("which actions become buttons", () => {
  test.each([
    ["confirmation", ["confirm", "cancel"]],
    ["escalation", ["retry", "skip", "abort"]],
    ["approval", []],
    ["selection", []],
    ["input", []],
    ["x-own", []],
  ])("HP-219 a review of type %s without inline_actions has these buttons: %j", (type, expected) => {
    expect(actions({ type })).toEqual(expected);
  });

  test("HP-219 an approval has buttons only when requesting changes is not offered inline", () => {
    expect(actions({ type: "approval", inline_actions: ["approve", "reject"] })).toEqual([
      "approve",
      "reject",
    ]);
    expect(actions({ type: "approval", inline_actions: ["approve", "edit", "reject"] })).toEqual([]);
  });

  test("HP-222 a review has buttons only for listed actions that belong to its type", () => {
    expect(actions({ type: "escalation", inline_actions: ["skip", "abort"] })).toEqual(["skip", "abort"]);
    expect(actions({ type: "confirmation", inline_actions: ["cancel", "launch", "approve"] })).toEqual([
      "cancel",
    ]);
    expect(actions({ type: "confirmation", inline_actions: [] })).toEqual([]);
    expect(actions({ type: "selection", inline_actions: ["select"] })).toEqual([]);
    expect(buttonsOf(reviewWith({ inline_actions: ["confirm"] }))).toEqual([]);
  });

  test("HP-239 a case that wants proof for inline answers is sent as a link only", () => {
    expect(actions(proof({}))).toEqual([]);
    expect(actions(proof({ mode: "step_up" }))).toEqual([]);
    expect(actions(proof({ mode: "optional" }))).toEqual(["confirm", "cancel"]);
    expect(actions(proof({ required_for: ["browser_submit"] }))).toEqual(["confirm", "cancel"]);
  });
});

function objectsIn(value: Json): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

const isTap = (object: JsonObject) =>
  "callback_data" in object ||
  "value" in object ||
  "custom_id" in object ||
  "reply" in object ||
  "hitl" in object;

const MESSENGERS: readonly Messenger[] = [telegram, slack, discord, whatsapp, teams];
const TAPS: Readonly<Record<string, number>> = {
  confirmation: 2,
  escalation: 3,
  escalation_without_retry: 2,
  approval_without_edit: 2,
};

describe.each(MESSENGERS)("$name", (messenger) => {
  test.each(Object.keys(REVIEWS))("HP-219 the review %s has the right number of buttons", (name) => {
    const payload = messenger.render(listed(REVIEWS[name]!));
    expect(objectsIn(payload).filter(isTap)).toHaveLength(TAPS[name] ?? 0);
  });

  test("HP-220 every message has the link, as a button or in the text, and on WhatsApp in the text", () => {
    for (const review of Object.values(REVIEWS)) {
      const payload = messenger.render(listed(review));
      const linked = objectsIn(payload).some((object) => object["url"] === review.reviewUrl);
      const written = JSON.stringify(payload).includes(`Decide here: ${review.reviewUrl}`);
      expect(linked || written).toBe(true);
      if (messenger.name === "whatsapp") expect(written).toBe(true);
    }
  });

  test("HP-149 a reminder message contains the word Reminder", () => {
    expect(JSON.stringify(messenger.render(listed(REVIEWS["confirmation"]!), "reminder"))).toContain(
      "Reminder",
    );
  });
});

describe.each(MESSENGERS.filter(({ name }) => name !== "teams"))(
  "$name, without room for the whole text",
  (messenger) => {
    const prompt = "Delete the customer Mara Lindqvist?";
    const long = (chars: number) =>
      reviewWith(
        { ...INLINE, type: "approval", prompt, inline_actions: ["approve", "reject"] },
        `${"All is well. ".repeat(chars / 13)}${prompt} And everything else that is stored.`,
      );

    test.each(["first", "reminder"] as const)(
      "G15 HP-216 a message (%s) whose text is cut has no deciding buttons, and shows the question and the link",
      (occasion) => {
        const payload = messenger.render(listed(long(5_200)), occasion);
        expect(objectsIn(payload).filter(isTap)).toEqual([]);
        const said = JSON.stringify(payload);
        expect(said).toContain(prompt);
        expect(said).toContain(long(0).reviewUrl);
        expect(said).toContain("…");
      },
    );

    test("HP-216 a message whose text fits whole keeps its buttons", () => {
      const payload = messenger.render(listed(long(520)));
      expect(objectsIn(payload).filter(isTap)).toHaveLength(2);
      expect(JSON.stringify(payload)).toContain("And everything else that is stored.");
    });
  },
);

test("G15 a text that fits only where WhatsApp takes no buttons is sent whole, without them", () => {
  const message = `${"All is well. ".repeat(100)}And everything else that is stored.`;
  const review = reviewWith({ ...INLINE, type: "approval", inline_actions: ["approve", "reject"] }, message);
  const payload = whatsapp.render(listed(review));
  expect(payload).toMatchObject({ type: "text" });
  expect(JSON.stringify(payload)).toContain(message);
});

test("HP-219 Telegram opens the page in a web app only in private chats", () => {
  const inGroup = telegram.render(listed(REVIEWS["selection"]!), "first", { chat: "group" });
  expect(JSON.stringify(inGroup)).not.toContain("web_app");
  expect(JSON.stringify(telegram.render(listed(REVIEWS["selection"]!)))).toContain("web_app");
});

test("HP-219 Teams opens the page in a task module only when the bot supports it and the review needs the page", () => {
  const inside = teams.render(listed(REVIEWS["input"]!), "first", { taskModule: true });
  expect(JSON.stringify(inside)).toContain("task/fetch");
  expect(JSON.stringify(inside)).toContain("Action.OpenUrl");
  expect(
    JSON.stringify(teams.render(listed(REVIEWS["confirmation"]!), "first", { taskModule: true })),
  ).not.toContain("task/fetch");
  expect(teamsTask(REVIEWS["input"]!)).toMatchObject({
    task: { type: "continue", value: { url: REVIEWS["input"]!.reviewUrl } },
  });
});

test("a prompt cannot become a link or mention everybody", () => {
  const review = reviewWith({ prompt: "<!channel> @everyone [here](https://evil.example) *now*" });
  expect(JSON.stringify(slack.render(listed(review)))).not.toMatch(/mrkdwn/);
  expect(slack.render(listed(review))["text"]).toContain("&lt;!channel&gt;");
  const discordBody = discord.render(listed(review));
  expect(discordBody["allowed_mentions"]).toEqual({ parse: [] });
  expect(discordBody["content"]).toContain("\\[here\\]\\(https://evil.example\\)");
  expect(JSON.stringify(teams.render(listed(review)))).toContain("\\\\[here\\\\]");
  expect(telegram.render(listed(review))).not.toHaveProperty("parse_mode");
});
