/** Processes that die, that come twice, and that wait for as long as people take. */

import { ok, rejects, strictEqual } from "node:assert/strict";
import { ADA, GRACE, isKind } from "./stage.ts";
import type { AdapterCase } from "./suite.ts";

export const PROCESSES: readonly AdapterCase[] = [
  {
    title: "a process that is lost before it places the holds leaves a run that asks once",
    script: [[ADA, GRACE]],
    async play(trial) {
      trial.holds.failNext("place");
      trial.holds.failNext("place");
      await rejects(trial.advance());
      isKind(await trial.advance(), "waiting");
      await trial.isOpen(2);
    },
  },
  {
    title: "holds whose reply is lost are found again by the next process",
    script: [[ADA]],
    async play(trial) {
      trial.holds.loseReply("place");
      await rejects(trial.advance());
      isKind(await trial.advance(), "waiting");
      await trial.isOpen(1);
    },
  },
  {
    title: "a process that is lost before it resumes is replaced by another one",
    script: [[ADA]],
    async play(trial) {
      await trial.advance();
      await trial.answer("ada", "approve");
      trial.holds.failNext("claim");
      await trial.advance().catch(() => undefined);
      isKind(await trial.advance(), "done");
      trial.paidTo("ada");
    },
  },
  {
    title: "a process that is lost between claim and report never makes another one run the call again",
    script: [[ADA]],
    async play(trial) {
      await trial.advance();
      await trial.answer("ada", "approve");
      const isPaid = trial.diesAfterPaying();
      void trial.advance().catch(() => undefined);
      await isPaid;
      // Neither the lease of the run nor that of the claim outlives this.
      await trial.holds.advance("1h");
      await rejects(trial.advance(), { name: "ExecutionUnknown" });
      await rejects(trial.advance(), { name: "ExecutionUnknown" });
      strictEqual(trial.paid.length, 1);
    },
  },
  {
    title: "a process that is lost after the call ran and was reported goes on with the recorded result",
    script: [[ADA]],
    needs: "state",
    async play(trial) {
      await trial.advance();
      await trial.answer("ada", "approve");
      trial.afterPay = () => trial.holds.failNext("keepThread");
      await rejects(trial.advance());
      trial.afterPay = () => undefined;
      isKind(await trial.advance(), "done");
      trial.paidTo("ada");
      trial.heard(/paid ada 80/);
    },
  },
  {
    title: "two callbacks at once make each payment once",
    script: [[ADA, GRACE]],
    async play(trial) {
      await trial.advance();
      await trial.answer("ada", "approve");
      await trial.answer("grace", "approve");
      const ends = await Promise.all([trial.advance(), trial.advance()]);
      ok(ends.some(({ kind }) => kind === "done"));
      isKind(await trial.advance(), "done");
      trial.paidTo("ada", "grace");
    },
  },
  {
    title: "a process that stays waits for people without any callback",
    script: [[ADA], [GRACE]],
    async play(trial) {
      const finished = trial.finish();
      await trial.holds.answerNext("approve");
      await trial.holds.rejectNext("enough");
      await finished;
      trial.paidTo("ada");
    },
  },
];
