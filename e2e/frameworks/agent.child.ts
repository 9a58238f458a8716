/**
 * One process of an agent, to be killed: `agent.child.ts <driver> <export> <settings>`. At the call of the hold client that the
 * settings name it says so and hangs, so that the test kills it between two instructions.
 */

import { appendFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { AdapterUnderTest, Stage } from "@holdpoint/adapters/testing";
import { finishRun, serverStore } from "@holdpoint/adapters/workflow";
import { Holdpoint } from "@holdpoint/sdk";

const [driver = "", name = "", settings = "{}"] = process.argv.slice(2);
const { url, apiKey, key, ledger, hangAt } = JSON.parse(settings);

const { client } = new Holdpoint({ url, apiKey });
const hanging = new Proxy(client, {
  get: (target, method) => {
    const member: unknown = Reflect.get(target, method, target);
    if (typeof member !== "function") return member;
    return (...given: unknown[]) => (method === hangAt ? hang() : member.apply(target, given));
  },
});

function hang(): Promise<never> {
  process.stdout.write(`at ${hangAt}\n`);
  setInterval(() => undefined, 60_000);
  return new Promise(() => undefined);
}

const stage: Stage = {
  ...{ holdpoint: hanging, key, store: serverStore(hanging), ask: () => ({}) },
  script: [[{ id: "call_ada", args: { to: "ada", amount: 80 } }]],
  pay({ to, amount }) {
    appendFileSync(ledger, `${to} ${amount}\n`);
    return "paid";
  },
};

const adapter: AdapterUnderTest = (await import(pathToFileURL(driver).href))[name];
const agent = await adapter.start(stage);
// The lease of a process that was killed is over soon.
const ended = await finishRun(agent.run, { holdpoint: hanging, leaseMs: 500 }).then(
  () => "done",
  (error: Error) => error.name,
);
process.stdout.write(`ended: ${ended}\n`);
process.exit(0);
