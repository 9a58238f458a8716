/** What a form sends is what its inputs show (G12). */

import type { Form, Json, JsonObject } from "@holdpoint/protocol/rules";
import { beforeAll, describe, expect, it } from "vitest";
import { openPage, type Page } from "../live/page.fixture.ts";
import { holdAsking, PLACED_AT } from "./hold.fixture.ts";
import { HoldReview } from "./hold-review.tsx";
import { loadParts } from "./late.tsx";

/** Draws the form, presses its button, and returns what is sent. */
async function sentFrom(page: Page, form: Form, found?: JsonObject): Promise<readonly Json[]> {
  const sent: Json[] = [];
  const show = (late?: JsonObject) =>
    page.render(
      <HoldReview
        hold={holdAsking({ type: "input", prompt: "?", form })}
        now={PLACED_AT}
        found={late}
        onAnswer={async (answer) => {
          sent.push(answer.data);
          return { kind: "settled" };
        }}
      />,
    );
  await show();
  if (found !== undefined) await show(found);
  await page.press("Submit");
  return sent;
}

describe("a form on a page", () => {
  beforeAll(() => loadParts());

  it.each(["Ada\nand Mallory", "Ada\u202e\u200bx"])(
    "G12 does not send the default %j, which its input does not show",
    async (begun) => {
      await using page = await openPage();
      const form: Form = { fields: [{ key: "name", label: "Name", type: "text", default: begun }] };
      expect(await sentFrom(page, form)).toEqual([{}]);
      expect(page.body.querySelector<HTMLInputElement>("input[name=name]")?.value).toBe("");
    },
  );

  it("sends the default that its input shows", async () => {
    await using page = await openPage();
    const form: Form = { fields: [{ key: "name", label: "Name", type: "text", default: "Ada" }] };
    expect(await sentFrom(page, form)).toEqual([{ name: "Ada" }]);
    expect(page.body.querySelector<HTMLInputElement>("input[name=name]")?.value).toBe("Ada");
  });

  it("G12 shows a choice that came late before it sends it", async () => {
    await using page = await openPage();
    const options = [
      { value: "a", label: "A" },
      { value: "b", label: "B" },
    ];
    const form: Form = { fields: [{ key: "which", label: "Which", type: "select", options }] };
    expect(await sentFrom(page, form, { which: "b" })).toEqual([{ which: "b" }]);
    expect(page.body.querySelector("select")?.value).toBe("b");
  });
});
