import { expect, test } from "vitest";
import { type Hooks, hooksOf, onInputReceived, onInputRequested, runHook } from "./hooks.ts";

/** What a compiler makes of `@onInputRequested tell() {}`: the decorator is called once, its initializer per instance. */
function decorated() {
  const initializers: ((this: unknown) => void)[] = [];
  const context = {
    kind: "method",
    name: "tell",
    addInitializer: (run: (this: unknown) => void) => initializers.push(run),
  };
  class Agent {
    readonly heard: unknown[] = [];
    constructor() {
      for (const run of initializers) run.call(this);
    }
    tell(...args: unknown[]) {
      this.heard.push(args);
    }
  }
  onInputRequested(Agent.prototype.tell as never, context as never);
  onInputReceived(Agent.prototype.tell as never, context as never);
  return Agent;
}

test("OI-123 methods can be marked as hooks by standard decorators, each instance for itself", async () => {
  const Agent = decorated();
  const [one, other] = [new Agent(), new Agent()];
  await runHook([hooksOf(one)], "onInputRequested", { id: "i" } as never, { id: "s" } as never);
  await runHook([hooksOf(one)], "onSuspensionExpired", {} as never, {} as never);
  expect(one.heard).toEqual([[{ id: "i" }, { id: "s" }]]);
  expect(other.heard).toEqual([]);
  expect(Object.keys(hooksOf({}))).toEqual([]);
});

test("OI-123 a hook that throws is reported, and the next one still runs", async () => {
  const said: unknown[] = [];
  const hooks: Hooks[] = [
    {
      onInputRequested: () => {
        throw new Error("broken");
      },
      onHookError: (name, error) => said.push([name, (error as Error).message]),
    },
    { onInputRequested: () => void said.push("second") },
  ];
  await runHook(hooks, "onInputRequested", {} as never, {} as never);
  expect(said).toEqual([["onInputRequested", "broken"], "second"]);
});
