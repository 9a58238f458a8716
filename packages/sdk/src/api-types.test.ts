/**
 * What the compiler knows, as a tour of the API. Nothing here runs against a server: every example is a function that is compiled
 * and never called, and `npm run types` holds it to what it says.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import { defineHold, type HoldHandle, type Holdpoint, type SavedHold, type SettledOutcome } from "./index.ts";

test("the types of ask: an outcome is decided, expired or cancelled, and only a decision has an action", () => {
  void (async (hp: Holdpoint) => {
    const outcome = await hp.ask({ type: "approval", prompt: "Refund 80 EUR?" });
    expectTypeOf(outcome.kind).toEqualTypeOf<"decided" | "expired" | "cancelled">();
    if (outcome.kind === "decided") {
      expectTypeOf(outcome.action).toEqualTypeOf<"approve" | "edit" | "reject">();
      expectTypeOf(outcome.data.editedArgs).toEqualTypeOf<JsonObject | undefined>();
      expectTypeOf(outcome.data.feedback).toEqualTypeOf<string | undefined>();
    }
    if (outcome.kind === "expired") expectTypeOf(outcome).not.toHaveProperty("action");

    // With a limit to the wait there may be no outcome yet.
    const soon = await hp.ask({ type: "confirmation", prompt: "Delete?" }, { waitMs: 10_000 });
    expectTypeOf(soon.kind).toEqualTypeOf<"decided" | "expired" | "cancelled" | "pending">();

    // `orThrow` gives the decision, or throws ExpiredError, CancelledError or PendingError.
    expectTypeOf((await hp.ask({ type: "escalation", prompt: "?" })).orThrow().action).toEqualTypeOf<
      "retry" | "skip" | "abort"
    >();

    // What no question has does not compile.
    // @ts-expect-error it is `timeout`
    await hp.ask({ type: "approval", prompt: "Refund?", timout: "2h" });
    // @ts-expect-error it is `timeout`
    await hp.place({ type: "approval", prompt: "Refund?", timout: "2h" });
    // @ts-expect-error it is `timeout`
    await hp.approve("Refund?", { timout: "2h" });
  });
});

test("the types of context: an object typed by an interface passes, and a list, a text or a function does not", () => {
  interface Order {
    readonly id: string;
    readonly lines?: readonly Line[];
  }
  interface Line {
    readonly article: string;
  }
  void (async (hp: Holdpoint, order: Order, lines: Line[]) => {
    const refund = { type: "approval", prompt: "Refund?" } as const;
    await hp.ask({ ...refund, context: order, metadata: order });
    await hp.ask({ ...refund, context: { order, lines } });
    await hp.place({ ...refund, context: order });
    await hp.approve("Refund?", { context: order });
    await hp.check("refund", order);
    // @ts-expect-error it is an object
    await hp.ask({ ...refund, context: lines });
    // @ts-expect-error it is an object
    await hp.ask({ ...refund, context: "order 7" });
    // @ts-expect-error it is an object
    await hp.ask({ ...refund, context: () => order });
  });
});

test("the types of a selection: an answer has only ids of its options", () => {
  void (async (hp: Holdpoint) => {
    const outcome = await hp.ask({
      type: "selection",
      prompt: "Where shall it run?",
      options: [
        { id: "eu", label: "Europe" },
        { id: "us", label: "United States" },
      ],
    });
    expectTypeOf(outcome.orThrow().data.selected).toEqualTypeOf<readonly ("eu" | "us")[]>();
  });
});

test("the types of actions: a decision has only actions that the question lists", () => {
  void (async (hp: Holdpoint) => {
    const tone = {
      type: "x-tone",
      prompt: "Fit to be sent?",
      actions: [{ id: "send" }, { id: "soften" }],
    } as const;
    expectTypeOf((await hp.ask(tone)).orThrow().action).toEqualTypeOf<"send" | "soften">();
    const narrow = { type: "approval", prompt: "?", actions: [{ id: "approve" }, { id: "reject" }] } as const;
    expectTypeOf((await hp.ask(narrow)).orThrow().action).toEqualTypeOf<"approve" | "reject">();
  });
});

test("the types of a form: an answer has one member a field, and optional or conditional ones may be missing", () => {
  void (async (hp: Holdpoint) => {
    const outcome = await hp.ask({
      type: "input",
      prompt: "A few facts about the contract?",
      form: {
        fields: [
          { key: "start", label: "Starts on", type: "date", required: true },
          {
            key: "kind",
            label: "Kind",
            type: "select",
            required: true,
            options: [
              { value: "fixed", label: "Fixed price" },
              { value: "hourly", label: "By the hour" },
            ],
          },
          {
            key: "rate",
            label: "Rate",
            type: "number",
            required: true,
            conditional: { field: "kind", operator: "eq", value: "hourly" },
          },
          { key: "urgent", label: "Urgent?", type: "boolean" },
          { key: "scan", label: "Signed copy", type: "x-file-upload" },
        ],
      },
    });
    const { data } = outcome.orThrow();
    expectTypeOf(data.start).toEqualTypeOf<string>();
    expectTypeOf(data.kind).toEqualTypeOf<"fixed" | "hourly">();
    expectTypeOf(data.rate).toEqualTypeOf<number | undefined>();
    expectTypeOf(data.urgent).toEqualTypeOf<boolean | undefined>();
    expectTypeOf(data.scan?.sha256).toEqualTypeOf<string | undefined>();
  });
});

test("the types of a form in steps: an answer has the fields of every step", () => {
  void (async (hp: Holdpoint) => {
    const steps = [
      { title: "One", fields: [{ key: "name", label: "Name", type: "text", required: true }] },
      { title: "Two", fields: [{ key: "age", label: "Age", type: "number" }] },
    ] as const;
    const { data } = (await hp.ask({ type: "input", prompt: "?", form: { steps } })).orThrow();
    expectTypeOf(data).toEqualTypeOf<{ readonly name: string; readonly age?: number }>();
  });
});

test("the types of a schema: an answer is what Zod or any Standard Schema makes of it", () => {
  void (async (hp: Holdpoint) => {
    const Budget = z.object({ amount: z.number(), currency: z.enum(["EUR", "USD"]).default("EUR") });
    const { data } = (await hp.ask({ type: "input", prompt: "?", responseSchema: Budget })).orThrow();
    expectTypeOf(data).toEqualTypeOf<{ amount: number; currency: "EUR" | "USD" }>();

    // Of an approval, it is the schema of the arguments that a person may change.
    const approval = (await hp.ask({ type: "approval", prompt: "?", responseSchema: Budget })).orThrow();
    expectTypeOf(approval.data.editedArgs?.amount).toEqualTypeOf<number | undefined>();

    // Declared once, asked many times.
    const budget = defineHold("budget", { prompt: "How much?", answer: Budget });
    expectTypeOf((await hp.ask(budget({ key: "spring" }))).orThrow().data.currency).toEqualTypeOf<
      "EUR" | "USD"
    >();

    // Plain JSON Schema is checked by the server; the compiler knows nothing of it.
    const plain = { type: "input", prompt: "?", responseSchema: { type: "object" } } as const;
    expectTypeOf((await hp.ask(plain)).orThrow().data).toEqualTypeOf<JsonObject>();
  });
});

test("the types of place: a handle keeps the types of its question when it is saved and found again", () => {
  void (async (hp: Holdpoint) => {
    const question = {
      key: "refund:1042",
      type: "approval",
      prompt: "Refund?",
      responseSchema: z.object({ cents: z.number() }),
    } as const;
    const placed = await hp.place(question);
    expectTypeOf(placed.id).toEqualTypeOf<string>();
    expectTypeOf(placed.reviewUrl).toEqualTypeOf<string | undefined>();
    expectTypeOf(placed.toJSON()).toEqualTypeOf<SavedHold>();
    expectTypeOf((await placed.outcome()).kind).toEqualTypeOf<
      "decided" | "expired" | "cancelled" | "pending"
    >();
    expectTypeOf((await placed.wait()).kind).toEqualTypeOf<"decided" | "expired" | "cancelled">();

    // Next week, in another process: with its question it has the same types, without one plain ones.
    const again = hp.hold(placed.toJSON(), question);
    expectTypeOf((await again.wait()).orThrow().data.editedArgs).toEqualTypeOf<
      { cents: number } | undefined
    >();
    const found = await hp.find({ key: "refund:1042" }, question);
    expectTypeOf(found?.status).toEqualTypeOf<"open" | "decided" | "expired" | "cancelled" | undefined>();
    expectTypeOf(hp.hold("hold_1")).toEqualTypeOf<HoldHandle<JsonObject, string>>();

    // A function for any hold takes a handle on each: it needs no type parameters.
    const anyHold = async (handle: HoldHandle): Promise<SettledOutcome> => handle.wait();
    await anyHold(await hp.place({ type: "approval", prompt: "Refund?" }));
    await anyHold(placed);
    await anyHold(
      await hp.place({ type: "selection", prompt: "Which?", options: [{ id: "a", label: "A" }] }),
    );

    // The work is given the decision; its result is what the caller gets, now and on every repeat.
    const receipt = await again.runOnce(({ data }) => ({ paid: data.editedArgs?.cents ?? 8_000 }));
    expectTypeOf(receipt).toEqualTypeOf<{ paid: number }>();
  });
});

test("the types of any and all: each outcome has the types of its own question", () => {
  void (async (hp: Holdpoint) => {
    const amount = { type: "input", prompt: "?", responseSchema: z.object({ amount: z.number() }) } as const;
    const placed = await hp.place(amount);
    const [first, second, third] = await hp.all([placed, { type: "confirmation", prompt: "?" }, "hold_3"]);
    expectTypeOf(first.orThrow().data.amount).toEqualTypeOf<number>();
    expectTypeOf(second.orThrow().action).toEqualTypeOf<"confirm" | "cancel">();
    expectTypeOf(third.orThrow().data).toEqualTypeOf<JsonObject>();

    const winner = await hp.any([placed, { type: "confirmation", prompt: "?" }]);
    expectTypeOf(winner.index).toEqualTypeOf<0 | 1>();
    if (winner.index === 0) expectTypeOf(winner.outcome.orThrow().data.amount).toEqualTypeOf<number>();
  });
});

test("the types of the short forms: they return the value itself", () => {
  void (async (hp: Holdpoint) => {
    // `false` is a person's no; nobody's decision throws.
    const approved = await hp.approve("Deploy build 7?", { key: "deploy:7", timeout: "2h" });
    if (approved) expectTypeOf(await approved.runOnce(() => "deployed")).toEqualTypeOf<string>();

    const changed = await hp.approve("Pay 80 EUR?", { responseSchema: z.object({ cents: z.number() }) });
    if (changed) expectTypeOf(changed.editedArgs?.cents).toEqualTypeOf<number | undefined>();

    expectTypeOf(await hp.choose("Where?", ["eu", "us"])).toEqualTypeOf<"eu" | "us">();
    expectTypeOf(await hp.choose("Who?", [{ id: "ada", label: "Ada Park" }])).toEqualTypeOf<"ada">();

    const { amount } = await hp.input(z.object({ amount: z.number() }), { prompt: "How much?" });
    expectTypeOf(amount).toEqualTypeOf<number>();
  });
});
