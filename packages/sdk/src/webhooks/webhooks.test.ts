import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import { failure } from "@holdpoint/protocol/http/testing";
import { build, type Rolldown } from "vite";
import { describe, expect, it, vi } from "vitest";
import type { Holdpoint } from "../holdpoint.ts";
import { setup } from "../setup.fixture.ts";
import { readWebhook, verifyWebhook, type WebhookHandlerOptions, webhookHandler } from "./index.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const NOW = 1_614_265_330_000;
const now = () => NOW;

const encode = (text: string) => new TextEncoder().encode(text);

function signed(body: string, { secret = SECRET, at = NOW, id = "msg_1" } = {}): Request {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
  return new Request("https://agent.example/hook", { method: "POST", headers, body });
}

const told = (holdId: string) =>
  JSON.stringify({
    type: "hold.decided",
    timestamp: "2026-03-01T09:30:00Z",
    data: { hold: { id: holdId, created_by: "refunder", status: "decided" }, event: { seq: 2 } },
  });

/** The documented examples that make a handler, as they stand in its file. */
function examples(): (readonly [number, string])[] {
  const text = readFileSync(new URL("./handler.ts", import.meta.url), "utf8").replace(/^ \* ?/gm, "");
  const found = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, source = ""]) => source);
  return found.filter((source) => source.includes("webhookHandler(")).map((source, at) => [at + 1, source]);
}

function exampleHandler(source: string, holdpoint: Holdpoint): (request: Request) => Promise<Response> {
  const plain = stripTypeScriptTypes(source.replace(/^import .*$/gm, "").replace("export const", "const"));
  const make = new Function("Holdpoint", "webhookHandler", `${plain}; return POST;`);
  const atNow = (options: WebhookHandlerOptions) => webhookHandler({ ...options, secret: SECRET, now });
  return make(function connected() {
    return holdpoint;
  }, atNow);
}

