import type { Ask } from "@holdpoint/protocol/rules";
import { act } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it } from "vitest";
import { openPage } from "../live/page.fixture.ts";
import { holdAsking, PLACED_AT } from "./hold.fixture.ts";
import { HoldReview } from "./hold-review.tsx";
import { loadParts } from "./late.tsx";

const nobody = async () => ({ kind: "settled" }) as const;

function drawn(ask: Ask): string {
  return renderToStaticMarkup(<HoldReview hold={holdAsking(ask)} now={PLACED_AT} onAnswer={nobody} />);
}

function buttonsOf(markup: string): readonly (readonly [action: string, look: string, text: string])[] {
  return [
    ...markup.matchAll(/<button[^>]*?value="(\w+)" class="hp-button hp-(\w+)"[^>]*>(.*?)<\/button>/g),
  ].map(([, action = "", look = "", inner = ""]) => [action, look, inner.replace(/<[^>]*>/g, "")]);
}

describe("a hold on a page", () => {
  beforeAll(() => loadParts());

  it("G15 has buttons that say what they do first, whatever the agent labelled them", () => {
    const markup = drawn({
      type: "approval",
      prompt: "Delete?",
      actions: [
        { id: "approve", label: "Reject", style: "danger" },
        { id: "reject", label: "Approve\u202e", style: "primary" },
      ],
    });
    expect(buttonsOf(markup)).toEqual([
      ["approve", "primary", "Approve: Reject"],
      ["reject", "danger", "Reject: Approve⟦U+202E⟧"],
    ]);
  });

  it("keeps nothing that was entered for one hold when the app shows another in the same place", async () => {
    await using page = await openPage();
    const confirmation = (id: string) =>
      holdAsking(
        { type: "confirmation", prompt: "?", context: { items: [{ id: "same", label: `Item of ${id}` }] } },
        { id },
      );
    const sent: unknown[] = [];
    const show = (id: string) =>
      page.render(
        <HoldReview
          hold={confirmation(id)}
          now={PLACED_AT}
          onAnswer={async (answer) => {
            sent.push(answer.data);
            return { kind: "settled" };
          }}
        />,
      );
    const isChecked = () => page.body.querySelector<HTMLInputElement>("input[type=checkbox]")?.checked;
    await show("hold_a");
    await act(async () => page.body.querySelector<HTMLInputElement>("input[type=checkbox]")?.click());
    expect(isChecked()).toBe(true);
    await show("hold_b");
    await page.says("Item of hold_b");
    expect(isChecked()).toBe(false);
    await page.press("Confirm");
    await page.until(() => sent.length > 0);
    expect(sent).not.toMatchObject([{ confirmed_items: ["same"] }]);
  });
});
