/** What every `HoldClient` does the same way, over HTTP and in the server's own process. */

import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type CheckClient,
  type FileClient,
  type HoldClient,
  isRefusal,
  isTerminalError,
  runOnce,
  type StandingClient,
  type TerminalError,
  type ThreadClient,
} from "@holdpoint/protocol/client";
import { describe, expect, it } from "vitest";
import { seedPeople } from "../../people-seed.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

export type AnyClient = HoldClient & ThreadClient & FileClient & CheckClient & StandingClient;
export type ClientOf = (test: TestServer, who: keyof TestServer["keys"]) => Promise<AnyClient>;

export const ASK = { type: "approval", prompt: "Refund 40 EUR?", context: { order: "o-1" } } as const;
const FILE_ASK = {
  type: "input",
  prompt: "The contract, please.",
  form: { fields: [{ key: "contract", label: "Contract", type: "x-file-upload" }] },
} as const;

/** The error that a call is refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<TerminalError> {
  const error = await call.then(
    () => new Error("the call was not refused"),
    (fault: unknown) => fault,
  );
  if (!isTerminalError(error)) throw error;
  return error;
}

async function approved(agent: AnyClient, ada: AnyClient) {
  const { id, digest } = await agent.place(ASK);
  await ada.answer(id, { action: "approve", shown: digest });
  return { id, digest };
}

export function holdClientSuite(name: string, clientOf: ClientOf): void {
  describe(`the ${name}`, () => {
    placing(clientOf);
    waiting(clientOf);
    refusing(clientOf);
    voting(clientOf);
    claiming(clientOf);
    grouping(clientOf);
    keeping(clientOf);
  });
}

function placing(clientOf: ClientOf): void {
  it("finds the hold that was placed under the same key and refuses another question under it", async () => {
    await using test = await testServer();
    const agent = await clientOf(test, "agent");
    const first = await agent.place({ ...ASK, key: "k" });
    expect(first).toMatchObject({
      status: "open",
      key: "k",
      createdBy: "refunder",
      context: { order: "o-1" },
    });
    expect(first.reviewUrl).toContain("token=");
    expect((await agent.place({ ...ASK, key: "k" })).id).toBe(first.id);
    const other = await refusalOf(agent.place({ ...ASK, key: "k", prompt: "Another?" }));
    expect(other).toMatchObject({ code: "key_reused", status: 409 });
  });

  it("takes what JSON.stringify takes: dates become text and undefined members are left out", async () => {
    await using test = await testServer();
    const at = new Date(test.clock.now());
    const { context } = await (await clientOf(test, "agent")).place({
      ...ASK,
      context: { at, none: undefined },
    });
    expect(context).toStrictEqual({ at: at.toISOString() });
  });

  it("lists by status, thread and page, and shows an agent its own holds only", async () => {
    await using test = await testServer();
    const [agent, ada] = [await clientOf(test, "agent"), await clientOf(test, "operator")];
    const ids: string[] = [];
    for (const threadId of ["t1", "t1", "t2"]) {
      ids.unshift((await agent.place({ ...ASK, threadId })).id);
      await test.clock.advance(1);
    }
    const page = await ada.list({ status: "open", limit: 2 });
    expect(page.holds.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const rest = await ada.list({ status: "open", limit: 2, cursor: page.nextCursor ?? "" });
    expect(rest.holds.map(({ id }) => id)).toEqual(ids.slice(2));
    expect((await agent.list({ threadId: "t1" })).holds).toHaveLength(2);
    expect((await (await clientOf(test, "otherAgent")).list()).holds).toEqual([]);
    expect(await refusalOf(ada.list({ limit: 201 }))).toMatchObject({ code: "invalid_query", status: 400 });
    expect(await refusalOf(ada.list({ cursor: "%" }))).toMatchObject({ code: "invalid_cursor" });
  });
}

function waiting(clientOf: ClientOf): void {
  it("waits until a person has answered, and tells who it was", async () => {
    await using test = await testServer();
    const [agent, ada] = [await clientOf(test, "agent"), await clientOf(test, "operator")];
    const { id, digest } = await agent.place({ ...ASK, timeout: "1h" });
    const settled = agent.wait(id);
    await nextTurn();
    await ada.answer(id, { action: "approve", data: { note: "fine" }, shown: digest }, { door: "cli" });
    expect((await settled).outcome).toMatchObject({
      ...{ kind: "decided", action: "approve", data: { note: "fine" }, door: "cli" },
      by: { kind: "key", name: "ada" },
    });
  });

  it("waits until the server's clock has expired the hold (G3)", async () => {
    await using test = await testServer();
    const agent = await clientOf(test, "agent");
    const { id } = await agent.place({ ...ASK, timeout: "1h", onTimeout: "reject" });
    const settled = agent.wait(id);
    await test.clock.advance(3_600_000);
    expect((await settled).outcome).toMatchObject({ kind: "expired", default: { action: "reject" } });
  });

  it("returns the open hold when waitMs is 0", async () => {
    await using test = await testServer();
    const agent = await clientOf(test, "agent");
    const { id } = await agent.place(ASK);
    expect((await agent.wait(id, { waitMs: 0 })).status).toBe("open");
  });

  it("rejects with the signal's reason when the wait is given up, and the hold stays open (G8)", async () => {
    await using test = await testServer();
    const agent = await clientOf(test, "agent");
    const { id } = await agent.place(ASK);
    const stop = new AbortController();
    const reason = new Error("enough");
    const settled = agent.wait(id, { signal: stop.signal });
    await nextTurn();
    stop.abort(reason);
    await expect(settled).rejects.toBe(reason);
    await expect(agent.get(id, { signal: stop.signal })).rejects.toBe(reason);
    expect((await agent.get(id)).status).toBe("open");
  });

  it("says when the stream of events is open, so that nothing is missed between reading and following", async () => {
    await using test = await testServer();
    const agent = await clientOf(test, "agent");
    const stop = new AbortController();
    const placing: Promise<unknown>[] = [];
    const onOpen = () => placing.push(agent.place(ASK));
    for await (const { type } of agent.follow({ signal: stop.signal, onOpen })) {
      expect(type).toBe("hold.placed");
      stop.abort();
    }
    expect(placing).toHaveLength(1);
    await Promise.all(placing);
  });

  it("follows events from a position on, of the chosen holds and types, and ends with the signal", async () => {
    await using test = await testServer();
    const [agent, ada] = [await clientOf(test, "agent"), await clientOf(test, "operator")];
    const { id } = await approved(agent, ada);
    await agent.place(ASK);
    const seen: string[] = [];
    const stop = new AbortController();
    for await (const { type, holdId } of agent.follow({ after: 0, holdIds: [id], signal: stop.signal })) {
      expect(holdId).toBe(id);
      seen.push(type);
      if (type === "hold.decided") stop.abort();
    }
    expect(seen).toEqual(["hold.placed", "hold.decided"]);
    expect((await agent.events(id)).map(({ type }) => type)).toEqual(seen);
  });
}

function refusing(clientOf: ClientOf): void {
  it("refuses an agent's own answer (G7), and tells a late answerer how the hold ended (G1)", async () => {
    await using test = await testServer();
    const [agent, ada] = [await clientOf(test, "agent"), await clientOf(test, "operator")];
    const { id } = await agent.place(ASK);
    const own = await refusalOf(agent.answer(id, { action: "approve" }));
    expect(own).toMatchObject({ code: "not_allowed", status: 403 });
    const cancelled = await agent.cancel(id, { reason: "moot" });
    expect(cancelled.outcome).toMatchObject({ kind: "cancelled", reason: "moot" });
    const late = await refusalOf(ada.answer(id, { action: "approve" }));
    expect(late).toMatchObject({ code: "already_settled", holdId: id, outcome: { kind: "cancelled" } });
    expect(late.message).toContain("(already_settled)");
  });

  it("names the places that do not fit", async () => {
    await using test = await testServer();
    const [agent, ada] = [await clientOf(test, "agent"), await clientOf(test, "operator")];
    const select = { type: "selection", prompt: "Which?", options: [{ id: "a", label: "A" }] } as const;
    const { id } = await agent.place(select);
    const wrong = await refusalOf(ada.answer(id, { action: "select", data: { selected: ["b"] } }));
    expect(isRefusal(wrong, "invalid_answer") && wrong.fields.length).toBeGreaterThan(0);
    expect(await refusalOf(ada.answer(id, { action: "approve" }))).toMatchObject({ code: "invalid_action" });
    const unknown = await refusalOf(agent.place({ ...ASK, promt: "x" } as never));
    expect(unknown).toMatchObject({ code: "unknown_member", status: 422 });
    expect(unknown.fields).toMatchObject([{ key: "/promt" }]);
  });

  it("keeps an agent away from another agent's hold, and an auditor from every change", async () => {
    await using test = await testServer();
    const { id } = await (await clientOf(test, "agent")).place(ASK);
    for (const who of ["otherAgent", "elsewhere"] as const)
      expect(await refusalOf((await clientOf(test, who)).get(id))).toMatchObject({
        code: "not_found",
        status: 404,
      });
    expect(await refusalOf((await clientOf(test, "auditor")).cancel(id))).toMatchObject({
      code: "not_allowed",
    });
    expect(await refusalOf((await clientOf(test, "auditor")).place(ASK))).toMatchObject({
      code: "not_allowed",
    });
  });

  it.each([
    ["too_large", { context: { text: "x".repeat(1_100_000) } }],
    ["too_large", { context: { list: Array.from({ length: 60_000 }, () => 0) } }],
    ["too_deep", { context: { deep: JSON.parse("[".repeat(70) + "]".repeat(70)) } }],
    ["invalid_json", { prompt: "half a pair: \ud800" }],
    ["callback_refused", { callbackUrl: "https://192.168.0.1/hook" }],
  ])("refuses with %s what is beyond the limits (G11)", async (code, more) => {
    await using test = await testServer();
    const refusal = await refusalOf((await clientOf(test, "agent")).place({ ...ASK, ...more } as never));
    expect(refusal.code).toBe(code);
    expect((await (await clientOf(test, "operator")).list()).holds).toEqual([]);
  });

  it.each(["", "no_such", "a\0b", "../holds", "\ud800"])("finds no hold under the id %j", async (id) => {
    await using test = await testServer();
    expect(isTerminalError(await refusalOf((await clientOf(test, "operator")).cancel(id)))).toBe(true);
  });
}

function voting(clientOf: ClientOf): void {
  it("withdraws the caller's own vote, and refuses a caller who has none", async () => {
    await using test = await testServer();
    await seedPeople(test.server.engine, { people: { ada: {}, root: {} } });
    const [agent, ada] = [await clientOf(test, "agent"), await clientOf(test, "operator")];
    const both = { need: 2, from: ["person:ada", "person:root"] };
    const { id } = await agent.place({ ...ASK, decision: { approve: [both] } });
    const voted = await ada.answer(id, { action: "approve" });
    expect(voted).toMatchObject({ status: "open", votes: [{ person: "ada" }] });
    const withdrawn = await ada.withdrawVote(id);
    expect(withdrawn).toMatchObject({ status: "open", votes: [], missing: [{ need: 2, given: 0 }] });
    expect(await refusalOf(ada.withdrawVote(id))).toMatchObject({ code: "no_vote" });
    expect(await refusalOf(agent.withdrawVote(id))).toMatchObject({ code: "no_vote" });
  });
}

function claiming(clientOf: ClientOf): void {
  it("lets what was approved run once, and gives a repeat the recorded result (G10)", async () => {
    await using test = await testServer();
    const [agent, ada] = [await clientOf(test, "agent"), await clientOf(test, "operator")];
    const { id } = await approved(agent, ada);
    expect(await runOnce(agent, id, async () => "done")).toBe("done");
    expect(await runOnce(agent, id, async () => "twice")).toBe("done");
    const types = (await agent.events(id)).map(({ type }) => type);
    expect(types).toEqual(["hold.placed", "hold.decided", "hold.claimed", "hold.claim_done"]);
  });

  it("refuses a second claim, a claim of other content, and a claim after the approval was taken back", async () => {
    await using test = await testServer();
    const [agent, ada] = [await clientOf(test, "agent"), await clientOf(test, "operator")];
    const { id, digest } = await approved(agent, ada);
    expect(await refusalOf(agent.claim(id, { digest: "other" }))).toMatchObject({ status: 409 });
    const claim = await agent.claim(id, { digest, lease: "1m" });
    expect(claim).toMatchObject({ holdId: id, state: "claimed", claimedBy: "key:refunder" });
    expect(await refusalOf(agent.claim(id, { digest }))).toMatchObject({ code: "claim_taken" });
    await test.clock.advance(61_000);
    expect((await agent.get(id)).claim?.state).toBe("unknown");
    expect((await ada.releaseClaim(id, "it did not run")).claim).toBeUndefined();
    expect((await ada.revoke(id)).revoked?.by).toMatchObject({ name: "ada" });
    expect(await refusalOf(agent.claim(id, { digest }))).toMatchObject({ code: "not_claimable" });
  });
}

function grouping(clientOf: ClientOf): void {
  it("settles a group in one commit or not at all", async () => {
    await using test = await testServer();
    const [agent, ada] = [await clientOf(test, "agent"), await clientOf(test, "operator")];
    const holds = [ASK, { type: "confirmation", prompt: "Sure?" } as const];
    const group = await agent.placeGroup({ holds, threadId: "t", runId: "r" });
    const [one = "", two = ""] = group.holds.map(({ id }) => id);
    const half = ada.answerGroup(group.id, [{ kind: "answer", holdId: one, action: "approve" }]);
    expect(await refusalOf(half)).toMatchObject({ code: "group_incomplete" });
    const released = await ada.answerGroup(group.id, [
      { kind: "answer", holdId: one, action: "approve" },
      { kind: "cancel", holdId: two, reason: "no need" },
    ]);
    expect(released).toMatchObject({ id: group.id, status: "released", threadId: "t", runId: "r" });
    expect(await ada.getGroup(group.id)).toEqual(released);
  });

  it("makes links for people, shows their secret once, and revokes them", async () => {
    await using test = await testServer();
    const [agent, ada] = [await clientOf(test, "agent"), await clientOf(test, "operator")];
    const { id } = await agent.place(ASK);
    const link = await ada.makeLink(id, { to: "grace" });
    expect(link).toMatchObject({ holdId: id, purpose: "review", to: "grace" });
    expect(link.url).toMatch(/token=/);
    expect((await ada.listLinks(id)).every(({ url }) => url === undefined)).toBe(true);
    expect((await ada.revokeLink(id, link.id)).revokedAt).toBeDefined();
    expect(await refusalOf(ada.revokeLink(id, "link_none"))).toMatchObject({ code: "not_found" });
    expect(await refusalOf(agent.listLinks(id))).toMatchObject({ code: "not_allowed" });
  });
}

function keeping(clientOf: ClientOf): void {
  it("keeps a thread under its version, and forgets it", async () => {
    await using test = await testServer();
    const agent = await clientOf(test, "agent");
    expect(await agent.getThread("t1")).toBeNull();
    const kept = await agent.keepThread("t1", { data: { step: 1 }, ifVersion: 0 });
    expect(await agent.getThread("t1")).toEqual(kept);
    const stale = agent.keepThread("t1", { data: { step: 2 }, ifVersion: 0 });
    expect(await refusalOf(stale)).toMatchObject({ code: "precondition_failed", status: 412 });
    // More than other bodies may have: a thread holds a whole conversation.
    await agent.keepThread("t1", { data: { text: "x".repeat(2_000_000) }, ifVersion: kept.version });
    await agent.forgetThread("t1");
    expect(await agent.getThread("t1")).toBeNull();
  });

  it("takes a file for an answer and gives it back", async () => {
    await using test = await testServer();
    const [agent, ada] = [await clientOf(test, "agent"), await clientOf(test, "operator")];
    const { id } = await agent.place(FILE_ASK);
    const content = new TextEncoder().encode("signed");
    expect(await refusalOf(agent.uploadFile(id, { name: "x", content }))).toMatchObject({ status: 403 });
    const { bytes, ...file } = await ada.uploadFile(id, { name: "contract.pdf", content });
    expect(bytes).toBe(6);
    await ada.answer(id, { action: "submit", data: { contract: file } });
    expect(new TextDecoder().decode(await agent.downloadFile(file.file_id))).toBe("signed");
    expect(await refusalOf(agent.downloadFile("file_none"))).toMatchObject({ code: "not_found" });
  });

  it("checks a tool call: the same call finds the same hold, and an approval allows it", async () => {
    await using test = await testServer();
    const agent = await clientOf(test, "agent");
    const asked = await agent.check({ tool: "pay", args: { amount: 5 }, threadId: "t1" });
    expect(asked).toMatchObject({ verdict: "ask", rule: null, rulesVersion: 0, hold: { status: "open" } });
    const holdId = asked.hold?.id ?? "";
    await (await clientOf(test, "operator")).answer(holdId, { action: "approve", grant: { for: "1h" } });
    const allowed = await agent.check({ tool: "pay", args: { amount: 5 } });
    expect(allowed).toMatchObject({
      verdict: "allow",
      hold: { id: holdId, outcome: { grantId: expect.any(String) } },
    });
  });

  it("records calls that ran under a standing permission, and is told whether it still stands", async () => {
    await using test = await testServer();
    const { call, keys } = test;
    const publish = (body: object) => call("PUT", "/v1/rules", { key: keys.admin, body });
    await publish({ rules: [{ tools: ["read"], verdict: "allow" }] });
    const agent = await clientOf(test, "agent");
    const checked = await agent.check({ tool: "read", args: { page: 1 } });
    expect(checked).toMatchObject({ verdict: "allow", rulesVersion: 1, standingMs: 250 });
    const calls = [{ page: 2 }, { page_number: 3 }];
    const given = { tool: "read", rulesVersion: 1, calls, session: "s", localRules: { digest: "sha256:f" } };
    expect(await agent.recordStandingCalls(given)).toMatchObject({ calls: 2, standingMs: 250 });
    await publish({ rules: [] });
    const late = await agent.recordStandingCalls(given);
    expect(late).toMatchObject({ verdict: "allow", rulesVersion: 1, calls: 2 });
    expect(late.standingMs).toBeUndefined();
  });

  it("records work that went on without a person", async () => {
    await using test = await testServer();
    const skip = await (await clientOf(test, "app")).recordSkip({ what: "POST /orders", agent: "buyer-7" });
    expect(skip).toMatchObject({ what: "POST /orders", agent: "buyer-7", recordedBy: "shop" });
  });
}
