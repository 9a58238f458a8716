/** Every way in which a question about a call can end. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ADA, GRACE, isKind } from "./stage.ts";
import type { AdapterCase } from "./suite.ts";

export const ENDINGS: readonly AdapterCase[] = [
  {
    title: "people are shown tool and arguments, and nothing runs before they answer",
    script: [[ADA]],
    async play(trial) {
      isKind(await trial.advance(), "waiting");
      const { context } = await trial.about("ada");
      ok(JSON.stringify(context).includes('"pay"'), "the hold names the tool");
      ok(JSON.stringify(context).includes("80"), "the hold shows the arguments");
      isKind(await trial.advance(), "waiting");
      await trial.isOpen(1);
      trial.paidTo();
    },
  },
  {
    title: "an approved call runs once, with its arguments, and the model gets its result",
    script: [[ADA]],
    async play(trial) {
      await trial.advance();
      await trial.answer("ada", "approve");
      isKind(await trial.advance(), "done");
      isKind(await trial.advance(), "done");
      deepStrictEqual(trial.paid, [ADA.args]);
      trial.heard(/paid ada 80/);
    },
  },
  {
    title: "a rejected call never runs, and the model hears the person's reason",
    script: [[ADA]],
    async play(trial) {
      await trial.advance();
      await trial.answer("ada", "reject", { feedback: "not this supplier" });
      isKind(await trial.advance(), "done");
      trial.paidTo();
      trial.heard(/did not approve this call: not this supplier/);
    },
  },
  {
    title:
      "a call with changed arguments runs once with them, and the model hears that it must not repeat it",
    script: [[ADA]],
    async play(trial) {
      await trial.advance();
      await trial.answer("ada", "approve", { edited_args: { to: "ada", amount: 5 } });
      isKind(await trial.advance(), "done");
      deepStrictEqual(trial.paid, [{ to: "ada", amount: 5 }]);
      trial.heard(/person changed the arguments/);
      trial.heard(/Do not repeat/);
    },
  },
  {
    title: "a call that nobody answers in time never runs, and the model hears that nobody decided",
    script: [[ADA]],
    asks: { timeout: "1h" },
    async play(trial) {
      await trial.advance();
      await trial.expire();
      isKind(await trial.advance(), "done");
      trial.paidTo();
      trial.heard(/Nobody answered in time/);
    },
  },
  {
    title: "a call whose question is withdrawn never runs, and the model hears that nobody decided",
    script: [[ADA]],
    async play(trial) {
      await trial.advance();
      await trial.holds.cancelNext("no longer needed");
      isKind(await trial.advance(), "done");
      trial.paidTo();
      trial.heard(/withdrawn/);
    },
  },
  {
    title: "an approval that is taken back before it is used runs nothing",
    script: [[ADA]],
    async play(trial) {
      await trial.advance();
      const { id } = await trial.about("ada");
      await trial.answer("ada", "approve");
      await trial.holds.person("mara").revoke(id);
      isKind(await trial.advance(), "done");
      trial.paidTo();
    },
  },
  {
    title: "a tool that fails reaches the model as its own error, and is not repeated",
    script: [[ADA]],
    async play(trial) {
      trial.afterPay = () => {
        throw new Error("card declined");
      };
      await trial.advance();
      await trial.answer("ada", "approve");
      isKind(await trial.advance(), "done");
      strictEqual(trial.paid.length, 1);
    },
  },
  ...(["ada first", "grace first"] as const).map(
    (order): AdapterCase => ({
      title: `two calls of one step wait for both answers, and each gets its own (${order})`,
      script: [[ADA, GRACE]],
      async play(trial) {
        isKind(await trial.advance(), "waiting");
        await trial.isOpen(2);
        const answers = [
          () => trial.answer("ada", "approve"),
          () => trial.answer("grace", "reject", { feedback: "too much" }),
        ];
        const [first, second] = order === "ada first" ? answers : answers.toReversed();
        await first?.();
        isKind(await trial.advance(), "waiting");
        trial.paidTo();
        await second?.();
        isKind(await trial.advance(), "done");
        trial.paidBesideRejected("ada");
        trial.heard(/too much/);
      },
    }),
  ),
  {
    title: "two identical calls of one step are two questions, and one approval runs one of them",
    script: [[ADA, { ...ADA, id: "call_again" }]],
    async play(trial) {
      await trial.advance();
      await trial.isOpen(2);
      await trial.holds.answerNext("approve");
      await trial.holds.rejectNext();
      isKind(await trial.advance(), "done");
      trial.paidBesideRejected("ada");
    },
  },
  {
    title: "a model that repeats a rejected call asks again, and nothing runs without an approval",
    script: [[ADA], [{ ...ADA, id: "call_again" }]],
    async play(trial) {
      await trial.advance();
      await trial.answer("ada", "reject");
      isKind(await trial.advance(), "waiting");
      trial.paidTo();
      await trial.answer("ada", "reject");
      isKind(await trial.advance(), "done");
      trial.paidTo();
    },
  },
  {
    title: "a later step asks again, and each call runs once",
    script: [[ADA], [GRACE]],
    async play(trial) {
      await trial.advance();
      await trial.answer("ada", "approve");
      isKind(await trial.advance(), "waiting");
      await trial.answer("grace", "approve");
      isKind(await trial.advance(), "done");
      trial.paidTo("ada", "grace");
    },
  },
  {
    title: "a forged approval in a client's history or request runs nothing",
    script: [[ADA]],
    async play(trial) {
      await trial.forge();
      trial.paidTo();
    },
  },
  {
    title: "arguments that were changed after the approval run nothing",
    script: [[ADA]],
    needs: "state",
    async play(trial) {
      await trial.advance();
      await trial.answer("ada", "approve");
      const { store, key } = trial.stage;
      const before = await store.load(key);
      ok(before !== null, "the run keeps its state in the store it was given");
      const saved = before.state["saved"] as { readonly state: unknown };
      const state = JSON.parse(JSON.stringify(saved.state).replaceAll("ada", "eve"));
      await store.save(key, { ...before.state, saved: { ...saved, state } as never }, before.version);
      await trial.advance().catch(() => undefined);
      trial.paidTo();
    },
  },
];
