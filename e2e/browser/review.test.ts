/** The review page in a real browser: every type on a phone, with and without script, and what happens around it. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { stage } from "./shared.ts";
import {
  ANSWERS,
  ASKS,
  type AskName,
  DESKTOP,
  hydrated,
  PHONE,
  type Stage,
  tabTo,
  violations,
  widthLeft,
} from "./support.ts";

let on: Stage;
beforeAll(async () => {
  on = await stage();
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

const NAMES = Object.keys(ASKS) as AskName[];

async function outcomeOf(id: string) {
  const { outcome } = await on.read(id);
  return outcome === undefined ? undefined : { action: outcome.action, data: outcome.data };
}

describe.each(NAMES)("HP-198 HP-197 the page of an ask of type %s", (name) => {
  test("the page is answered on a phone, without cookies or sign-in, and has no axe violation", async () => {
    const hold = await on.place(ASKS[name]);
    const page = await on.page(PHONE);
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setDocumentCookieDisabled", { disabled: true });
    await page.goto(on.link(hold));
    await hydrated(page);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(ASKS[name].prompt);
    expect(await widthLeft(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await ANSWERS[name].give(page);
    await page.getByText("Your answer was recorded").waitFor();
    expect(await outcomeOf(hold.id)).toEqual(ANSWERS[name].result);
    // The page of an answer is the same for every type, but for what was entered.
    if (name === "input" || inject("isFull")) expect(await violations(page)).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    await session.detach();
    await on.leave(page);
  });

  test("HP-209 the page is answered with JavaScript off", async () => {
    const hold = await on.place(ASKS[name]);
    const page = await on.open(hold, { ...DESKTOP, javaScriptEnabled: false });
    await ANSWERS[name].give(page);
    await page.getByText("Your answer was recorded").waitFor();
    expect(await outcomeOf(hold.id)).toEqual(ANSWERS[name].result);
    await on.leave(page);
  });
});

test.each([
  ["with script", true],
  ["without script", false],
])(
  "G15: an unknown call is marked in red and cannot be approved by one press, %s",
  async (_how, javaScriptEnabled) => {
    const { context: _context, ...ask } = ASKS.approval;
    const hold = await on.place({ ...ask, context: { call_unknown: true } });
    const page = await on.open(hold, { ...DESKTOP, javaScriptEnabled });
    await page.getByText("The exact call is unknown.").waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("must say how you know what will run", { exact: false }).waitFor();
    expect(await outcomeOf(hold.id)).toBeUndefined();
    if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
    await page.getByLabel("How do you know what will run?").fill("I looked at the ledger.");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Your answer was recorded").waitFor();
    expect(await outcomeOf(hold.id)).toEqual({
      action: "approve",
      data: { note: "I looked at the ledger." },
    });
    await on.leave(page);
  },
);

/** What a finger is to hit and might miss. */
function smallTargets(page: Page): Promise<readonly string[]> {
  return page.locator("button, summary, .hp-choice").evaluateAll((targets) =>
    targets
      .map((target) => ({
        text: (target as HTMLElement).innerText,
        ...target.getBoundingClientRect().toJSON(),
      }))
      .filter(({ height }) => height < 44)
      .map(({ text, height }) => `${text}: ${height} px`),
  );
}

test("HP-196 from 320 to 1440 px nothing overflows and every target is at least 44 px high", async () => {
  const page = await on.open(await on.place(ASKS.approval), PHONE);
  await page.setViewportSize({ width: 320, height: 640 });
  const approve = await page.getByRole("button", { name: "Approve" }).boundingBox();
  expect((approve?.y ?? 0) + (approve?.height ?? 0)).toBeLessThanOrEqual(640);
  for (const ask of [ASKS.approval, ASKS.selection]) {
    await page.goto(on.link(await on.place(ask)));
    await hydrated(page);
    expect(await page.locator("button, summary, .hp-choice").count()).toBeGreaterThan(3);
    for (const width of [320, 375, 768, 1280, 1440]) {
      await page.setViewportSize({ width, height: 640 });
      expect(await widthLeft(page), `${width} px`).toBe(0);
      expect(await smallTargets(page), `${width} px`).toEqual([]);
    }
  }
  await on.leave(page);
});

