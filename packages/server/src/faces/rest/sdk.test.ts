/** The client and the server understand each other, and every reply has exactly the form that its operation declares. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { nativeOperations, ProblemOut } from "@holdpoint/protocol";
import { Holdpoint, isRefusal, isTerminalError } from "@holdpoint/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const ASK = { type: "approval", prompt: "Refund 40 EUR?", context: { order: "o-1" } } as const;

/** Replies that were not as declared. Kept for the end of the test: the client would take a failing call for trouble. */
const strays: unknown[] = [];
afterEach(() => expect(strays.splice(0)).toEqual([]));

/** Calls the server without a port, and holds each reply against its declaration. */
function clientOf(test: TestServer, key: string): Holdpoint {
  const call = async (input: string, init: RequestInit): Promise<Response> => {
    const response = await test.server.app.request(input.replace("http://test", ""), init);
    if (!response.headers.get("content-type")?.includes("json")) return response;
    const stray = strayFrom(input, init, response.status, await response.clone().json());
    if (stray !== null) strays.push(stray);
    return response;
  };
  return new Holdpoint({ url: "http://test", apiKey: key, runtime: { fetch: call } });
}

function strayFrom(input: string, init: RequestInit, status: number, body: unknown): unknown {
  const { pathname } = new URL(input);
  const operation = nativeOperations.find(({ method, path }) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    return method === init.method && pattern.test(pathname);
  });
  if (operation === undefined) return { undeclared: `${init.method} ${pathname}` };
  const schema = status >= 400 ? ProblemOut : operation.replies[status];
  const issues = schema?.safeParse(body).error?.issues;
  if (!schema || issues !== undefined) return { operation: operation.id, status, issues, body };
  if (status < 400 || operation.errors.includes((body as ProblemOut).code)) return null;
  return { operation: operation.id, undeclared: (body as ProblemOut).code };
}

async function turns(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 10_000; turn += 1) {
    if (await isSo()) return;
    await nextTurn();
  }
  throw new Error("it never came about");
}

async function openHold(people: Holdpoint): Promise<string> {
  let id: string | undefined;
  await turns(async () => {
    id = (await people.list({ status: "open" })).holds[0]?.id;
    return id !== undefined;
  });
  return id ?? "";
}

describe("the client over the native API", () => {
  it("asks, is answered, and runs what was approved once", async () => {
    await using test = await testServer();
    const agent = clientOf(test, test.keys.agent);
    const ada = clientOf(test, test.keys.operator);
    const asking = agent.ask({ ...ASK, key: "refund:o-1", timeout: "1h", onTimeout: "reject" });
    const id = await openHold(ada);
    const { digest } = await ada.get(id);
    await ada.answer(id, { action: "approve", data: { note: "fine" }, shown: digest });
    const outcome = (await asking).orThrow();
    expect(outcome).toMatchObject({
      action: "approve",
      data: { note: "fine" },
      by: { kind: "key", name: "ada" },
    });
    expect(await agent.runOnce(outcome, async () => "done")).toBe("done");
    expect(await agent.runOnce(outcome, async () => "twice")).toBe("done");
    const types = (await agent.events(id)).map(({ type }) => type);
    expect(types).toEqual(["hold.placed", "hold.decided", "hold.claimed", "hold.claim_done"]);
  });

  it("hears of an expiry that the server's clock decided", async () => {
    await using test = await testServer();
    const agent = clientOf(test, test.keys.agent);
    const asking = agent.ask({ ...ASK, timeout: "1h", onTimeout: "reject", remindAt: ["30m"] });
    await openHold(clientOf(test, test.keys.operator));
    await test.clock.advance(3_600_000);
    expect(await asking).toMatchObject({ kind: "expired", default: { action: "reject" } });
  });

  it("places repeatably, refuses another question under the same key, and never lets the asker answer (G7)", async () => {
    await using test = await testServer();
    const agent = clientOf(test, test.keys.agent);
    const first = await agent.place({ ...ASK, key: "k" });
    expect((await agent.place({ ...ASK, key: "k" })).id).toBe(first.id);
    const other = await agent
      .place({ ...ASK, key: "k", prompt: "Another?" })
      .catch((error: unknown) => error);
    expect(isRefusal(other, "key_reused")).toBe(true);
    const own = await agent.answer(first.id, { action: "approve" }).catch((error: unknown) => error);
    expect(isRefusal(own, "not_allowed")).toBe(true);
    const cancelled = await agent.cancel(first.id, { reason: "moot" });
    expect(cancelled.outcome).toMatchObject({ kind: "cancelled", reason: "moot" });
    const late = await clientOf(test, test.keys.operator)
      .answer(first.id, { action: "approve" })
      .catch((error: unknown) => error);
    expect(isTerminalError(late) && late.outcome).toMatchObject({ kind: "cancelled" });
  });

  it("refuses what does not fit, with the places", async () => {
    await using test = await testServer();
    const agent = clientOf(test, test.keys.agent);
    const ada = clientOf(test, test.keys.operator);
    const select = { type: "selection", prompt: "Which?", options: [{ id: "a", label: "A" }] } as const;
    const { id } = await agent.place(select);
    const wrong = await ada
      .answer(id, { action: "select", data: { selected: ["b"] } })
      .catch((error: unknown) => error);
    expect(isRefusal(wrong, "invalid_answer") && wrong.fields.length).toBeGreaterThan(0);
    const odd = await ada.answer(id, { action: "approve" }).catch((error: unknown) => error);
    expect(isRefusal(odd, "invalid_action")).toBe(true);
    const unknown = await agent.place({ ...ASK, promt: "x" } as never).catch((error: unknown) => error);
    expect(isRefusal(unknown, "unknown_member")).toBe(true);
  });

  it("makes links and groups, and follows what happens", async () => {
    await using test = await testServer();
    const agent = clientOf(test, test.keys.agent);
    const ada = clientOf(test, test.keys.operator);
    const group = await agent.placeGroup({
      holds: [ASK, { type: "confirmation", prompt: "Sure?" }],
      threadId: "t",
    });
    const [one, two] = group.holds.map(({ id }) => id);
    const link = await ada.makeLink(one!, { to: "grace" });
    expect(link.url).toMatch(/token=/);
    expect((await ada.listLinks(one!)).every(({ url }) => url === undefined)).toBe(true);
    expect((await ada.revokeLink(one!, link.id)).revokedAt).toBeDefined();
    const half = await ada
      .answerGroup(group.id, [{ kind: "answer", holdId: one!, action: "approve" }])
      .catch((error: unknown) => error);
    expect(isRefusal(half, "group_incomplete")).toBe(true);
    const released = await ada.answerGroup(group.id, [
      { kind: "answer", holdId: one!, action: "approve" },
      { kind: "cancel", holdId: two!, reason: "no need" },
    ]);
    expect(released.status).toBe("released");
    const seen: string[] = [];
    for await (const { type } of agent.follow({ after: 0, holdIds: [one!, two!] })) {
      seen.push(type);
      if (seen.includes("hold.decided") && seen.includes("hold.cancelled")) break;
    }
    expect(seen.filter((type) => type === "hold.placed")).toHaveLength(2);
  });
});
