/**
 * CopilotKit's client, its real runtime, and behind it an agent of the AG-UI adapter: a run stops for a person, and goes on with
 * the answer that the person gave elsewhere. Prints what the app saw.
 */

import { createServer } from "node:http";
import { HttpAgent } from "@ag-ui/client";
import { ProxiedCopilotRuntimeAgent } from "@copilotkit/core";
import { CopilotRuntime, InMemoryAgentRunner } from "@copilotkit/runtime/v2";
import { createCopilotEndpoint } from "@copilotkit/runtime/v2/hono";
import { createAgUiHandler } from "@holdpoint/adapters/ag-ui";
import { toNode } from "@holdpoint/adapters/handlers";
import { Holdpoint } from "@holdpoint/sdk";

process.env.COPILOTKIT_TELEMETRY_DISABLED = "true";
const action = process.argv[2] ?? "approve";
const hp = new Holdpoint();
let refunds = 0;

async function serve(handler) {
  const http = createServer(streamed(handler));
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${http.address().port}`;
}

/** Like `toNode`, for replies that go on. */
function streamed(handler) {
  return async (request, reply) => {
    let replied;
    const plain = toNode(async (given) => {
      const url = `http://${request.headers.host}${request.url}`;
      replied = await handler(new Request(url, given));
      return new Response(null);
    });
    await plain(request, { writeHead: () => undefined, end: () => undefined });
    reply.writeHead(replied.status, Object.fromEntries(replied.headers));
    for await (const chunk of replied.body ?? []) reply.write(chunk);
    reply.end();
  };
}

const agent = await serve(
  createAgUiHandler({
    holdpoint: hp,
    identify: () => ({ id: "ada", name: "Ada" }),
    async *agent(run) {
      const { kind } = await run.tool({
        name: "refund",
        args: { amount: 80 },
        execute() {
          refunds += 1;
          return "refunded";
        },
      });
      yield `It was ${kind}.`;
    },
  }),
);
const runtime = new CopilotRuntime({
  agents: { default: new HttpAgent({ url: agent }) },
  runner: new InMemoryAgentRunner(),
});
const app = createCopilotEndpoint({ runtime, basePath: "/api/copilotkit" });
const runtimeUrl = `${await serve((request) => app.fetch(request))}/api/copilotkit`;

const client = new ProxiedCopilotRuntimeAgent({
  runtimeUrl,
  agentId: "default",
  threadId: crypto.randomUUID(),
});
client.setMessages([{ id: "m1", role: "user", content: "Refund it." }]);
await client.runAgent({ runId: crypto.randomUUID() });
const [open] = client.pendingInterrupts;
await hp.answer(open.id, { action });
const payload = { approved: action === "approve" };
await client.runAgent({
  runId: crypto.randomUUID(),
  resume: [{ interruptId: open.id, status: "resolved", payload }],
});
const said = client.messages.at(-1)?.content;
process.stdout.write(`seen: ${JSON.stringify({ reason: open.reason, said, refunds })}\n`);
process.exit(0);
