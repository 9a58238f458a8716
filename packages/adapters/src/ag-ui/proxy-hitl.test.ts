/** Finding 6: a LangChain agent with `humanInTheLoopMiddleware` behind the proxy, in both spellings. */

import { HttpAgent } from "@ag-ui/client";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, tool } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { hitl, scriptedModel } from "../langgraph/langchain.fixture.ts";
import { clientOf } from "../testing/agui-kit.ts";
import { rawProxy, type Seen } from "../testing/raw-proxy.ts";

const SCRIPT = [
  [
    { id: "call_ada", args: { to: "ada", amount: 80 } },
    { id: "call_grace", args: { to: "grace", amount: 20 } },
  ],
];

/** The names as the Python middleware writes them, and back: its graph is the same. */
const snake = (value: Seen): Seen =>
  renamed(value, (name) => name.replace(/[A-Z]/g, (at) => `_${at.toLowerCase()}`));
const camel = (value: Seen): Seen =>
  renamed(value, (name) => name.replace(/_([a-z])/g, (_, at) => at.toUpperCase()));

function renamed(value: Seen, name: (old: string) => string): Seen {
  if (Array.isArray(value)) return value.map((each) => renamed(each, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [name(key), renamed(each, name)]));
}

async function behindProxy(spelling: "camel" | "snake") {
  const paid: object[] = [];
  const pay = tool(
    (payment) => {
      paid.push(payment);
      return "paid";
    },
    { name: "pay", description: "Pays", schema: z.object({ to: z.string(), amount: z.number() }) },
  );
  const agent = createAgent({
    model: scriptedModel(SCRIPT),
    tools: [pay],
    middleware: [hitl({ interruptOn: { pay: true } })],
    checkpointer: new MemorySaver(),
  });
  const here = await rawProxy(async ({ threadId, forwardedProps }) => {
    const resume = forwardedProps?.command?.resume;
    const given =
      resume === undefined
        ? { messages: [{ role: "user", content: "Pay the bills." }] }
        : new Command({ resume: spelling === "snake" ? camel(resume) : resume });
    const end = (await agent.invoke(given as never, { configurable: { thread_id: threadId } })) as Seen;
    const value = end.__interrupt__?.[0]?.value;
    if (value === undefined) return {};
    const told = JSON.stringify(spelling === "snake" ? snake(value) : value);
    return { events: [{ type: "CUSTOM", name: "on_interrupt", value: told }] };
  });
  return { here, paid };
}

describe.each(["camel", "snake"] as const)(
  "finding 6: an agent with LangChain's middleware behind the proxy (%s case)",
  (spelling) => {
    const played = async (answers: readonly { readonly action: string; readonly data?: object }[]) => {
      const { here, paid } = await behindProxy(spelling);
      await using _ = here;
      const client = new HttpAgent({ url: here.url, threadId: "t1" });
      await client.runAgent({ runId: "r1" });
      const open = client.pendingInterrupts;
      expect(open).toHaveLength(2);
      const operator = clientOf(here.test, "operator");
      for (const [at, answer] of answers.entries()) {
        const id = open[at]?.id ?? "";
        expect((await operator.get(id)).context).toEqual({ tool: "pay", arguments: SCRIPT[0]?.[at]?.args });
        await operator.answer(id, answer as never);
      }
      const { events } = await here.post({ threadId: "t1", runId: "r2" });
      return { paid, last: events.at(-1), sent: here.inputs[1]?.forwardedProps.command.resume };
    };

    it("the proxy asks about each call by itself, and resumes the agent once with all decisions", async () => {
      const changed = { to: "grace", amount: 1 };
      const { paid, last, sent } = await played([
        { action: "approve" },
        { action: "approve", data: { edited_args: changed } },
      ]);
      expect(last).toMatchObject({ type: "RUN_FINISHED" });
      const edited = spelling === "snake" ? "edited_action" : "editedAction";
      expect(sent).toEqual({
        decisions: [{ type: "approve" }, { type: "edit", [edited]: { name: "pay", args: changed } }],
      });
      expect(paid).toEqual([SCRIPT[0]?.[0]?.args, changed]);
    });

    it("the proxy accepts decisions in the middleware's own format, and refuses one for another tool", async () => {
      const { here, paid } = await behindProxy(spelling);
      await using _ = here;
      await here.post({ threadId: "t1", runId: "r1" });
      const edited = spelling === "snake" ? "edited_action" : "editedAction";
      const args = { to: "grace", amount: 1 };
      const decide = (name: string) => {
        const decisions = [{ type: "approve" }, { type: "edit", [edited]: { name, args } }];
        return here.post({
          threadId: "t1",
          runId: crypto.randomUUID(),
          forwardedProps: { command: { resume: { decisions } } },
        });
      };
      expect((await decide("wire")).events.at(-1)).toMatchObject({ type: "RUN_ERROR" });
      expect(paid).toEqual([]);
      expect((await decide("pay")).events.at(-1)).toMatchObject({ type: "RUN_FINISHED" });
      expect(paid).toEqual([SCRIPT[0]?.[0]?.args, args]);
    });

    it("the proxy tells the agent why both calls were rejected, and nothing is paid", async () => {
      const { paid, sent } = await played([
        { action: "reject", data: { feedback: "too much" } },
        { action: "reject" },
      ]);
      expect(paid).toEqual([]);
      expect(sent.decisions).toEqual([
        { type: "reject", message: expect.stringContaining("too much") },
        { type: "reject", message: expect.stringContaining("A person did not approve") },
      ]);
    });
  },
);