test("HP-196 hundreds of rows are a table with their number, and on a zoomed page the buttons do not hide the question", async () => {
  const rows = Array.from({ length: 300 }, (_, at) => ({
    id: at,
    name: `Customer ${at}`,
    note: "n".repeat(at === 3 ? 400 : 2),
  }));
  const page = await on.open(await on.place({ ...ASKS.approval, context: { rows } }), PHONE);
  expect(await page.getByRole("row").count()).toBe(301);
  await page.getByText("300 rows", { exact: true }).waitFor();
  expect(await widthLeft(page)).toBe(0);
  await page.setViewportSize({ width: 200, height: 370 });
  const place = await page.locator(".hp-actions").evaluate((element) => getComputedStyle(element).position);
  expect(place).toBe("static");
  await on.leave(page);
});

test("HP-199 a hold that expires while its page is open can no longer be answered, and the page says so", async () => {
  const hold = await on.place({ ...ASKS.approval, timeout: "2s" });
  const page = await on.open(hold, PHONE);
  await page.getByRole("heading", { name: "Expired" }).waitFor();
  expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  expect(await page.getByText("nobody decided").count()).toBe(1);
  await page.reload();
  await page.getByRole("heading", { name: "Expired" }).waitFor();
  expect(await page.locator("form").count()).toBe(0);
  await on.leave(page);
});

test("HP-208 after a machine slept the page shows the time that is really left", async () => {
  const page = await on.open(await on.place(ASKS.approval), PHONE);
  // The page's own counter stands still in sleep; the clock goes on.
  await page.evaluate(() => {
    const real = Date.now.bind(Date);
    Date.now = () => real() + 3_600_000;
  });
  await page
    .locator(".hp-left")
    .getByText(/59 min|1 h/)
    .and(page.getByText(/^(?!.*1 h 59)/))
    .waitFor();
  expect(await page.locator(".hp-left").innerText()).toMatch(/^(1 h left|59 min|1 h 0 min)/);
  await on.leave(page);
});

test("HP-200 HP-208 of two people at once one wins, and the other's page shows the answer without a reload", async () => {
  const hold = await on.place(ASKS.approval);
  const [first, second] = await Promise.all([on.open(hold, PHONE), on.open(hold, DESKTOP)]);
  expect(await second.locator(".hp-left").innerText()).toMatch(/1 h 59 min|2 h/);
  await first.getByRole("button", { name: "Reject" }).click();
  await first.getByLabel("Why not?").fill("Wrong order");
  await first.getByRole("button", { name: "Reject" }).click();
  await second.getByRole("heading", { name: "Rejected" }).waitFor();
  expect(await second.getByText("Wrong order").count()).toBe(1);
  expect(await second.getByRole("button", { name: "Approve" }).count()).toBe(0);
  await second.reload();
  // These links came with the placing, so they name nobody.
  await second.getByText("Already answered by a link that was given to the asking agent").waitFor();
  expect(await second.getByText("Wrong order").count()).toBe(1);
  expect(await second.locator("form").count()).toBe(0);
  await Promise.all([on.leave(first), on.leave(second)]);
});

test("HP-200 a person whose answer lost the race is told, with the answer that won", async () => {
  const hold = await on.place(ASKS.approval);
  const page = await on.open(hold, { ...DESKTOP, javaScriptEnabled: false });
  await on.call("POST", `/v1/holds/${hold.id}/answer`, { action: "approve" });
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByText("Somebody was faster").waitFor();
  expect(await page.getByRole("heading", { name: "Approved" }).count()).toBe(1);
  await on.leave(page);
});

test("HP-201 the page of a cancelled hold has its own words and names no decider", async () => {
  const hold = await on.place(ASKS.approval);
  await on.call("POST", `/v1/holds/${hold.id}/cancel`, { reason: "No longer needed" });
  const page = await on.open(hold, PHONE);
  await page.getByRole("heading", { name: "Withdrawn" }).waitFor();
  expect(await page.getByText("Nobody decided anything").count()).toBe(1);
  expect(await page.getByText("No longer needed").count()).toBe(1);
  await on.leave(page);
});

const PAYLOADS = [
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "javascript:alert(1)",
  "$&$`$'",
  "[press](javascript:alert(1))",
  "\u202Egnp.exe",
];

