/** The SDK and its webhooks where there is nothing but web APIs, as in workers and edge functions. */

import { createHmac } from "node:crypto";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build, type Rolldown } from "vite";
import { beforeAll, describe, expect, it } from "vitest";

/** What every runtime has. No `process`, no `Buffer`, no `require`, no modules. */
const WEB = {
  ...{ AbortController, AbortSignal, Blob, Headers, Request, Response, ReadableStream, TransformStream },
  ...{ TextDecoder, TextEncoder, URL, URLSearchParams, atob, btoa, crypto, structuredClone },
  ...{ setTimeout, clearTimeout, queueMicrotask, console, DOMException },
};

let code: string;

beforeAll(async () => {
  const entries = ["./index.ts", "./webhooks/index.ts"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const entry = "\0both";
  const result = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "both",
        resolveId: (id) => (id.endsWith("both") ? entry : undefined),
        load: (id) =>
          id === entry
            ? entries.map((path) => `export * from ${JSON.stringify(path)};`).join("\n")
            : undefined,
      },
    ],
    resolve: { conditions: ["@holdpoint/source", "worker", "import"] },
    build: {
      write: false,
      target: "es2022",
      lib: { entry: "both", name: "Sdk", formats: ["iife"] },
      rolldownOptions: { external: [/^node:/] },
    },
  });
  const [{ output } = { output: [] }] = [result].flat() as Rolldown.RolldownOutput[];
  const chunks = output.flatMap((file) => (file.type === "chunk" ? [file] : []));
  expect(chunks.flatMap(({ imports }) => imports)).toEqual([]);
  code = chunks.map((chunk) => chunk.code).join("\n");
});

type Sdk = typeof import("./index.ts") & typeof import("./webhooks/index.ts");

function sdkIn(globals: object): Sdk {
  const context = createContext({ ...WEB, ...globals });
  runInContext(`${code}\nglobalThis.Sdk = Sdk;`, context);
  return context["Sdk"] as Sdk;
}

const HOLD = { id: "hold_1", status: "decided", type: "approval", prompt: "Go?", actions: [], ladder: [] };
const OUTCOME = {
  ...{ kind: "decided", action: "approve", data: {}, door: "page", at: "2026-03-01T09:30:00.000Z" },
  by: { kind: "session", id: "s", name: "mara" },
};
const hold = { ...HOLD, outcome: OUTCOME };

describe("a runtime with only web APIs", () => {
  it("runs the SDK, which asks and reads the outcome", async () => {
    const calls: string[] = [];
    const fetch = async (url: string, init: RequestInit) => {
      calls.push(`${init.method} ${new URL(url).pathname}`);
      return Response.json(hold, { status: 201 });
    };
    const { Holdpoint } = sdkIn({ fetch });
    const hp = new Holdpoint({ url: "https://holdpoint.test", apiKey: "hp_test" });
    const outcome = await hp.ask({ type: "approval", prompt: "Go?" });
    expect(outcome).toMatchObject({ kind: "decided", action: "approve", holdId: "hold_1" });
    expect(calls).toEqual(["POST /v1/holds"]);
  });

  it("verifies and handles a webhook", async () => {
    const { Holdpoint, webhookHandler } = sdkIn({ fetch: async () => Response.json(hold) });
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const heard: unknown[] = [];
    const handle = webhookHandler({
      holdpoint: new Holdpoint({ url: "https://holdpoint.test", apiKey: "hp_test" }),
      secret,
      async onMessage(handle, message) {
        heard.push(message.type, (await handle.outcome()).kind);
      },
    });
    const body = JSON.stringify({ type: "hold.decided", timestamp: OUTCOME.at, data: { hold } });
    const at = Math.floor(Date.now() / 1000);
    const signature = createHmac("sha256", Buffer.alloc(32, 7)).update(`m1.${at}.${body}`).digest("base64");
    const headers = {
      "webhook-id": "m1",
      "webhook-timestamp": String(at),
      "webhook-signature": `v1,${signature}`,
    };
    const post = (given: object) =>
      handle(new Request("https://app.test/", { method: "POST", body, headers: { ...headers, ...given } }));
    expect((await post({})).status).toBe(204);
    expect(heard).toEqual(["hold.decided", "decided"]);
    expect((await post({ "webhook-id": "m2" })).status).toBe(401);
  });

  it.each([
    ["no process at all", {}],
    ["a process that only looks like Node's", { process: { env: {}, versions: { node: "22.0.0" } } }],
  ])("reports a missing address and what to do, with %s", async (_name, globals) => {
    const { Holdpoint } = sdkIn(globals);
    const error = await new Holdpoint().get("hold_1").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "TerminalError", code: "misconfigured" });
    expect(String(error)).toContain("set HOLDPOINT_URL, give the option `url`");
  });
});
