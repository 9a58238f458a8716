import { type TestServer, testServer } from "holdpoint/testing";
import { describe, expect, it } from "vitest";
import { clientOf } from "../testing/agui-kit.ts";
import { advanceRun, memoryStore, type RunStore, StateChanged, serverStore } from "../workflow/index.ts";
import { runGuarded, type ToolAgent, type ToolCall, toolRun } from "./index.ts";

const CALL = { id: "call_1", tool: "pay", args: { amount: 80 } };

/** A framework that proposes one call and then ends with what the call gave. */
function oneCall(paid: unknown[]): ToolAgent<unknown> {
  return {
    start: async () => ({ kind: "stopped", state: null, calls: [CALL] }),
    async resume(_state, decisions) {
      const decision = decisions.get(CALL.id);
      if (decision?.kind === "refused") return { kind: "done", result: decision.notice };
      const outcome = await runGuarded(CALL, (args) => {
        paid.push(args);
        return "paid";
      });
      return { kind: "done", result: outcome.kind === "ran" ? outcome.result : outcome.notice };
    },
  };
}

function staged(test: TestServer, more: { readonly version?: string; readonly store?: RunStore } = {}) {
  const holdpoint = clientOf(test, "agent");
  const paid: unknown[] = [];
  const tools = new Map([["pay", { name: "pay", rules: "server" as const }]]);
  const run = () =>
    toolRun({ key: "run-1", holdpoint: holdpoint.client, agent: oneCall(paid), tools, ...more });
  const machine = { now: () => test.clock.now(), after: () => () => undefined };
  return { paid, run, advance: () => advanceRun(run(), { holdpoint, machine }) };
}

const publish = (test: TestServer, verdict: "allow" | "ask" | "deny") =>
  test.call("PUT", "/v1/rules", {
    key: test.keys.admin,
    body: { rules: [{ tools: ["pay"], verdict, reason: "The books are closed." }] },
  });