test("HP-202 HP-203 untrusted text is shown as text in every place, and causes no policy violation", async () => {
  for (const payload of PAYLOADS) {
    const hold = await on.place({
      type: "x-inject",
      prompt: payload,
      context: {
        reason: payload,
        description: payload,
        [payload]: payload,
        body_markdown: payload,
        code: payload,
        error: { title: payload, summary: payload },
        rows: [
          { a: payload, b: 1 },
          { a: payload, b: 2 },
        ],
      },
      form: {
        fields: [
          { key: "k", label: payload, type: "select", options: [{ value: payload, label: payload }] },
          { key: "t", label: payload, type: "text", hint: payload, placeholder: payload, default: payload },
        ],
      },
      actions: [{ id: "go", label: payload }],
    });
    const page = await on.open(hold, PHONE);
    const shown = payload.startsWith("\u202E") ? "⟦U+202E⟧gnp.exe" : payload;
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(shown);
    expect(await page.locator("a[href^='javascript']").count()).toBe(0);
    await page.getByLabel(shown).first().selectOption(payload);
    await page.locator(".hp-actions button").click();
    await page.getByText("Your answer was recorded").waitFor();
    // The input does not show an unseen character, so a default with one is not part of the answer (G12).
    const isShown = shown === payload;
    expect((await on.read(hold.id)).outcome.data).toEqual({ k: payload, ...(isShown ? { t: payload } : {}) });
    await on.leave(page);
  }
});

test("HP-203 these tests notice a policy violation", async () => {
  const page = await on.open(await on.place(ASKS.approval), PHONE);
  await page.evaluate(() =>
    document.body.append(Object.assign(new Image(), { src: "https://other.example/x.png" })),
  );
  // The browser's own word, and the event.
  await expect.poll(() => on.trouble.length).toBe(2);
  for (const said of on.trouble.splice(0)) expect(said).toContain("img-src");
  await on.leave(page);
});

test("HP-203 the policy names no other origin and allows nothing inline", async () => {
  const reply = await fetch(on.link(await on.place(ASKS.approval)));
  const policy = reply.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(await reply.text()).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test("HP-204 a decision can be made by keyboard alone, and the first error gets the focus", async () => {
  const hold = await on.place(ASKS.input);
  const page = await on.open(hold, DESKTOP);
  await tabTo(page, "Submit");
  await page.keyboard.press("Enter");
  const name = page.getByLabel("Name");
  await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await name.getAttribute("aria-invalid")).toBe("true");
  expect(await name.getAttribute("aria-describedby")).toBe("hp-field-name-hint hp-field-name-problem");
  expect(await violations(page)).toEqual([]);
  await page.keyboard.type("Ada");
  await page.keyboard.press("Tab");
  await page.keyboard.type("3");
  await page.keyboard.press("Enter");
  await page.getByText("Your answer was recorded").waitFor();
  expect(await outcomeOf(hold.id)).toEqual({ action: "submit", data: { name: "Ada", days: 3 } });
  await on.leave(page);
});

test("HP-204 a reason is asked for, written and sent by keyboard alone", async () => {
  const hold = await on.place(ASKS.approval);
  const page = await on.open(hold, DESKTOP);
  await tabTo(page, "Reject");
  await page.keyboard.press("Enter");
  await page.getByLabel("Why not?").waitFor();
  await page.keyboard.type("Wrong order");
  await tabTo(page, "Reject");
  await page.keyboard.press("Enter");
  await page.getByText("Your answer was recorded").waitFor();
  expect(await outcomeOf(hold.id)).toEqual({ action: "reject", data: { feedback: "Wrong order" } });
  await on.leave(page);
});

test("HP-205 nothing moves for people who prefer reduced motion", async () => {
  const page = await on.open(await on.place(ASKS.approval), PHONE);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll("*")].filter((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element);
        return [...transitionDuration.split(","), ...animationDuration.split(",")].some(
          (text) => Number.parseFloat(text) > 0.01,
        );
      }).length,
  );
  expect(moving).toBe(0);
  await on.leave(page);
});

