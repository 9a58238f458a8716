import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defineAgent } from "./agent.ts";
import { calling, NOW, now, pingWorld, rejection, toolCall, witness } from "./gate.fixture.ts";
import type { AgentInputItem } from "./items.ts";
import { allow, deny, requireApproval } from "./policy.ts";
import { scriptedProvider } from "./provider.ts";
import type { RunRecord } from "./record.ts";
import { RUNTIME_VERSION } from "./request-fingerprint.ts";
import { run } from "./run.ts";

const allowing = { toolPolicy: () => allow("ok") };

describe("the run record", () => {
  test("AI-130 the record of a completed run has exactly the documented members", async () => {
    const { agent } = pingWorld<{ tenant: string }>();
    const { records, sink } = witness<{ tenant: string }>();
    await run(agent, "hello", {
      provider: calling(toolCall("ping")),
      context: { tenant: "acme" },
      policies: allowing,
      record: { sink, runId: "r1", metadata: { build: "7" } },
      now,
    });
    expect(records).toEqual([
      {
        runId: "r1",
        startedAt: "2026-11-15T10:00:00.000Z",
        completedAt: "2026-11-15T10:00:00.000Z",
        status: "completed",
        agentName: "Policy unit agent",
        providerName: "scripted",
        model: "some-model",
        question: "hello",
        response: "done",
        contextSnapshot: { tenant: "acme" },
        contextRedacted: false,
        items: expect.any(Array),
        inputItemCount: 1,
        promptSnapshots: [expect.any(Object), expect.any(Object)],
        requestFingerprints: [expect.any(Object), expect.any(Object)],
        policyDecisions: [expect.any(Object)],
        metadata: { build: "7" },
      },
    ]);
    expect(records[0]?.items).toHaveLength(4);
  });

  test("AI-130 the record of a failed run has the error, and its question joins all user messages", async () => {
    const { agent } = pingWorld();
    const { records, sink } = witness();
    const input: AgentInputItem[] = [
      { type: "message", role: "system", content: "Be kind." },
      { type: "message", role: "user", content: " first " },
      { type: "message", role: "assistant", content: "yes?" },
      { type: "message", role: "user", content: "second" },
    ];
    await rejection(run(agent, input, { provider: scriptedProvider([]), record: { sink } }));
    expect(records).toMatchObject([
      {
        status: "failed",
        errorName: "RangeError",
        errorMessage: expect.any(String),
        question: "first\n\nsecond",
      },
    ]);
  });

  test.each([[false], [true]])(
    "AI-131 the record is written once (streaming: %s), and a sink that throws does not change the run",
    async (stream) => {
      const { agent } = pingWorld();
      const written: RunRecord[] = [];
      const sink = {
        write(record: RunRecord) {
          written.push(record);
          throw new Error("disk full");
        },
      };
      const options = { provider: calling(toolCall("ping")), policies: allowing, record: { sink } };
      if (stream) {
        const streamed = await run(agent, "hello", { ...options, stream: true });
        for await (const _event of streamed.toStream());
      } else {
        expect((await run(agent, "hello", options)).finalOutput).toBe("done");
      }
      expect(written).toHaveLength(1);
      expect(written[0]?.status).toBe("completed");
    },
  );

  test("AI-131 the record is written before the caller gets the result or error", async () => {
    const { agent } = pingWorld();
    const order: string[] = [];
    const sink = async () => {
      await Promise.resolve();
      order.push("written");
    };
    const policies = { toolPolicy: () => requireApproval("ask") };
    await run(agent, "hello", { provider: calling(toolCall("ping")), policies, record: { sink } }).catch(() =>
      order.push("heard"),
    );
    expect(order).toEqual(["written", "heard"]);
  });

  test("AI-132 a recorded decision names its resource and has only the members that the policy gave", async () => {
    const { agent } = pingWorld();
    const target = defineAgent({ name: "Target Agent", model: "m" });
    const { records, sink } = witness();
    await run(defineAgent({ ...agent, handoffs: [target] }), "hello", {
      provider: calling(toolCall("ping", {}, "c1"), toolCall("handoff_to_target_agent", {}, "c2")),
      policies: {
        toolPolicy: () => allow("ok", { policyVersion: "v1", metadata: { rule: 3 } }),
        handoffPolicy: () => deny("no", { resultMode: "tool_result", publicReason: "p", expiresAt: "e" }),
      },
      record: { sink },
      now,
    });
    const timestamp = new Date(NOW).toISOString();
    expect(records[0]?.policyDecisions).toStrictEqual([
      {
        timestamp,
        turn: 1,
        callId: "c1",
        decision: "allow",
        reason: "ok",
        policyVersion: "v1",
        metadata: { rule: 3 },
        resource: { kind: "tool", name: "ping" },
      },
      {
        timestamp,
        turn: 1,
        callId: "c2",
        decision: "deny",
        reason: "no",
        publicReason: "p",
        resultMode: "tool_result",
        expiresAt: "e",
        resource: { kind: "handoff", name: "Target Agent" },
      },
    ]);
  });

  test("AI-133 a recorded decision has no result mode for allow, and an explicit one otherwise", async () => {
    const { agent } = pingWorld();
    const { records, sink } = witness();
    const results = [
      allow("a", { resultMode: "throw" }),
      deny("b", { resultMode: "tool_result" }),
      requireApproval("c"),
    ];
    const provider = calling(...["c1", "c2", "c3"].map((callId) => toolCall("ping", {}, callId)));
    const policies = { toolPolicy: () => results.shift() ?? deny("over") };
    await rejection(run(agent, "hello", { provider, policies, record: { sink } }));
    expect(records[0]?.policyDecisions.map((decision) => decision.resultMode)).toEqual([
      undefined,
      "tool_result",
      "throw",
    ]);
    expect("resultMode" in (records[0]?.policyDecisions[0] ?? {})).toBe(false);
  });

  test("AI-134 the record's context snapshot is what the context redactor returns", async () => {
    interface Context {
      readonly user: string;
      readonly token: string;
    }
    const { agent } = pingWorld<Context>();
    const { records, sink } = witness<Context>();
    await run(agent, "hello", {
      provider: calling(),
      context: { user: "ada", token: "secret" },
      record: {
        sink,
        contextRedactor: async (context) => ({
          contextSnapshot: { ...context, token: "…" },
          contextRedacted: true,
        }),
      },
    });
    expect(records[0]).toMatchObject({ contextSnapshot: { user: "ada", token: "…" }, contextRedacted: true });
    expect(JSON.stringify(records)).not.toContain("secret");
  });

  test.each([
    [
      "throws",
      () => {
        throw new TypeError("cannot redact secret");
      },
    ],
    ["gives nothing back", () => undefined as never],
  ])(
    "E-08 a context redactor that %s leaves no context in the record, and the error's name in its metadata",
    async (_name, contextRedactor) => {
      const { agent } = pingWorld<{ token: string }>();
      const { records, sink } = witness<{ token: string }>();
      await run(agent, "hello", {
        provider: calling(),
        context: { token: "secret" },
        record: { sink, contextRedactor, metadata: { build: "7" } },
      });
      expect(records[0]).toMatchObject({
        status: "completed",
        contextSnapshot: null,
        contextRedacted: true,
        metadata: { build: "7", contextRedactionError: "TypeError" },
      });
      expect(JSON.stringify(records)).not.toContain("secret");
    },
  );

  test("AI-137 the record keeps prompts and requests as SHA-256 hashes, without the prompt's text", async () => {
    const { agent } = pingWorld();
    const { records, sink } = witness();
    const instructed = defineAgent({ ...agent, instructions: "Be kind." });
    const once = () => run(instructed, "hello", { provider: calling(), record: { sink }, now });
    await once();
    await once();
    await run(instructed, "hullo", { provider: calling(), record: { sink }, now });
    const [first, second, third] = records.map((record) => record.requestFingerprints[0]);
    const promptHash = createHash("sha256").update("Be kind.").digest("hex");
    expect(records[0]?.promptSnapshots[0]?.promptHash).toBe(promptHash);
    expect(records[0]?.promptSnapshots[0]).not.toHaveProperty("promptText");
    expect(first).toMatchObject({
      turn: 1,
      agentName: agent.name,
      providerName: "scripted",
      model: "some-model",
      fingerprintSchemaVersion: "request-fingerprint.v1",
      messageCount: 1,
      toolCount: 1,
    });
    const hashes = [
      "requestHash",
      "systemPromptHash",
      "messagesHash",
      "toolsHash",
      "modelSettingsHash",
    ] as const;
    for (const hash of hashes) {
      expect(first?.[hash]).toMatch(/^[0-9a-f]{64}$/);
      expect(second?.[hash]).toBe(first?.[hash]);
    }
    expect(third?.messagesHash).not.toBe(first?.messagesHash);
    expect(third?.requestHash).not.toBe(first?.requestHash);
    expect(third?.toolsHash).toBe(first?.toolsHash);
  });

  test("AI-137 the runtime version in request fingerprints is the package's version", () => {
    const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(RUNTIME_VERSION).toBe(manifest.version);
  });
});
