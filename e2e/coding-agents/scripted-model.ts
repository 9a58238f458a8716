/**
 * A model on loopback that makes one shell call and then says that it is done, in the two protocols that coding agents speak: Anthropic's
 * Messages and OpenAI's Responses. It keeps what the agent told it about the call.
 */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  /** What the agent reported as the result of the call. */
  readonly results: string[];
}

type Body = Readonly<Record<string, unknown>>;

export async function scriptedModel(command: string): Promise<ScriptedModel> {
  const results: string[] = [];
  const server = createServer(async (request, reply) => {
    const body = await bodyOf(request);
    const path = request.url ?? "";
    if (path.includes("/messages/count_tokens")) return json(reply, { input_tokens: 1 });
    if (path.includes("/messages")) return messages(body, command, results, reply);
    if (path.includes("/responses")) return responses(body, command, results, reply);
    reply.statusCode = 404;
    return json(reply, {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    results,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  try {
    return JSON.parse(await text(request)) as Body;
  } catch {
    return {};
  }
}

function json(reply: ServerResponse, body: object): void {
  reply.setHeader("content-type", "application/json");
  reply.end(JSON.stringify(body));
}

function stream(reply: ServerResponse, events: readonly (readonly [string, object])[]): void {
  reply.setHeader("content-type", "text/event-stream");
  for (const [type, data] of events)
    reply.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  reply.end();
}

const listOf = (value: unknown): readonly Body[] => (Array.isArray(value) ? value : []);

function messages(body: Body, command: string, results: string[], reply: ServerResponse): void {
  const told = listOf(body["messages"]).flatMap(({ content }) =>
    listOf(content).filter(({ type }) => type === "tool_result"),
  );
  results.push(...told.map(({ content }) => JSON.stringify(content)));
  const isCall = told.length === 0 && listOf(body["tools"]).some(({ name }) => name === "Bash");
  const input = { command, description: "As the person wished" };
  const block = isCall
    ? { type: "tool_use", id: "toolu_1", name: "Bash", input: {} }
    : { type: "text", text: "" };
  const delta = isCall
    ? { type: "input_json_delta", partial_json: JSON.stringify(input) }
    : { type: "text_delta", text: "done" };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const stop_reason = isCall ? "tool_use" : "end_turn";
  const message = { id: "msg_1", type: "message", role: "assistant", model: body["model"], usage };
  const ended = { stop_reason, stop_sequence: null };
  if (body["stream"] !== true) {
    const whole = isCall ? { ...block, input } : { type: "text", text: "done" };
    json(reply, { ...message, ...ended, content: [whole] });
    return;
  }
  stream(reply, [
    ["message_start", { message: { ...message, content: [], stop_reason: null, stop_sequence: null } }],
    ["content_block_start", { index: 0, content_block: block }],
    ["content_block_delta", { index: 0, delta }],
    ["content_block_stop", { index: 0 }],
    ["message_delta", { delta: ended, usage }],
    ["message_stop", {}],
  ]);
}

function responses(body: Body, command: string, results: string[], reply: ServerResponse): void {
  const told = listOf(body["input"]).filter(({ type }) => type === "function_call_output");
  results.push(...told.map(({ output }) => JSON.stringify(output)));
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "exec_command" };
  const item =
    told.length === 0
      ? { ...call, arguments: JSON.stringify({ cmd: command }) }
      : { type: "message", id: "m_1", role: "assistant", content: [{ type: "output_text", text: "done" }] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  stream(reply, [
    ["response.created", { response: { id: "resp_1" } }],
    ["response.output_item.done", { item }],
    ["response.completed", { response: { id: "resp_1", usage } }],
  ]);
}
