import type { Ask } from "@holdpoint/protocol/rules";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it } from "vitest";
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
});
