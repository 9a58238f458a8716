/** A server with a proxy before an agent of the test's own, which misbehaves as it is told to. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { sseParser } from "@holdpoint/protocol/http";
import { expect, vi } from "vitest";
import type { ProxySettings } from "../agui/proxy/settings.ts";
import { upstreamAt } from "../channels/upstream/upstream.ts";
import { ManualClock } from "./manual-clock.ts";
import { type TestServer, testServer } from "./test-server.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries and asserts on it.
export type Seen = any;
export type Script = (input: Seen, reply: ServerResponse, request: IncomingMessage) => void;

export const interrupts = [
  {
    id: "up-1",
    reason: "tool_call",
    toolCallId: "c1",
    message: "Pay Ada?",
    metadata: { payload: { amount: 40 } },
  },
  {
    id: "up-2",
    reason: "acme:odd",
    message: "Pay Grace?",
    responseSchema: { type: "object", properties: { approved: { type: "boolean" } }, required: ["approved"] },
  },
];

export const stream = (reply: ServerResponse, ...events: readonly object[]) => {
  if (!reply.headersSent) reply.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) reply.write(`data: ${JSON.stringify(event)}\n\n`);
};
export const started = (input: Seen) => ({
  type: "RUN_STARTED",
  threadId: input.threadId,
  runId: input.runId,
});
export const finished = (input: Seen, rest: object) => ({ ...started(input), type: "RUN_FINISHED", ...rest });
export const text = (messageId: string, delta: string) => [
  { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId, delta },
  { type: "TEXT_MESSAGE_END", messageId },
];
export const stopping: Script = (input, reply) => {
  stream(
    reply,
    started(input),
    ...text("m1", "Two payments."),
    finished(input, { outcome: { type: "interrupt", interrupts } }),
  );
  reply.end();
};
export const done: Script = (input, reply) => {
  stream(
    reply,
    started(input),
    ...text("m2", "Done."),
    finished(input, { outcome: { type: "success" }, result: { paid: 2 } }),
  );
  reply.end();
};

export interface Stage extends AsyncDisposable {
  readonly test: TestServer;
  readonly inputs: Seen[];
  readonly headers: Seen[];
  /** What the agent does with a run that brings answers. */
  resumed: Script;
  first: Script;
  run(body: object, path?: string): Promise<{ status: number; events: readonly Seen[] }>;
  answer(holdId: string, action?: string): Promise<void>;
  releases(state?: string): Promise<readonly Seen[]>;
}

export async function stage(more: Partial<ProxySettings> = {}): Promise<Stage> {
  const inputs: Seen[] = [];
  const headers: Seen[] = [];
  const agent = createServer((request, reply) => {
    let sent = "";
    request.on("data", (chunk: Buffer) => {
      sent += chunk.toString();
    });
    request.on("end", () => {
      const input = JSON.parse(sent);
      inputs.push(input);
      headers.push(request.headers);
      const isResumed = input.resume !== undefined || input.forwardedProps?.command !== undefined;
      (isResumed ? here.resumed : here.first)(input, reply, request);
    });
  });
  await new Promise<void>((resolve) => agent.listen(0, "127.0.0.1", () => resolve()));
  const url = `http://127.0.0.1:${(agent.address() as AddressInfo).port}/run`;
  const clock = new ManualClock();
  const ask = upstreamAt({ url, headers: { authorization: "Bearer upstream-secret" } }, clock);
  const test = await testServer({
    clock,
    agUi: {
      proxies: {
        payer: {
          ...{ ask, autoResume: true, idempotent: false },
          ...{ ladder: [], links: "server", ...more },
        },
      },
    },
  });
  const here: Stage = {
    ...{ test, inputs, headers, resumed: done, first: stopping },
    async run(body, path = "") {
      const reply = await test.call("POST", `/agui/proxy/payer${path}`, {
        key: test.keys.app,
        body: { threadId: "t1", runId: "r1", protocolVersion: "1.0", messages: [], ...body },
      });
      const events = typeof reply.body === "string" ? eventsIn(reply.body) : [];
      return { status: reply.status, events };
    },
    async answer(holdId, action = "approve") {
      const body = { action, ...(action === "submit" ? { data: { approved: true } } : {}) };
      const reply = await test.call("POST", `/v1/holds/${holdId}/answer`, { key: test.keys.operator, body });
      expect(reply.status).toBe(200);
    },
    async releases(state) {
      const query = state === undefined ? "" : `?state=${state}`;
      const { body } = await test.call("GET", `/v1/releases${query}`, { key: test.keys.operator });
      return body.releases;
    },
    async [Symbol.asyncDispose]() {
      agent.closeAllConnections();
      agent.close();
      await test[Symbol.asyncDispose]();
    },
  };
  return here;
}

export function eventsIn(sse: string): readonly Seen[] {
  return sseParser()
    .push(sse)
    .map(({ data }) => JSON.parse(data));
}

export const idsOf = ({ events }: { readonly events: readonly Seen[] }) =>
  events.at(-1).outcome.interrupts.map(({ id }: Seen) => id) as [string, string];
export const approve = (interruptId: string) => ({
  interruptId,
  status: "resolved",
  payload: { approved: true },
});
/** Both answered by somebody else, through another door, with nobody connected. */
export async function answerBoth(here: Stage): Promise<void> {
  for (const id of idsOf(await here.run({}))) await here.answer(id);
}
export const eventually = <Value>(look: () => Promise<Value>) => vi.waitFor(look, { timeout: 10_000 });
export const stateIs = (here: Stage, state: string, more: object = {}) =>
  eventually(async () => {
    await here.test.clock.advance(0);
    const [release] = await here.releases();
    expect(release).toMatchObject({ state, ...more });
    return release;
  });