describe("tool calls under the server's rules", () => {
  it("a call that the rules allow runs without asking anybody", async () => {
    await using test = await testServer();
    await publish(test, "allow");
    const { advance, paid } = staged(test);
    expect(await advance()).toEqual({ kind: "done", result: "paid" });
    expect(paid).toEqual([{ amount: 80 }]);
  });

  it("a call that the rules deny does not run, and the model is told the rule's reason", async () => {
    await using test = await testServer();
    await publish(test, "deny");
    const { advance, paid } = staged(test);
    expect(await advance()).toMatchObject({
      kind: "done",
      result: expect.stringContaining("The books are closed."),
    });
    expect(paid).toEqual([]);
  });

  it("a call that the rules ask about runs once after a person approved it", async () => {
    await using test = await testServer();
    await publish(test, "ask");
    const { advance, paid } = staged(test);
    const waiting = await advance();
    if (waiting.kind !== "waiting") throw new Error(waiting.kind);
    expect(await advance()).toEqual(waiting);
    await clientOf(test, "operator").answer(waiting.holdIds[0] ?? "", { action: "approve" });
    expect(await advance()).toEqual({ kind: "done", result: "paid" });
    expect(await advance()).toEqual({ kind: "done", result: "paid" });
    expect(paid).toEqual([{ amount: 80 }]);
  });

  it("an approved call does not run when the rules deny it before it is claimed", async () => {
    await using test = await testServer();
    await publish(test, "ask");
    const { advance, paid } = staged(test);
    const waiting = await advance();
    if (waiting.kind !== "waiting") throw new Error(waiting.kind);
    await clientOf(test, "operator").answer(waiting.holdIds[0] ?? "", { action: "approve" });
    await publish(test, "deny");
    await advance().catch(() => undefined);
    expect(paid).toEqual([]);
  });

  it("a client that cannot check calls is refused when a tool uses the server's rules", async () => {
    await using test = await testServer();
    const tools = new Map([["pay", { name: "pay", rules: "server" as const }]]);
    const unable = new Proxy(clientOf(test).client, {
      get: (target, name) => {
        const member = name === "check" ? undefined : Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    const run = toolRun({ key: "run-1", holdpoint: unable, agent: oneCall([]), tools });
    await expect(run.look()).rejects.toThrow("cannot check tool calls");
  });
});

describe("calls that share an id", () => {
  const args = { path: "/data" };
  const read = { id: "same", tool: "read", args };
  const wipe = { id: "same", tool: "wipe", args };

  /** A framework that runs every call that the model made, whatever it is told about them. */
  const deaf = (calls: readonly ToolCall[], ran: string[]): ToolAgent<unknown> => ({
    start: async () => ({ kind: "stopped", state: null, calls }),
    async resume() {
      const said: string[] = [];
      for (const call of [wipe, read]) {
        const outcome = await runGuarded(call, () => void ran.push(call.tool));
        if (outcome.kind === "refused") said.push(outcome.notice);
      }
      return { kind: "done", result: said };
    },
  });
  const tools = new Map(["read", "wipe"].map((name) => [name, { name, rules: "server" as const }]));
  const rules = (test: TestServer) =>
    test.call("PUT", "/v1/rules", {
      key: test.keys.admin,
      body: { rules: [{ tools: ["read"], verdict: "allow" }], default: "deny" },
    });

  it.each<[string, readonly ToolCall[]]>([
    ["before", [wipe, read]],
    ["after", [read, wipe]],
  ])(
    "a denied call %s an allowed one under the same id does not run, and neither does the other",
    async (_where, calls) => {
      await using test = await testServer();
      await rules(test);
      const holdpoint = clientOf(test, "agent");
      const ran: string[] = [];
      const run = toolRun({ key: "run-1", holdpoint: holdpoint.client, agent: deaf(calls, ran), tools });
      const machine = { now: () => test.clock.now(), after: () => () => undefined };
      const ended = await advanceRun(run, { holdpoint, machine });
      expect(ended).toMatchObject({
        kind: "done",
        result: [expect.stringContaining("same id"), expect.anything()],
      });
      expect(ran).toEqual([]);
    },
  );

  it("an allowed call does not let a call of another tool run under its id", async () => {
    await using test = await testServer();
    await rules(test);
    const holdpoint = clientOf(test, "agent");
    const ran: string[] = [];
    const run = toolRun({ key: "run-1", holdpoint: holdpoint.client, agent: deaf([read], ran), tools });
    const machine = { now: () => test.clock.now(), after: () => () => undefined };
    await advanceRun(run, { holdpoint, machine });
    expect(ran).toEqual(["read"]);
  });
});

describe("the state of a run", () => {
  it("a run is not resumed by another version of the agent", async () => {
    await using test = await testServer();
    await staged(test, { version: "1" }).advance();
    await expect(staged(test, { version: "2" }).advance()).rejects.toMatchObject({
      name: "RunOfOtherVersion",
    });
    expect((await staged(test, { version: "1" }).advance()).kind).toBe("waiting");
  });

  it("a run that another process has changed reports busy", async () => {
    await using test = await testServer();
    const store = memoryStore();
    const stale: RunStore = {
      load: (key) => store.load(key),
      save: async (key) => Promise.reject(new StateChanged(key)),
    };
    expect(await staged(test, { store: stale }).advance()).toEqual({ kind: "busy" });
  });

  it("a guarded tool that is called outside any run is refused", async () => {
    expect(await runGuarded(CALL, () => "paid")).toMatchObject({ kind: "refused" });
  });
});

describe.each(["server", "memory"])("the store in the %s", (which) => {
  it("one of two writers that read the same version saves its state", async () => {
    await using test = await testServer();
    const store = which === "server" ? serverStore(clientOf(test)) : memoryStore();
    const key = `${"long ".repeat(60)}run`;
    expect(await store.load(key)).toBeNull();
    const version = await store.save(key, { at: 1 }, 0);
    await expect(store.save(key, { at: 2 }, 0)).rejects.toBeInstanceOf(StateChanged);
    await store.save(key, { at: 3 }, version);
    expect((await store.load(key))?.state).toEqual({ at: 3 });
    expect(await store.load(`${key}2`)).toBeNull();
  });
});