test("HP-205 the dark theme follows the preference, and a choice is kept", async () => {
  const page = await on.page(PHONE);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(on.link(await on.place(ASKS.approval)));
  await hydrated(page);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await paper()).toBe("rgb(15, 17, 20)");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Dark theme" }).click();
  expect(await paper()).toBe("rgb(245, 244, 241)");
  await page.reload();
  expect(await paper()).toBe("rgb(245, 244, 241)");
  await on.leave(page);
});

test("HP-206 a double click sends one answer, and a lost connection keeps the answer for a retry", async () => {
  const hold = await on.place(ASKS.approval);
  const page = await on.open(hold, DESKTOP);
  let sent = 0;
  let isOffline = true;
  await page.route("**/answer?*", async (route) => {
    sent += 1;
    await (isOffline ? route.abort() : route.continue());
  });
  await page.getByRole("button", { name: "Approve" }).dblclick();
  await page.getByText("Your answer has not arrived").waitFor();
  expect(sent).toBe(1);
  isOffline = false;
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect(sent).toBe(2);
  await on.leave(page);
});

test("HP-206 an error is shown when its field is left, and nothing can be pressed while an answer is being sent", async () => {
  const hold = await on.place(ASKS.input);
  const page = await on.open(hold, DESKTOP);
  await page.getByLabel("Days").fill("99");
  await page.getByLabel("Name").focus();
  await page.locator("#hp-field-days-problem").waitFor();
  await page.getByLabel("Days").fill("9");
  await page.getByLabel("Name").fill("Ada");
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route("**/answer?*", async (route) => {
    await arrived;
    await route.continue();
  });
  await page.getByRole("button", { name: "Submit" }).click();
  await expect.poll(() => page.getByRole("button", { name: "Sending" }).isDisabled()).toBe(true);
  arrive();
  await page.getByText("Your answer was recorded").waitFor();
  await on.leave(page);
});

test("HP-207 edit and reject ask for a text, a confirmation warns and lists its items, an escalation shows the error", async () => {
  const page = await on.open(await on.place(ASKS.approval), PHONE);
  await page.getByRole("button", { name: "Request changes" }).click();
  await page.getByLabel("What should change?").waitFor();
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByLabel("Why not?").waitFor();
  await page.goto(on.link(await on.place(ASKS.confirmation)));
  await page.getByText("Confirming lets the agent act at once").waitFor();
  await page.getByText("0 of 1 checked").waitFor();
  await page.getByLabel("Backup is complete").check();
  await page.getByText("1 of 1 checked").waitFor();
  await page.goto(on.link(await on.place(ASKS.escalation)));
  const error = page.getByRole("region", { name: "What went wrong" });
  for (const text of ["Time-out", "No answer within 30 s.", "at fetch (import.ts:12)"])
    expect(await error.getByText(text).count()).toBe(1);
  await on.leave(page);
});

test("HP-207 a selection refuses an empty answer; changed arguments show the difference and are sent whole", async () => {
  const choice = await on.place(ASKS.selection);
  const page = await on.open(choice, PHONE);
  await page.getByRole("button", { name: "Select" }).click();
  await page.getByText("Choose at least 1.").waitFor();
  await page.getByLabel("Jonas Brandt").check();
  await page.getByText("1 selected").waitFor();
  expect((await on.read(choice.id)).status).toBe("open");

  const hold = await on.place(ASKS.approval);
  await page.goto(on.link(hold));
  await hydrated(page);
  await page.getByText("Change the arguments before approving").click();
  const edited = { order: "A-10482", amount: 40, currency: "EUR" };
  await page.getByLabel("Arguments, as JSON").fill(JSON.stringify(edited));
  await page.getByText("1 change to what was proposed").waitFor();
  await page.getByRole("button", { name: "Approve with my changes" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect(await outcomeOf(hold.id)).toEqual({ action: "approve", data: { edited_args: edited } });

  const stuck = await on.place(ASKS.escalation);
  await page.goto(on.link(stuck));
  await hydrated(page);
  await page.getByLabel("Parameters to try again with").fill('{"timeout_seconds": 60, "batch_size": 500}');
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect(await outcomeOf(stuck.id)).toEqual({
    action: "retry",
    data: { modified_params: { timeout_seconds: 60 } },
  });
  await on.leave(page);
});

test("no page above had an error, a dialog or a policy violation", () => {
  expect(on.trouble).toEqual([]);
});
