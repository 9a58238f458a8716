import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import { isObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { caseBook } from "../agent/case-book.ts";
import { humanAction } from "../agent/human-action.ts";
import type { Submitted } from "../agent/submit.ts";
import { listed, REVIEWS } from "../testing/render-cases.ts";
import { HITL, INLINE, inlineReview, SUBMIT_TOKEN } from "../testing/reviews.ts";
import { stubService } from "../testing/stub-service.ts";
import { answerTap } from "./answer-tap.ts";
import { discord } from "./discord.ts";
import type { Messenger } from "./messenger.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { whatsapp } from "./whatsapp.ts";

function find(value: Json, member: string): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => find(item, member));
  if (!isObject(value)) return [];
  return [
    ...(member in value ? [value[member]!] : []),
    ...Object.values(value).flatMap((item) => find(item, member)),
  ];
}

/** What each platform sends when the first button of its message is tapped. */
const TAPPED: Readonly<Record<string, (payload: JsonObject) => JsonObject>> = {
  telegram: (payload) => ({
    update_id: 1,
    callback_query: {
      id: "9",
      from: { id: 123, first_name: "Ada", last_name: "L" },
      data: find(payload, "callback_data")[0]!,
    },
  }),
  slack: (payload) => ({
    type: "block_actions",
    user: { id: "U1", name: "Ada L" },
    actions: [{ action_id: "hitl_confirm", value: find(payload, "value")[0]! }],
  }),
  discord: (payload) => ({
    type: 3,
    data: { component_type: 2, custom_id: find(payload, "custom_id")[0]! },
    member: { user: { id: "987", username: "ada", global_name: "Ada L" } },
  }),
  whatsapp: (payload) => ({
    contacts: [{ wa_id: "491701", profile: { name: "Ada L" } }],
    messages: [
      { from: "491702", type: "text", text: { body: "hi" } },
      { from: "491701", type: "interactive", interactive: { button_reply: { id: find(payload, "id")[0]! } } },
    ],
  }),
  teams: (payload) => ({
    type: "message",
    from: { id: "29:x", aadObjectId: "aad-1", name: "Ada L" },
    value: find(payload, "data")[0]!,
  }),
};
const USERS: Readonly<Record<string, string>> = {
  telegram: "123",
  slack: "U1",
  discord: "987",
  whatsapp: "491701",
  teams: "aad-1",
};

const MESSENGERS: readonly Messenger[] = [telegram, slack, discord, whatsapp, teams];
const LONG_IDS = ["review_ab12", "a_b_c-d_", `review_${"x_".repeat(140)}y`];

