/** A thread between an app and an AG-UI agent that asks before it acts. */

import { type AgUiHandler, createAgUiHandler } from "@holdpoint/adapters/ag-ui";
import { sseParser } from "@holdpoint/protocol/http";
import { expect, vi } from "vitest";
import type { EndingKind } from "./endings.ts";
import { PROXY, type Site, TIMEOUT, type Wire, type World } from "./world.ts";

export interface Conversation {
  readonly holdId: string;
  /** The last event of a run that resumes. */
  resume(answer: { readonly approved: boolean } | "cancelled"): Promise<Wire>;
  /** What a page shows after a reload. */
  reload(): Promise<Wire>;
  /** The agent did what it asked about: once if it was told yes, otherwise not at all. */
  wentOn(kind: EndingKind): Promise<void>;
}

type Agent = (path: string, body?: object) => Promise<Response>;

/** The app's back end is the agent's, and runs beside either server. */
export async function handled(
  world: World,
  threadId: string,
  message: string,
  ladder: Wire,
): Promise<Conversation> {
  let executions = 0;
  const handlerAt = (site: Site): AgUiHandler =>
    createAgUiHandler({
      holdpoint: site.client("app"),
      identify: () => ({ id: "u1", name: "Ada" }),
      machine: {
        now: () => world.clock.now(),
        after: (ms, wake) => world.clock.at(world.clock.now() + ms, wake),
      },
      async *agent(run) {
        yield "One moment.";
        const { kind } = await run.tool({
          name: "refund",
          args: { order: 7 },
          approval: { message, timeout: TIMEOUT, ladder },
          execute() {
            executions += 1;
            return "refunded";
          },
        });
        return { kind };
      },
    });
  const [asking, resuming] = [world.placing, world.answering].map((site): Agent => {
    const handler = handlerAt(site);
    return (path, body) => handler(new Request(`http://app.example/agent${path}`, posting(body)));
  }) as [Agent, Agent];
  const talk = await begin(threadId, message, asking, resuming);
  const wentOn = async (kind: EndingKind) => {
    // Asked again with the same answer it goes on with what it did.
    if (kind === "decided") expect(await talk.resume({ approved: true })).toMatchObject(SUCCESS);
    expect(executions).toBe(kind === "decided" ? 1 : 0);
  };
  return { ...talk, wentOn };
}

/** The agent is somebody else's and far away: the app knows it by its address at the server. */
export async function proxied(world: World, threadId: string, message: string): Promise<Conversation> {
  const [asking, resuming] = [world.placing, world.answering].map((site): Agent => {
    const authorization = `Bearer ${site.test.keys.app}`;
    return (path, body) => fetch(`${site.url}/agui/proxy/${PROXY}${path}`, posting(body, { authorization }));
  }) as [Agent, Agent];
  const talk = await begin(threadId, message, asking, resuming);
  const wentOn = async (kind: EndingKind) => {
    const told =
      kind === "decided" ? { status: "resolved", payload: { approved: true } } : { status: "cancelled" };
    // With nobody connected the server tells the agent by itself, when it comes to it.
    await vi.waitFor(
      async () => {
        const { body } = await world.placing.call("GET", "/v1/releases?state=released", "operator");
        expect(body.releases.map(({ thread_id }: Wire) => thread_id)).toContain(threadId);
      },
      { timeout: 20_000, interval: 10 },
    );
    expect(world.upstream.resumes(threadId)).toMatchObject([[told]]);
  };
  return { ...talk, wentOn };
}

const SUCCESS = { type: "RUN_FINISHED", outcome: { type: "success" } };

function posting(body?: object, headers: Readonly<Record<string, string>> = {}): RequestInit {
  if (body === undefined) return { headers };
  return {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

async function begin(threadId: string, message: string, asking: Agent, resuming: Agent) {
  let runs = 0;
  const run = async (agent: Agent, more: object): Promise<Wire> => {
    runs += 1;
    const messages = [{ id: "m1", role: "user", content: message }];
    const reply = await agent("", {
      threadId,
      runId: `${threadId}-${runs}`,
      protocolVersion: "1.0",
      messages,
      ...more,
    });
    return JSON.parse(
      sseParser()
        .push(await reply.text())
        .at(-1)?.data ?? "{}",
    );
  };
  const [{ id: interruptId }] = (await run(asking, {})).outcome.interrupts;
  return {
    holdId: interruptId as string,
    resume(answer: { readonly approved: boolean } | "cancelled"): Promise<Wire> {
      const entry =
        answer === "cancelled"
          ? { interruptId, status: "cancelled" }
          : { interruptId, status: "resolved", payload: answer };
      return run(resuming, { resume: [entry] });
    },
    async reload(): Promise<Wire> {
      const reply = await resuming(`/interrupts?threadId=${encodeURIComponent(threadId)}`);
      return reply.json();
    },
  };
}
