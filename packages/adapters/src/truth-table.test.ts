/** Every cell of the truth table, played with the real packages: what was not approved does not run (G14). */

import { HttpAgent } from "@ag-ui/client";
import type { InterruptAnswer } from "@holdpoint/protocol/agui";
import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import { Annotation, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { type TestServer, testServer } from "holdpoint/testing";
import { describe, expect, it } from "vitest";
import { aiSdk } from "./ai-sdk/driver.fixture.ts";
import type { AdapterUnderTest } from "./kit/index.ts";
import { advanceRun, askPerson, executeOnce, graphRun, NotAnswered, withHolds } from "./langgraph/index.ts";
import { langChain } from "./langgraph/langchain.fixture.ts";
import { openAiAgents } from "./openai-agents/driver.fixture.ts";
import { clientOf, kit } from "./testing/agui-kit.ts";
import { bridgedGraph } from "./testing/bridged-graph.ts";
import { bringAbout, HOUR_MS } from "./testing/endings.ts";
import { type RawRun, rawProxy, type Seen } from "./testing/raw-proxy.ts";
import {
  type CallRow,
  type Cell,
  ENDINGS,
  type Ending,
  type LibraryRow,
  type RowName,
  TRUTH_TABLE,
} from "./testing/truth-table.ts";
import { playedWrapped } from "./testing/wrapped-tools.ts";
import type { Progress, SuspendableRun } from "./workflow/index.ts";

const code = (value: unknown) => `\`${JSON.stringify(value)}\``;
const soon = (now: number) => new Date(now + HOUR_MS).toISOString();
const SEES_NOTHING = "nothing: it still waits";

/** Everything the guarded tool and the code before it did. */
class Witness {
  readonly seen: string[] = [];
  runs = 0;

  cell(): { readonly sees: string; readonly runs: number } {
    return { sees: this.seen.at(-1) ?? SEES_NOTHING, runs: this.runs };
  }
}

const State = Annotation.Root({ done: Annotation<string> });
const graphOf = (node: () => Promise<object> | object) =>
  new StateGraph(State)
    .addNode("ask", node)
    .addEdge(START, "ask")
    .addEdge("ask", END)
    .compile({ checkpointer: new MemorySaver() });

/** Runs until it waits, ends its question, and runs on. */
async function advancing(run: SuspendableRun<unknown>, test: TestServer, ending: Ending): Promise<void> {
  const machine = { now: () => test.clock.now(), after: () => () => undefined };
  const options = { holdpoint: clientOf(test), machine };
  const waiting = await advanceRun(run, options);
  if (waiting.kind !== "waiting") throw new Error(waiting.kind);
  await bringAbout(test, waiting.holdIds[0] ?? "", ending);
  await advanceRun(run, options);
}

const wordsFor = (answer: InterruptAnswer) =>
  answer.status === "cancelled"
    ? `\`cancelled\`${answer.expired ? ", expired" : ""}`
    : `\`resolved\`, ${answer.approved ? "" : "not "}approved, ${code(answer.payload)}`;

async function plainInterrupt(ending: Ending): Promise<Witness> {
  await using test = await testServer();
  const witness = new Witness();
  const graph = graphOf(() => {
    const ok = interrupt({ message: "Refund?", expiresAt: soon(test.clock.now()) });
    const lost =
      ok === false && ending === "approved with changes" ? ": there is no place for the changes" : "";
    witness.seen.push(code(ok) + lost);
    if (ok) witness.runs += 1;
    return {};
  });
  const thread = { graph, threadId: "t1", input: { done: "" } };
  await advancing(graphRun(thread), test, ending).catch((error: unknown) => {
    if (!(error instanceof NotAnswered)) throw error;
    witness.seen.push("nothing: the run throws `NotAnswered`");
  });
  return witness;
}

async function askingPerson(ending: Ending): Promise<Witness> {
  await using test = await testServer();
  const witness = new Witness();
  const graph = graphOf(
    withHolds(async () => {
      const answer = askPerson({ reason: "human_approval", message: "Refund?", timeout: "1h" });
      witness.seen.push(wordsFor(answer));
      await executeOnce(clientOf(test), answer, (edited) => refund(witness, ending, edited));
      return {};
    }),
  );
  await advancing(graphRun({ graph, threadId: "t1", input: { done: "" } }), test, ending);
  return witness;
}

/** Only what was approved: with changes if there were any, as proposed otherwise. */
function refund(witness: Witness, ending: Ending, edited: JsonObject | undefined): Json {
  expect(edited).toEqual(ending === "approved with changes" ? { amount: 5 } : undefined);
  witness.runs += 1;
  return "refunded";
}

async function workflow(ending: Ending): Promise<Witness> {
  await using test = await testServer();
  const witness = new Witness();
  const ask = { reason: "human_approval", message: "Refund?", timeout: "1h" };
  let progress: Progress<string> = { kind: "suspended", suspensions: [{ id: "refund", ask }] };
  const run: SuspendableRun<string> = {
    key: "order-1",
    look: async () => progress,
    async resume(answers) {
      const answer = answers.get("refund");
      if (answer === undefined) throw new Error("the question has an answer");
      witness.seen.push(wordsFor(answer));
      await executeOnce(clientOf(test), answer, (edited) => refund(witness, ending, edited));
      progress = { kind: "done", result: "" };
      return progress;
    },
  };
  await advancing(run, test, ending);
  return witness;
}

async function tool(ending: Ending): Promise<Witness> {
  const witness = new Witness();
  await using here = await kit(async function* (run) {
    yield "One moment.";
    const outcome = await run.tool({
      name: "refund",
      args: { amount: 80 },
      editable: { type: "object", properties: { amount: { type: "number" } } },
      approval: { timeout: "1h" },
      execute({ amount }) {
        expect(amount).toBe(ending === "approved with changes" ? 5 : 80);
        witness.runs += 1;
        return "refunded";
      },
    });
    const changed = outcome.kind === "executed" && outcome.args["amount"] === 5;
    witness.seen.push(`\`${outcome.kind}\`${changed ? ", with the changed arguments" : ""}`);
    return null;
  });
  await throughHttp(here, ending);
  return witness;
}

/** A stock client starts the run; when its question has ended elsewhere, a run without an answer of its own goes on. */
async function throughHttp(
  here: {
    readonly url: string;
    readonly test: TestServer;
    post(body: object): Promise<{ events: readonly Seen[] }>;
  },
  ending: Ending,
): Promise<void> {
  const agent = new HttpAgent({ url: here.url, threadId: "t1" });
  await agent.runAgent({ runId: "r1" });
  const [open] = agent.pendingInterrupts;
  await bringAbout(here.test, open?.id ?? "", ending);
  const { events } = await here.post({ threadId: "t1", runId: "r2", messages: [] });
  const isWaiting = events.at(-1)?.code === "PENDING_INTERRUPTS";
  expect(isWaiting).toBe(ending === "left empty");
}

const CALL = [
  { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "refund" },
  { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: '{"amount":80}' },
  { type: "TOOL_CALL_END", toolCallId: "c1" },
];

/** An agent of somebody else behind the proxy: `stops` is how it asks, `hears` what its code looks at. */
async function proxied(
  ending: Ending,
  stops: (expiresAt: string) => RawRun,
  hears: (input: Seen, witness: Witness) => boolean | undefined,
): Promise<Witness> {
  const witness = new Witness();
  await using here = await rawProxy((input) => {
    const isApproved = hears(input, witness);
    if (isApproved === undefined) return stops(soon(here.test.clock.now()));
    if (isApproved) witness.runs += 1;
    return {};
  });
  await throughHttp(here, ending);
  return witness;
}

const released = (ending: Ending) =>
  proxied(
    ending,
    (expiresAt) => {
      const interrupts = [{ id: "i1", reason: "tool_call", toolCallId: "c1", expiresAt }];
      return { events: CALL, end: { outcome: { type: "interrupt", interrupts } } };
    },
    ({ resume }, witness) => {
      if (resume === undefined) return undefined;
      const [{ interruptId: _, ...entry }] = resume;
      witness.seen.push(code(entry));
      return entry.status === "resolved" && entry.payload.approved;
    },
  );

const draft = (ending: Ending) =>
  proxied(
    ending,
    (expiresAt) => {
      const interrupt = { id: "i1", reason: "human_approval", payload: { message: "Refund?", expiresAt } };
      return { end: { outcome: "interrupt", interrupt } };
    },
    ({ resume }, witness) => {
      if (resume === undefined) return undefined;
      witness.seen.push(code(resume.payload));
      return Boolean(resume.payload.approved);
    },
  );

const custom = (ending: Ending) =>
  proxied(
    ending,
    (expiresAt) => {
      const value = JSON.stringify({ message: "Refund?", expiresAt });
      return { events: [{ type: "CUSTOM", name: "on_interrupt", value }] };
    },
    ({ forwardedProps }, witness) => {
      if (forwardedProps?.command === undefined) return undefined;
      const { resume } = forwardedProps.command;
      const lost = ending === "approved with changes" ? ": there is no place for the changes" : "";
      witness.seen.push(code(resume) + lost);
      return Boolean(resume);
    },
  );

async function bridged(ending: Ending): Promise<Witness> {
  const witness = new Witness();
  let now = 0;
  const graph = graphOf(() => {
    const ok = interrupt({ message: "Refund?", expiresAt: soon(now) });
    const lost = ending === "approved with changes" ? ": there is no place for the changes" : "";
    witness.seen.push(code(ok) + lost);
    if (ok) witness.runs += 1;
    return {};
  });
  await using here = await bridgedGraph(graph, "outcome", { done: "" });
  now = here.test.clock.now();
  await throughHttp(here, ending);
  return witness;
}

type Played = (ending: Ending) => Promise<{ cell(): { readonly sees: string; readonly runs: number } }>;

const wrapped =
  (adapter: AdapterUnderTest): Played =>
  async (ending) => {
    const cell = await playedWrapped(adapter, ending);
    return { cell: () => cell };
  };

/** Mastra is no dependency of this repository: `e2e/frameworks` installs it and plays its row. The rows of our own agent libraries are played in `e2e/truth-table.test.ts`. */
const PLAYED: Readonly<Record<Exclude<RowName, "mastra" | LibraryRow | CallRow>, Played>> = {
  ...{ plainInterrupt, askPerson: askingPerson, workflow, tool, released, draft, custom, bridged },
  ...{ langChain: wrapped(langChain), aiSdk: wrapped(aiSdk), openAiAgents: wrapped(openAiAgents) },
};
const rows = Object.entries(PLAYED) as readonly (readonly [RowName, Played])[];

describe.each(rows)("finding 1 G14: the truth table, %s", (name, play) => {
  it.each(ENDINGS)(
    "a question that ended as %s shows the agent what the table says, and runs exactly what the table allows",
    async (ending) => {
      const cells: Readonly<Record<Ending, Cell>> = TRUTH_TABLE[name].cells;
      expect((await play(ending)).cell()).toEqual(cells[ending]);
    },
  );
});

it("G14 the truth table has no run for any ending that is not an approval", () => {
  const unapproved = ENDINGS.filter((ending) => !ending.startsWith("approved"));
  for (const { cells } of Object.values(TRUTH_TABLE)) {
    for (const ending of unapproved) expect(cells[ending].runs).toBe(0);
    expect(cells.approved.runs).toBe(1);
  }
});