describe.each(MESSENGERS)("a tap on $name", (messenger) => {
  const tapped = (payload: JsonObject) => TAPPED[messenger.name]!(payload);

  test.each(LONG_IDS)("HP-217 a tap is submitted to its case %s", async (caseId) => {
    const book = caseBook();
    const service = stubService();
    service.on(INLINE["submit_url"] as string, Response.json({ status: "completed" }));
    const entry = await book.add(inlineReview({ case_id: caseId }));
    const answered = await answerTap(messenger, tapped(messenger.render(entry)), {
      book,
      access: service.access,
    });
    expect(answered).toMatchObject({ kind: "answered", submitted: { kind: "accepted", action: "confirm" } });
    expect(JSON.parse(service.asked[0]?.body ?? "")).toMatchObject({
      action: "confirm",
      submitted_by: {
        platform: messenger.name,
        platform_user_id: USERS[messenger.name],
        display_name: "Ada L",
      },
    });
  });

  test("a tap for a case that is not in the book is reported as unknown", async () => {
    const payload = messenger.render(listed(REVIEWS["confirmation"]!));
    expect(await answerTap(messenger, tapped(payload), { book: caseBook() })).toEqual({
      kind: "unknown_case",
    });
  });

  test.each([
    null,
    "text",
    7,
    [],
    {},
    { callback_query: { data: "other:1:2", from: { id: 1 } } },
    { callback_query: { data: "hitl:abc:confirm" } },
    { type: "block_actions", user: { id: "U1" }, actions: [{ value: "{no" }] },
    { type: "block_actions", user: { id: "U1" }, actions: [{ value: '{"case_id":7}' }] },
    { type: "block_actions", user: {}, actions: [] },
    { data: { custom_id: "hitl:abc" }, user: { id: "1" } },
    { data: { custom_id: "hitl:abc:confirm" } },
    { messages: [{ from: "1", interactive: { button_reply: { id: "other" } } }] },
    { messages: [{ interactive: { button_reply: { id: "hitl_a_confirm" } } }] },
    { value: { hitl: { case_id: "a" } }, from: { id: "1" } },
    { value: { hitl: { case_id: "a", action: "confirm" } }, from: {} },
  ])("a message that is not a tap of ours is ignored: %j", async (inbound) => {
    expect(messenger.readTap(inbound)).toBeUndefined();
    expect(await answerTap(messenger, inbound, { book: caseBook() })).toEqual({ kind: "not_ours" });
  });

  const review = REVIEWS["confirmation"]!;
  const ada = humanAction({
    action: "confirm",
    platform: messenger.name,
    platformUserId: "1",
    displayName: "Ada",
  });
  const settle = (submitted: Submitted) => messenger.settle(listed(review), ada, submitted);
  const hasButtons = (payload: JsonObject) =>
    ["callback_data", "value", "custom_id", "reply", "hitl"].some(
      (member) => find(payload, member).length > 0,
    );

  test("HP-221 an accepted tap changes the message to who decided what, without buttons", () => {
    const settled = settle({ kind: "accepted", action: "confirm" });
    expect(settled.kind).toBe(messenger.name === "whatsapp" ? "send" : "edit");
    const payload = settled.kind === "keep" ? {} : settled.payload;
    expect(JSON.stringify(payload)).toContain("Confirmed by Ada");
    expect(hasButtons(payload)).toBe(false);
    expect(JSON.stringify(payload)).not.toContain(review.reviewUrl);
  });

  test("HP-221 a tap that needs the page keeps the original link and removes the buttons", () => {
    for (const submitted of [
      { kind: "use_page", reviewUrl: review.reviewUrl, reason: "action_not_inline" },
      { kind: "refused", code: "invalid_token", message: "" },
    ] as const) {
      const settled = settle(submitted);
      const payload = settled.kind === "keep" ? {} : settled.payload;
      expect(JSON.stringify(payload)).toContain(HITL["review_url"]);
      expect(hasButtons(payload)).toBe(false);
      expect(JSON.stringify(payload)).not.toContain(SUBMIT_TOKEN);
    }
  });

  test.each([
    ["answered", "already answered"],
    ["expired", "time to answer is over"],
    ["cancelled", "withdrawn"],
  ] as const)("HP-221 a tap on a case that was %s shows the case as closed", (reason, words) => {
    const settled = settle({ kind: "closed", reason });
    const payload = settled.kind === "keep" ? {} : settled.payload;
    expect(JSON.stringify(payload)).toContain(words);
    expect(hasButtons(payload)).toBe(false);
  });

  test("HP-221 a tap of unknown effect keeps the buttons", () => {
    expect(settle({ kind: "unknown", cause: "x" })).toEqual({ kind: "keep" });
    expect(settle({ kind: "limited" })).toEqual({ kind: "keep" });
  });
});

test("HP-221 an edited message has a link to this machine in its text", () => {
  const review = inlineReview({ review_url: "http://localhost:4100/review/a?token=t" });
  const tap = humanAction({ action: "confirm", platform: "telegram", platformUserId: "1" });
  const use = { kind: "use_page", reviewUrl: review.reviewUrl, reason: "x" } as const;
  for (const messenger of [telegram, discord]) {
    const settled = messenger.settle(listed(review), tap, use);
    expect(JSON.stringify(settled)).toContain(`Decide here: ${review.reviewUrl}`);
  }
});
