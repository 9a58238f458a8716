import type { InterruptAnswer } from "@holdpoint/protocol/agui";
import { expect, it, vi } from "vitest";
import { clientOf, kit } from "../testing/agui-kit.ts";
import { stopsForPeople } from "../testing/style.suite.ts";
import { advanceRun, executeOnce, finishRun, type Progress, type SuspendableRun } from "./index.ts";

const NAMES = ["ada", "grace"];

/** What a workflow engine would keep in its own database. */
interface Kept {
  isDone: boolean;
}

function payments(
  kept: Kept,
  act: (name: string, answer: InterruptAnswer) => Promise<void>,
): SuspendableRun<"paid"> {
  const progress = (): Progress<"paid"> =>
    kept.isDone
      ? { kind: "done", result: "paid" }
      : {
          kind: "suspended",
          suspensions: NAMES.map((name) => ({
            id: name,
            ask: { reason: "human_approval", message: `Pay ${name}?` },
          })),
        };
  return {
    key: "payments",
    look: async () => progress(),
    async resume(answers) {
      for (const name of NAMES) await act(name, answers.get(name) as InterruptAnswer);
      kept.isDone = true;
      return progress();
    },
  };
}

stopsForPeople("a workflow that suspends", () => {
  const kept: Kept = { isDone: false };
  return async ({ test, holdpoint, pay }) => {
    const run = payments(kept, async (name, answer) => {
      await executeOnce(holdpoint, answer, () => {
        pay(name);
        return name;
      });
    });
    const machine = { now: () => test.clock.now(), after: () => () => undefined };
    return {
      advance: async () => (await advanceRun(run, { holdpoint, machine })).kind,
      [Symbol.asyncDispose]: async () => undefined,
    };
  };
});

it("finishRun waits for people until the run has ended", async () => {
  await using here = await kit(async function* () {});
  const [app, operator] = [clientOf(here.test), clientOf(here.test, "operator")];
  const seen: string[] = [];
  const run = payments({ isDone: false }, async (name, answer) => void seen.push(`${name} ${answer.status}`));
  const ended = finishRun(run, { holdpoint: app, machine: { now: () => here.test.clock.now() } });
  await vi.waitFor(async () => expect((await operator.list({ status: "open" })).holds).toHaveLength(2));
  const [grace, ada] = (await operator.list({ status: "open" })).holds;
  await operator.answer(ada?.id ?? "", { action: "approve" });
  await operator.cancel(grace?.id ?? "");
  expect(await ended).toBe("paid");
  expect(seen).toHaveLength(2);
});

it("a workflow asks with the SDK's own words, and reads an edited approval", async () => {
  await using here = await kit(async function* () {});
  const [app, operator] = [clientOf(here.test), clientOf(here.test, "operator")];
  const seen: InterruptAnswer[] = [];
  const ask = {
    type: "approval",
    prompt: "Pay 80 EUR?",
    context: { order: "7" },
    answerers: ["ada"],
  } as const;
  const run: SuspendableRun<string> = {
    key: "order-7",
    look: async () => ({ kind: "suspended", suspensions: [{ id: "pay", ask }] }),
    async resume(answers) {
      seen.push(...answers.values());
      return { kind: "done", result: "paid" };
    },
  };
  const options = {
    holdpoint: app,
    machine: { now: () => here.test.clock.now(), after: () => () => undefined },
  };
  expect((await advanceRun(run, options)).kind).toBe("waiting");
  const [hold] = (await operator.list({ status: "open" })).holds;
  expect(hold).toMatchObject({ ...ask, key: "order-7:pay", threadId: "order-7", links: "server" });
  await operator.answer(hold?.id ?? "", { action: "approve", data: { edited_args: { cents: 5 } } });
  expect(await advanceRun(run, options)).toEqual({ kind: "done", result: "paid" });
  expect(seen).toMatchObject([{ status: "resolved", approved: true, payload: { editedArgs: { cents: 5 } } }]);
});

it("a workflow places its holds with the callback address that it was given", async () => {
  await using here = await kit(async function* () {});
  const app = clientOf(here.test);
  const run = payments({ isDone: false }, async () => undefined);
  const machine = { now: () => here.test.clock.now(), after: () => () => undefined };
  const waiting = await advanceRun(run, { holdpoint: app, machine, callbackUrl: "http://127.0.0.1:9/bell" });
  if (waiting.kind !== "waiting") throw new Error(waiting.kind);
  const holds = await Promise.all(waiting.holdIds.map((id) => app.get(id)));
  expect(holds.map(({ callbackUrl }) => callbackUrl)).toEqual([
    "http://127.0.0.1:9/bell",
    "http://127.0.0.1:9/bell",
  ]);
});
