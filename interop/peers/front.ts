/**
 * For libraries that bring no HTTP of their own: the three requests of a cycle (ask, wait, answer) over bare `node:http`, so that they
 * are asked as Holdpoint is asked.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { announce } from "../../packages/server/bench/announce.ts";

export interface Answer {
  readonly action: string;
}

export interface Agent {
  /** Resolves with the id of the run once the question is kept. */
  ask(question: unknown): Promise<string>;
  /** Resolves with the result of the run once it is kept. */
  wait(id: string): Promise<unknown>;
  answer(id: string, answer: Answer): Promise<void>;
}

async function handle(agent: Agent, request: IncomingMessage): Promise<unknown> {
  const [path = ""] = (request.url ?? "").split("?");
  const id = path.split("/")[3] ?? "";
  if (request.method === "GET") return agent.wait(id);
  let text = "";
  for await (const chunk of request) text += chunk;
  if (!path.endsWith("/answer")) return { id: await agent.ask(JSON.parse(text)) };
  await agent.answer(id, JSON.parse(text));
  return {};
}

/** `durable`: what is synced to disk before a request is answered. */
export function serveAgent(agent: Agent, durable: string): void {
  const send = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const server = createServer((request, response) =>
    handle(agent, request).then(
      (body) => send(response, 200, body),
      (error) => send(response, 500, { error: String(error) }),
    ),
  );
  announce(server, durable);
}
