/** A real LangGraph graph behind the proxy, its interrupts and answers translated by the functions of `@ag-ui/langgraph`. */

import { buildLgCommandResumeFromAgui, langGraphInterruptsToAGUI } from "@ag-ui/langgraph";
import { Command } from "@langchain/langgraph";
import { type RawProxy, rawProxy } from "./raw-proxy.ts";

/** `outcome`: the bridge's `emitInterruptOutcome`; `told`: its default, `CUSTOM on_interrupt` with the interrupt as `rawEvent`. */
export type BridgeForm = "outcome" | "told" | "both";

interface Graph {
  invoke(input: never, config: object): Promise<unknown>;
  getState(config: object): Promise<unknown>;
}

type LgInterrupt = { readonly id: string; readonly value: unknown };

export async function bridgedGraph(graph: Graph, form: BridgeForm, input: object = {}): Promise<RawProxy> {
  return await rawProxy(async ({ threadId, resume: entries, forwardedProps }) => {
    const config = { configurable: { thread_id: threadId } };
    const resume =
      entries === undefined ? forwardedProps?.command?.resume : buildLgCommandResumeFromAgui(entries);
    await graph.invoke((resume === undefined ? input : new Command({ resume })) as never, config);
    const { tasks } = (await graph.getState(config)) as {
      readonly tasks: readonly { readonly interrupts: readonly LgInterrupt[] }[];
    };
    const open = tasks.flatMap(({ interrupts }) => interrupts);
    if (open.length === 0) return {};
    const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
    const events = open.map((each) => ({
      ...{ type: "CUSTOM", name: "on_interrupt", value: text(each.value), rawEvent: each },
    }));
    const interrupts = langGraphInterruptsToAGUI(open);
    return {
      ...(form === "outcome" ? {} : { events }),
      ...(form === "told" ? {} : { end: { outcome: { type: "interrupt", interrupts } } }),
    };
  });
}
