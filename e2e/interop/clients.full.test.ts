/** Unmodified packages of others, from the registry, in front of a whole server. A case names its finding and its package. */

import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createAgUiHandler } from "@holdpoint/adapters/ag-ui";
import { Holdpoint } from "@holdpoint/sdk";
import { createAdaptorServer } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";
import { installPackages, type Packages } from "./packages.ts";

const MINUTES = 60_000;
// biome-ignore lint/suspicious/noExplicitAny: several versions of the same types.
type Seen = any;

let packages: Packages;
let server: ServerProcess;

beforeAll(async () => {
  packages = installPackages();
  server = await serverProcess({
    HOLDPOINT_API_KEYS: "hp_app=app:shop,hp_op=operator:ada,hp_agent=agent:refunder",
  });
}, 6 * MINUTES);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  packages?.remove();
});

const call = async (method: string, path: string, key: string | null, body?: object) => {
  const response = await fetch(new URL(path, server.url), {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Seen };
};

/** An agent with one guarded tool, over the running server. */
async function refunding() {
  let refunds = 0;
  const handler = createAgUiHandler({
    holdpoint: new Holdpoint({ url: server.url, apiKey: "hp_app" }),
    identify: () => ({ id: "ada", name: "Ada" }),
    legacyEvents: true,
    async *agent(run) {
      const execute = () => {
        refunds += 1;
        return "refunded";
      };
      const { kind } = await run.tool({ name: "refund", args: { amount: 40 }, execute });
      return { kind };
    },
  });
  const http = createAdaptorServer({ fetch: handler }) as ReturnType<typeof createServer>;
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/agent`,
    refunds: () => refunds,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

async function run(agent: Seen, parameters: object): Promise<readonly Seen[]> {
  const events: Seen[] = [];
  await agent.runAgent(parameters, { onEvent: ({ event }: Seen) => void events.push(event) });
  return events;
}

describe("AG-UI clients", () => {
  test.each(["@ag-ui/client", "ag-ui-client-0.0.59"])(
    "finding 3: a client whose answer agrees with one given elsewhere goes on, and the tool runs once [%s]",
    async (name) => {
      await using here = await refunding();
      const { HttpAgent } = await packages.load(name);
      const agent = new HttpAgent({ url: here.url, threadId: `t-${name}` });
      const first = await run(agent, { runId: "r1" });
      const [{ id }] = first.at(-1).outcome.interrupts;
      const answered = await call("POST", `/v1/holds/${id}/answer`, "hp_op", { action: "approve" });
      expect(answered.status).toBe(200);
      const resume = [{ interruptId: id, status: "resolved", payload: { approved: true } }];
      const second = await run(agent, { runId: "r2", resume });
      expect(second.at(-1)).toMatchObject({ type: "RUN_FINISHED", result: { kind: "executed" } });
      expect(here.refunds()).toBe(1);
    },
  );

  test("finding 12: a client without interrupts gets the question as CUSTOM on_interrupt [ag-ui-client-0.0.40]", async () => {
    await using here = await refunding();
    const { HttpAgent } = await packages.load("ag-ui-client-0.0.40");
    const agent = new HttpAgent({ url: here.url, threadId: "t-40" });
    const events = await run(agent, { runId: "r1" });
    const told = events.filter(({ name }) => name === "on_interrupt");
    expect(told).toHaveLength(1);
    expect(JSON.parse(told[0].value)).toMatchObject({ reason: "tool_call" });
    expect(here.refunds()).toBe(0);
  });
});

describe("LangGraph", () => {
  test("finding 1: a graph that tests a person's rejection for truth gets false [@langchain/langgraph]", async () => {
    const { StateGraph, Annotation, START, END, MemorySaver, interrupt } = await import(
      "@langchain/langgraph"
    );
    const { advanceRun, graphRun } = await import("@holdpoint/adapters/langgraph");
    let refunds = 0;
    const State = Annotation.Root({ done: Annotation() });
    const graph = new StateGraph(State)
      .addNode("ask", () => {
        if (interrupt("Refund?")) refunds += 1;
        return { done: true };
      })
      .addEdge(START, "ask")
      .addEdge("ask", END)
      .compile({ checkpointer: new MemorySaver() });
    const holdpoint = new Holdpoint({ url: server.url, apiKey: "hp_agent" });
    const advance = () =>
      advanceRun(graphRun({ graph, threadId: "lg-1", input: { done: false } }), { holdpoint });
    const waiting: Seen = await advance();
    expect(waiting.kind).toBe("waiting");
    await call("POST", `/v1/holds/${waiting.holdIds[0]}/answer`, "hp_op", { action: "reject" });
    expect((await advance()).kind).not.toBe("waiting");
    expect(refunds).toBe(0);
  });
});

describe("HITL agents without a key", () => {
  test("finding 5: the poll_url that a service passes on gives its agent the person's answer [fetch]", async () => {
    const { body } = await call("POST", "/hitl/v1/cases", "hp_app", {
      type: "confirmation",
      prompt: "Send both letters?",
      context: { items: [{ id: "a", label: "To Ada" }] },
    });
    const { poll_url: pollUrl, review_url: reviewUrl } = body.hitl;
    const poll = async () =>
      (await fetch(new URL(new URL(pollUrl).pathname + new URL(pollUrl).search, server.url))).json();
    expect(await poll()).toMatchObject({ status: "pending" });
    const { pathname, search } = new URL(reviewUrl);
    await call("POST", `${pathname.replace("/review/", "/reviews/")}/respond${search}`, null, {
      action: "confirm",
    });
    expect(await poll()).toMatchObject({ status: "completed", result: { action: "confirm" } });
  });
});

describe("standardwebhooks", () => {
  test("finding 15: the callback secret shown for a configured key verifies its callbacks [standardwebhooks]", async () => {
    const { Webhook } = await packages.load("standardwebhooks");
    const received = Promise.withResolvers<{ readonly headers: Seen; readonly text: string }>();
    const receiver = createServer(async (request, reply) => {
      const text = Buffer.concat(await Array.fromAsync(request)).toString();
      reply.end("ok");
      received.resolve({ headers: request.headers, text });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", () => resolve()));
    try {
      const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
      const { body: hold } = await call("POST", "/v1/holds", "hp_agent", {
        ...{ type: "approval", prompt: "Go?", callback_url: callbackUrl },
      });
      await call("POST", `/v1/holds/${hold.id}/answer`, "hp_op", { action: "approve" });
      const { headers, text } = await received.promise;
      const { configuredCallbackSecret } = await import("../../packages/server/src/identity/secrets.ts");
      const shown = configuredCallbackSecret("hp_agent");
      expect(() => new Webhook(shown).verify(text, headers)).not.toThrow();
      expect(() => new Webhook(configuredCallbackSecret("hp_op")).verify(text, headers)).toThrow();
    } finally {
      receiver.close();
    }
  });
});

describe("OpenAPI generators", () => {
  const document = async () => {
    const file = join(packages.folder, "openapi.json");
    writeFileSync(file, await (await fetch(new URL("/openapi.json", server.url))).text());
    return file;
  };

  test(
    "the OpenAPI document becomes types that compile [openapi-typescript]",
    async () => {
      const out = join(packages.folder, "types.ts");
      const cli = packages.file("openapi-typescript", "bin/cli.js");
      execFileSync(process.execPath, [cli, await document(), "-o", out], {
        stdio: "ignore",
        timeout: 2 * MINUTES,
      });
      const tsc = packages.file("typescript", "bin/tsc");
      execFileSync(process.execPath, [tsc, "--noEmit", "--strict", "--skipLibCheck", out], {
        timeout: 2 * MINUTES,
      });
    },
    5 * MINUTES,
  );

  test(
    "the OpenAPI document becomes a client [@hey-api/openapi-ts]",
    async () => {
      const output = join(packages.folder, "generated");
      const cli = packages.file("@hey-api/openapi-ts", "bin/run.js");
      const args = ["-i", await document(), "-o", output];
      execFileSync(process.execPath, [cli, ...args], {
        cwd: packages.folder,
        stdio: "ignore",
        timeout: 2 * MINUTES,
      });
      expect(readdirSync(output)).toContain("index.ts");
    },
    5 * MINUTES,
  );
});
