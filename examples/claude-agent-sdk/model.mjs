/** A model on loopback, in the words of Anthropic's Messages API: it proposes one shell command, and then says what came of it. */

import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

export async function scriptedModel(command) {
  const server = createServer(async (request, reply) => {
    const { messages = [], tools = [], model, stream } = await json(request).catch(() => ({}));
    const results = messages
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === "tool_result");
    // The SDK also asks for small things of its own, such as a title, without tools.
    const isCall = results.length === 0 && tools.some(({ name }) => name === "Bash");
    const text = results.length === 0 ? "ok" : `the tool said: ${JSON.stringify(results.at(-1)?.content)}`;
    const input = { command, description: "Deploys" };
    const message = { id: "msg_1", type: "message", role: "assistant", model, content: [] };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const ended = { stop_reason: isCall ? "tool_use" : "end_turn", stop_sequence: null };
    const block = isCall ? { type: "tool_use", id: "toolu_1", name: "Bash", input } : { type: "text", text };
    if (stream !== true) {
      reply.setHeader("content-type", "application/json");
      reply.end(JSON.stringify({ ...message, ...ended, usage, content: [block] }));
      return;
    }
    const begun = isCall ? { ...block, input: {} } : { ...block, text: "" };
    const delta = isCall
      ? { type: "input_json_delta", partial_json: JSON.stringify(input) }
      : { type: "text_delta", text };
    reply.setHeader("content-type", "text/event-stream");
    for (const event of [
      { type: "message_start", message: { ...message, usage } },
      { type: "content_block_start", index: 0, content_block: begun },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: ended, usage },
      { type: "message_stop" },
    ])
      reply.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    reply.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}
