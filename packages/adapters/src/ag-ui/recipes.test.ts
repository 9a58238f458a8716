/** The recipes, and what of them only a handler shows. */

import { HttpAgent } from "@ag-ui/client";
import { describe, expect, it, vi } from "vitest";
import { refunding } from "../testing/agents.ts";
import { input, kit } from "../testing/agui-kit.ts";
import { agentAt, recipes, runOnce, type Seen, types } from "./recipes.suite.ts";

recipes("before a handler", kit);

describe("a handler and HttpAgent 1.0.0", () => {
  it("R14 AG-078 an aborted client frees the thread", async () => {
    let arrived: () => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let isSlow = true;
    await using here = await kit(async function* (run) {
      yield "Working.";
      if (isSlow) {
        isSlow = false;
        arrived();
        await new Promise((resolve) => run.signal.addEventListener("abort", resolve));
      }
      return { fine: true };
    });
    const agent = agentAt(here);
    const running = runOnce(agent, { runId: "r1" });
    await started;
    agent.abortRun();
    await running.catch(() => undefined);
    const next = await vi.waitFor(async () => {
      const ran = await runOnce(agentAt(here), { runId: "r2" });
      expect(ran.error).toBeUndefined();
      return ran;
    });
    expect(next).toMatchObject({ outcome: "success", result: { fine: true } });
  });

  it("R15 AG-073 an interrupted run has no end, and is not taken for a success", async () => {
    await using here = await kit(async function* (run) {
      yield "Working.";
      await new Promise((resolve) => run.signal.addEventListener("abort", resolve));
      return {};
    });
    /** The connection is lost after the first frames. */
    const breaking = async (address: string, init: RequestInit) => {
      const { body, headers, status } = await fetch(address, init);
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      const { value } = await reader.read();
      await reader.cancel();
      return new Response(value as BodyInit, { headers, status });
    };
    const ran = await runOnce(agentAt(here, "t1", { fetch: breaking }), { runId: "r1" });
    expect(ran).toMatchObject({ outcome: undefined, error: undefined });
    expect(types(ran.events)).not.toContain("RUN_FINISHED");
  });

  it("R17 AG-024 AG-025 a client of 1.1 is served as 1.0", async () => {
    await using here = await kit(refunding().agent);
    const { events } = await here.post(input("t1", "r1", { protocolVersion: "1.1" }));
    expect(events[0]).toEqual({ type: "RUN_STARTED", threadId: "t1", runId: "r1", protocolVersion: "1.0" });
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", threadId: "t1", runId: "r1" });
    expect(here.warnings).toHaveLength(1);
  });

  it("R18 AG-076 a body without a thread is rejected before any stream", async () => {
    await using here = await kit(refunding().agent);
    class Nameless extends HttpAgent {
      protected override requestInit(run: Seen): RequestInit {
        return super.requestInit({ ...run, threadId: undefined });
      }
    }
    const error = await new Nameless({ url: here.url })
      .runAgent({ runId: "r1" })
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 400, payload: { error: expect.stringContaining("threadId") } });
  });
});
