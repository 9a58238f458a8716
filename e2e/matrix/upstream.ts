/** An AG-UI agent on a port of its own that knows nothing of Holdpoint: it stops before it pays, and pays when it is told to. */

import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Wire } from "./world.ts";

const CALL = [
  { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "pay" },
  { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: '{"amount":40}' },
  { type: "TOOL_CALL_END", toolCallId: "c1" },
];

export class Upstream {
  readonly #http: Server;
  readonly #resumes = new Map<string, Wire[]>();

  private constructor(expiresAt: () => number) {
    this.#http = createServer(async (request, reply) => {
      const input = await read(request);
      reply.writeHead(200, { "content-type": "text/event-stream" });
      const { threadId, runId } = input;
      const call = Array.isArray(input.resume) ? [] : CALL;
      for (const event of [{ type: "RUN_STARTED" }, ...call, this.#end(input, expiresAt())])
        reply.write(`data: ${JSON.stringify({ threadId, runId, ...event })}\n\n`);
      reply.end();
    });
  }

  static async start(expiresAt: () => number): Promise<Upstream> {
    const agent = new Upstream(expiresAt);
    await new Promise<void>((resolve) => agent.#http.listen(0, "127.0.0.1", () => resolve()));
    return agent;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/run`;
  }

  /** Every resume that reached it on this thread. */
  resumes(threadId: string): readonly Wire[] {
    return this.#resumes.get(threadId) ?? [];
  }

  #end({ threadId, messages, resume }: Wire, expiresAt: number): object {
    if (Array.isArray(resume)) {
      this.#resumes.set(threadId, [...this.resumes(threadId), resume]);
      return { type: "RUN_FINISHED", outcome: { type: "success" } };
    }
    const interrupt = {
      id: `${threadId}-payment`,
      reason: "tool_call",
      toolCallId: "c1",
      message: messages.at(-1).content,
      expiresAt: new Date(expiresAt).toISOString(),
    };
    return { type: "RUN_FINISHED", outcome: { type: "interrupt", interrupts: [interrupt] } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#http.close(resolve));
    this.#http.closeAllConnections();
    await closed;
  }
}

async function read(request: IncomingMessage): Promise<Wire> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
