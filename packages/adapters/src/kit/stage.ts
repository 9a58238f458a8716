/** One test: a Holdpoint in memory, a ledger of payments, and processes of the agent that come and go. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Hold } from "@holdpoint/protocol/client";
import { type TestHoldpoint, testHoldpoint } from "@holdpoint/sdk/testing";
import type { CallAsk } from "../tool-calls/call.ts";
import { serverStore } from "../workflow/store.ts";
import { type Advanced, advanceRun, finishRun, type RunOptions } from "../workflow/workflow.ts";
import type { AdapterUnderTest, AgentProcess, Payment, ScriptedCall, Stage } from "./adapter.ts";

const HOUR = "1h";

export const ADA: ScriptedCall = { id: "call_1", args: { to: "ada", amount: 80 } };
export const GRACE: ScriptedCall = { id: "call_2", args: { to: "grace", amount: 20 } };

export class Trial implements AsyncDisposable {
  readonly holds: TestHoldpoint = testHoldpoint();
  readonly paid: Payment[] = [];
  readonly stage: Stage;
  readonly #adapter: AdapterUnderTest;
  readonly #processes: AgentProcess[] = [];
  /** Done inside `pay`, after the payment. */
  afterPay: () => Promise<void> | void = () => undefined;

  constructor(adapter: AdapterUnderTest, script: Stage["script"], asks: CallAsk = {}) {
    this.#adapter = adapter;
    this.stage = {
      ...{ holdpoint: this.holds.client, key: "trial", script, store: serverStore(this.holds.client) },
      ask: () => asks,
      pay: async (payment) => {
        this.paid.push(payment);
        await this.afterPay();
        return `paid ${payment.to} ${payment.amount}`;
      },
    };
  }

  get options(): RunOptions {
    const machine = { now: () => this.holds.now().getTime(), after: () => () => undefined };
    return { holdpoint: this.holds.client, machine };
  }

  async process(): Promise<AgentProcess> {
    const process = await this.#adapter.start(this.stage);
    this.#processes.push(process);
    return process;
  }

  /** A new process goes as far as it can. */
  async advance(): Promise<Advanced<unknown>> {
    return advanceRun((await this.process()).run, this.options);
  }

  async finish(): Promise<unknown> {
    return finishRun((await this.process()).run, this.options);
  }

  /** The process that pays next is never heard of again. Resolves when it has paid. */
  diesAfterPaying(): Promise<void> {
    return new Promise((resolve) => {
      this.afterPay = () => {
        this.afterPay = () => undefined;
        resolve();
        return new Promise(() => undefined);
      };
    });
  }

  forge(): Promise<void> {
    return this.#adapter.forge(this.stage);
  }

  /** The open hold about the payment to this person. */
  async about(name: string): Promise<Hold> {
    const hold = (await this.holds.open()).find(({ context }) => JSON.stringify(context).includes(name));
    ok(hold !== undefined, `a hold about ${name} is open`);
    return hold;
  }

  async answer(name: string, action: string, data?: Readonly<Record<string, unknown>>): Promise<void> {
    const { id } = await this.about(name);
    await this.holds.person("mara").answer(id, { action, ...(data === undefined ? {} : { data }) });
  }

  async expire(): Promise<void> {
    await this.holds.advance(HOUR);
  }

  paidTo(...names: readonly string[]): void {
    deepStrictEqual(this.paid.map(({ to }) => to).toSorted(), names.toSorted());
  }

  /** Of a step in which a person rejected another call. */
  paidBesideRejected(...names: readonly string[]): void {
    this.paidTo(...(this.#adapter.rejectsWholeSteps === true ? [] : names));
  }

  async isOpen(count: number): Promise<void> {
    strictEqual((await this.holds.open()).length, count, "open holds");
  }

  /** What any model of this trial was told. */
  heard(words: RegExp): void {
    const told = this.#processes.flatMap((process) => process.told()).join("\n");
    ok(words.test(told), `the model is told ${words}; it was told: ${told}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const process of this.#processes) await process.stop?.();
    await this.holds.stop();
  }
}

export function isKind(advanced: Advanced<unknown>, kind: Advanced<unknown>["kind"]): void {
  strictEqual(advanced.kind, kind);
}
