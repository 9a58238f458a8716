import type { DraftAnswer, Interrupt } from "@holdpoint/protocol/agui";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { act, type ComponentType, useState } from "react";
import { describe, expect, it } from "vitest";
import { openPage, type Page } from "../live/page.fixture.ts";
import type { CardProps } from "./card-parts.tsx";
import { ApprovalCard, DatabaseCard, FormCard, PolicyCard } from "./cards.tsx";

const CALL: Interrupt = { id: "i1", reason: "tool_call", toolCallId: "c1" };
const DIFFERS = "This app was sent other arguments";
const UNKNOWN = "The exact call is unknown.";

function about(payload: JsonObject): Interrupt {
  return { ...CALL, metadata: { payload } };
}

async function draw(page: Page, Card: ComponentType<CardProps>, interrupt: Interrupt, args?: JsonObject) {
  const drafts: (DraftAnswer | null)[] = [];
  function Holder() {
    const [draft, setDraft] = useState<DraftAnswer>();
    const onDraft = (answer: DraftAnswer | null) => {
      drafts.push(answer);
      setDraft(answer ?? undefined);
    };
    return <Card interrupt={interrupt} draft={draft} problems={[]} args={args} onDraft={onDraft} />;
  }
  await page.render(<Holder />);
  return drafts;
}

async function choose(page: Page, label: string): Promise<void> {
  const found = [...page.body.querySelectorAll("label")].find(({ textContent }) => textContent === label);
  await act(async () => found?.querySelector("input")?.click());
}

async function write(page: Page, text: string): Promise<void> {
  const area = page.body.querySelector("textarea");
  if (area === null) throw new Error(`There is no text input in: ${page.body.textContent}`);
  await act(async () => {
    area.value = text;
    area.dispatchEvent(new window.Event("input", { bubbles: true }));
  });
}

describe("the card of an approval", () => {
  it("G15 shows the call that the interrupt names before the one that the app was sent, and says that they differ", async () => {
    await using page = await openPage();
    await draw(page, ApprovalCard, about({ tool: "pay", args: { amount: "own900" } }), {
      amount: "streamed1",
    });
    const text = page.body.textContent;
    expect(text.indexOf("own900")).toBeGreaterThan(-1);
    expect(text.indexOf(DIFFERS)).toBeGreaterThan(text.indexOf("own900"));
    expect(text.indexOf("streamed1")).toBeGreaterThan(text.indexOf(DIFFERS));
  });

  it("shows a call once if the app was sent the same one", async () => {
    await using page = await openPage();
    await draw(page, ApprovalCard, about({ tool: "pay", args: { amount: "own900" } }), { amount: "own900" });
    expect(page.body.textContent.split("own900")).toHaveLength(2);
    expect(page.body.textContent).not.toContain(DIFFERS);
  });

  it("G15 shows members of the payload that are not of the usual type", async () => {
    await using page = await openPage();
    await draw(page, ApprovalCard, about({ tool: ["curl"], args: "rm -rf /srv" }));
    for (const words of ["curl", "rm -rf /srv"]) expect(page.body.textContent).toContain(words);
  });

  it.each<readonly [string, ComponentType<CardProps>, Interrupt]>([
    ["a tool call without arguments anywhere", ApprovalCard, about({ tool: "pay" })],
    ["a policy without a payload", PolicyCard, { id: "i1", reason: "policy_hold" }],
    ["a change of a database without a payload", DatabaseCard, { id: "i1", reason: "database_modification" }],
    ["a call that the server calls unknown", ApprovalCard, about({ call_unknown: true })],
  ])("G15 approves %s only with words about how it is known", async (_what, Card, interrupt) => {
    await using page = await openPage();
    const drafts = await draw(page, Card, interrupt);
    await page.says(UNKNOWN);
    await choose(page, "Approve");
    expect(drafts).toEqual([null]);
    await write(page, "Ada told me");
    expect(drafts.at(-1)).toEqual({ status: "resolved", payload: { approved: true, note: "Ada told me" } });
    await write(page, " ");
    expect(drafts.at(-1)).toBeNull();
    await choose(page, "Deny");
    expect(drafts.at(-1)).toEqual({ status: "resolved", payload: { approved: false } });
  });

  it("approves a known call by one choice", async () => {
    await using page = await openPage();
    const drafts = await draw(page, PolicyCard, about({ policy: "export" }));
    await choose(page, "Approve");
    expect(drafts).toEqual([{ status: "resolved", payload: { approved: true } }]);
    expect(page.body.textContent).not.toContain(UNKNOWN);
  });

  it("G15 keeps the arguments that a person types while they cannot be read, and sends nothing meanwhile", async () => {
    await using page = await openPage();
    const properties = { approved: { type: "boolean" }, editedArgs: { type: "object" } };
    const interrupt: Interrupt = {
      ...about({ tool: "pay", args: { amount: 900 } }),
      responseSchema: { type: "object", properties },
    };
    const drafts = await draw(page, ApprovalCard, interrupt);
    await choose(page, "Approve");
    expect(drafts).toEqual([{ status: "resolved", payload: { approved: true } }]);
    await write(page, '{"amount": ');
    expect(drafts.at(-1)).toBeNull();
    expect(page.body.querySelector("textarea")?.value).toBe('{"amount": ');
    await page.says("This is not a JSON object yet.");
    await write(page, '{"amount": 1}');
    expect(drafts.at(-1)).toEqual({
      status: "resolved",
      payload: { approved: true, editedArgs: { amount: 1 } },
    });
    await write(page, "{");
    await choose(page, "Deny");
    expect(drafts.at(-1)).toEqual({ status: "resolved", payload: { approved: false } });
    expect(page.body.textContent).not.toContain("This is not a JSON object yet.");
  });

  it("G15 draws the values of a call that a policy holds back as JSON", async () => {
    await using page = await openPage();
    await draw(page, PolicyCard, about({ tool: "pay", args: { force: false, word: "No" } }));
    for (const words of ["false", '"No"']) expect(page.body.textContent).toContain(words);
  });

  it("G15 shows members of a change of a database that are no texts", async () => {
    await using page = await openPage();
    await draw(page, DatabaseCard, about({ query: ["drop table users"], riskLevel: 9001 }));
    for (const words of ["drop table users", "9001"]) expect(page.body.textContent).toContain(words);
  });
});

describe("the card of a form", () => {
  const responseSchema = { type: "object", properties: { express: { type: "boolean", default: true } } };

  it("is no answer before the person has touched it, and sends its defaults only when asked to", async () => {
    await using page = await openPage();
    const drafts = await draw(page, FormCard, { id: "i1", reason: "input_required", responseSchema });
    expect(drafts).toEqual([]);
    await page.press("Answer with what is filled in");
    expect(drafts).toEqual([{ status: "resolved", payload: { express: true } }]);
  });
});