describe("verifyWebhook", () => {
  it("accepts the example that Standard Webhooks publishes", async () => {
    const headers = new Headers({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
    const body = encode('{"test": 2432232314}');
    expect(await verifyWebhook(headers, body, { secret: SECRET, now })).toBe("msg_p5jXN8AQM9LWM0D4loKWxJek");
  });

  it("accepts any of several secrets, while one is being replaced", async () => {
    const { headers } = signed("{}", { secret: OTHER });
    expect(await verifyWebhook(headers, encode("{}"), { secret: [SECRET, OTHER], now })).toBe("msg_1");
  });

  it.each([
    ["another body", signed("{}").headers, "{ }", "wrong_signature"],
    ["another secret", signed("{}", { secret: OTHER }).headers, "{}", "wrong_signature"],
    ["a message of six minutes ago", signed("{}", { at: NOW - 360_000 }).headers, "{}", "too_old"],
    ["a message from the future", signed("{}", { at: NOW + 360_000 }).headers, "{}", "too_old"],
    ["no signature", new Headers(), "{}", "unsigned"],
  ] as const)("refuses %s", async (_, headers, body, code) => {
    const error = await failure(verifyWebhook(headers, encode(body), { secret: SECRET, now }));
    expect(error).toMatchObject({ name: "WebhookError", code, status: 401 });
  });

  it("refuses a signature of another scheme, and one that is no base64", async () => {
    for (const signature of ["v2,AAAA", "v1,?", "v1", ""]) {
      const { headers } = signed("{}");
      headers.set("webhook-signature", signature);
      const error = await failure(verifyWebhook(headers, encode("{}"), { secret: SECRET, now }));
      expect(error).toMatchObject({ code: "wrong_signature" });
    }
  });

  it.each(["", "secret", "whsec_", "whsec_AAAA", "whsec_%"])(
    "says that %j is not a webhook secret, instead of refusing every message",
    async (secret) => {
      const { headers } = signed("{}");
      const error = await failure(verifyWebhook(headers, encode("{}"), { secret, now }));
      expect(String(error)).toContain("This is no webhook secret");
    },
  );
});

describe("readWebhook", () => {
  it("returns what happened, with the hold in camelCase", async () => {
    const message = await readWebhook(signed(told("hold_1")), { secret: SECRET, now });
    expect(message).toMatchObject({
      id: "msg_1",
      type: "hold.decided",
      holdId: "hold_1",
      hold: { createdBy: "refunder" },
    });
  });

  it.each(["not json", "{}", '{"type":"x","timestamp":"y","data":{}}'])(
    "refuses a signed message that is not about a hold: %s",
    async (body) => {
      const error = await failure(readWebhook(signed(body), { secret: SECRET, now }));
      expect(error).toMatchObject({ code: "malformed", status: 400 });
    },
  );
});

describe("webhookHandler", () => {
  it("passes a handle, through which the outcome is read again from the server", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place({ type: "approval", prompt: "Go?" });
    const kinds: string[] = [];
    const handle = webhookHandler({
      holdpoint: kit.hp,
      secret: SECRET,
      now,
      onMessage: async (hold) => void kinds.push((await hold.outcome()).kind),
    });
    // The message says "decided" although nobody decided: what counts is the server.
    expect((await handle(signed(told(id)))).status).toBe(204);
    kit.server.decide(id);
    expect((await handle(signed(told(id)))).status).toBe(204);
    expect(kinds).toEqual(["pending", "decided"]);
  });

  it("acts once although a message comes twice", async () => {
    await using kit = await setup();
    const { id } = await kit.hp.place({ type: "approval", prompt: "Go?" });
    kit.server.decide(id);
    let runs = 0;
    const work = () => {
      runs += 1;
      return runs;
    };
    const onMessage = async (hold: ReturnType<typeof kit.hp.hold>) => void (await hold.runOnce(work));
    const handle = webhookHandler({ holdpoint: kit.hp, secret: SECRET, now, onMessage });
    for (const request of [signed(told(id)), signed(told(id))])
      expect((await handle(request)).status).toBe(204);
    expect(runs).toBe(1);
  });

  it.each(examples())(
    "does as its documented example %i says: 204 whatever became of the hold, and nothing is thrown that nobody catches",
    async (_, source) => {
      await using kit = await setup();
      vi.stubEnv("HOLDPOINT_WEBHOOK_SECRET", SECRET);
      const thrown: unknown[] = [];
      const onThrown = (error: unknown) => thrown.push(error);
      process.on("unhandledRejection", onThrown);
      const handle = exampleHandler(source, kit.hp);
      for (const action of [null, "reject", "approve"]) {
        const { id } = await kit.hp.place({ type: "approval", prompt: "Refund?", key: String(action) });
        if (action !== null) kit.server.decide(id, action);
        expect([action, (await handle(signed(told(id)))).status]).toEqual([action, 204]);
        const idle = kit.server.seen.length;
        await new Promise(setImmediate);
        expect(kit.server.seen.length).toBe(idle);
        expect(kit.server.holds.get(id)?.claim?.state).toBe(action === "approve" ? "done" : undefined);
      }
      process.off("unhandledRejection", onThrown);
      vi.unstubAllEnvs();
      expect(thrown).toEqual([]);
    },
  );

  it("answers 500 when the work fails, so that the server sends the message again, and does not send the reason", async () => {
    await using kit = await setup();
    const errors: unknown[] = [];
    const handle = webhookHandler({
      holdpoint: kit.hp,
      secret: SECRET,
      now,
      onMessage: () => Promise.reject(new Error("password=hunter2")),
      onError: (error) => errors.push(error),
    });
    const response = await handle(signed(told("hold_1")));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("hunter2");
    expect(errors.map(String)).toEqual(["Error: password=hunter2"]);
  });

  it("says on the console why it failed when nobody else is told, and nothing of what strangers send", async () => {
    await using kit = await setup();
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const error = new Error("no such order");
    const handle = webhookHandler({
      holdpoint: kit.hp,
      secret: SECRET,
      now,
      onMessage: () => Promise.reject(error),
    });
    await handle(signed(told("hold_1"), { secret: OTHER }));
    expect(said).not.toHaveBeenCalled();
    await handle(signed(told("hold_1")));
    expect(said).toHaveBeenCalledExactlyOnceWith("Holdpoint: a webhook was not handled.", error);
    said.mockRestore();
  });

  it("refuses other methods, and messages that the server did not send", async () => {
    await using kit = await setup();
    const onMessage = () => expect.unreachable();
    const handle = webhookHandler({ holdpoint: kit.hp, secret: SECRET, now, onMessage });
    expect((await handle(signed(told("hold_1"), { secret: OTHER }))).status).toBe(401);
    expect((await handle(new Request("https://agent.example/hook"))).status).toBe(405);
  });
});

it("the bundle of webhooks loads nothing of Node and no schema library", async () => {
  const entry = fileURLToPath(new URL("index.ts", import.meta.url));
  const result = await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["@holdpoint/source", "browser", "import"] },
    build: { write: false, target: "es2022", lib: { entry, formats: ["es"] } },
  });
  const outputs = (Array.isArray(result) ? result : [result]) as Rolldown.RolldownOutput[];
  const chunks = outputs.flatMap(({ output }) => output).filter((file) => file.type === "chunk");
  expect(chunks.flatMap(({ imports }) => imports).filter((name) => name.startsWith("node:"))).toEqual([]);
  expect(
    chunks.flatMap(({ modules }) => Object.keys(modules)).filter((path) => path.includes("zod")),
  ).toEqual([]);
});
