import { HttpAgent } from "@ag-ui/client";
import { AGUI_MEDIA_TYPE, decode, encode } from "@ag-ui/proto";
import { describe, expect, it } from "vitest";
import { refunding } from "../testing/agents.ts";
import { input, kit } from "../testing/agui-kit.ts";

// biome-ignore lint/suspicious/noExplicitAny: the client's events are asserted on as they come.
type Seen = any;
const protobuf = (event: object) => encode(event as Parameters<typeof encode>[0]);

/** The client's own reader of the binary encoding is used when the reply says so. */
class BinaryAgent extends HttpAgent {
  protected override requestInit(given: Parameters<HttpAgent["requestInit"]>[0]): RequestInit {
    const init = super.requestInit(given);
    return { ...init, headers: { ...(init.headers as object), accept: AGUI_MEDIA_TYPE } };
  }
}

async function run(agent: Seen, parameters: object): Promise<readonly Seen[]> {
  const events: Seen[] = [];
  await agent.runAgent(parameters, { onEvent: ({ event }: Seen) => void events.push(event) });
  return events;
}

const post = (url: string, accept: string) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify(input("t9", "r9")),
  });

describe("the binary encoding", () => {
  it("R11 AG-074 the released client stops, resumes and gets the tool's result as protobuf", async () => {
    const { agent: refund, executed } = refunding();
    await using here = await kit(refund, { protobuf });
    const agent = new BinaryAgent({ url: here.url, threadId: "t1" });
    const first = await run(agent, { runId: "r1" });
    const [interrupt] = first.at(-1).outcome.interrupts;
    expect(interrupt).toMatchObject({ reason: "tool_call", responseSchema: { type: "object" } });
    const resume = [{ interruptId: interrupt.id, status: "resolved", payload: { approved: true } }];
    const second = await run(agent, { runId: "r2", resume });
    expect(second.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
    expect(executed).toHaveLength(1);
  });

  it("AG-074 every frame is a message with its length in four bytes before it, under exactly one type", async () => {
    await using here = await kit(refunding().agent, { protobuf });
    const response = await post(here.url, AGUI_MEDIA_TYPE);
    expect(response.headers.get("content-type")).toBe(AGUI_MEDIA_TYPE);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const types: Seen[] = [];
    for (let at = 0; at < bytes.length; ) {
      const length = new DataView(bytes.buffer, at, 4).getUint32(0);
      types.push(decode(bytes.subarray(at + 4, at + 4 + length)).type);
      at += 4 + length;
    }
    expect(types[0]).toBe("RUN_STARTED");
    expect(types.at(-1)).toBe("RUN_FINISHED");
  });

  it.each([
    ["*/*", "text/event-stream"],
    ["text/event-stream", "text/event-stream"],
    [`${AGUI_MEDIA_TYPE};q=0`, "text/event-stream"],
    [`text/event-stream, ${AGUI_MEDIA_TYPE};q=0.5`, AGUI_MEDIA_TYPE],
  ])("AG-075 a caller that accepts %s gets %s", async (accept, type) => {
    await using here = await kit(refunding().agent, { protobuf });
    const response = await post(here.url, accept);
    expect(response.headers.get("content-type")).toBe(type);
    await response.body?.cancel();
  });

  it("AG-074 without an encoder everybody gets text, and the capabilities say so", async () => {
    await using here = await kit(refunding().agent);
    expect((await post(here.url, AGUI_MEDIA_TYPE)).headers.get("content-type")).toBe("text/event-stream");
    const capabilities = async (url: string) =>
      (await (await fetch(`${url}/capabilities`)).json()).transport.httpBinary;
    expect(await capabilities(here.url)).toBe(false);
    await using binary = await kit(refunding().agent, { protobuf });
    expect(await capabilities(binary.url)).toBe(true);
  });
});
