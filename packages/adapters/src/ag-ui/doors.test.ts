/** Answers that come in by other doors than the app, and those that nobody may give. */

import { describe, expect, it } from "vitest";
import { parallel, refunding } from "../testing/agents.ts";
import { clientOf, input, type Kit, kit, type Reply } from "../testing/agui-kit.ts";

const approve = (interruptId: string) => ({
  interruptId,
  status: "resolved",
  payload: { approved: true },
});
const last = ({ events }: Reply) => events.at(-1);
const refusal = (code: string) => ({ type: "RUN_ERROR", code });
const resume = (entries: readonly object[], threadId = "t1", runId = "r2") =>
  input(threadId, runId, { resume: entries });

/** Runs until it stops, and gives the ids it waits for. */
async function stopped(here: Kit): Promise<readonly string[]> {
  const reply = await here.post(input("t1", "r1"));
  return last(reply).outcome.interrupts.map(({ id }: { id: string }) => id);
}

describe("answers through other doors", () => {
  it("an answer from the app is recorded with the door agui, alone or with others", async () => {
    await using here = await kit(parallel(2).agent);
    const ids = await stopped(here);
    await here.post(resume(ids.map((id) => approve(id))));
    const first = last(await here.post({ threadId: "t2", runId: "r1" }, { query: "?interruptForm=draft" }));
    const single = { interruptId: first.interrupt.id, payload: { approved: true } };
    await here.post({ threadId: "t2", runId: "r2", resume: single });
    for (const id of [...ids, first.interrupt.id]) {
      expect((await here.holdpoint.get(id)).outcome).toMatchObject({ door: "agui" });
    }
  });

  it("an interrupt names its HITL case, and contains no token to answer with", async () => {
    await using here = await kit(refunding({ approval: { timeout: "1h", onTimeout: "reject" } }).agent);
    const { interrupts } = last(await here.post(input("t1", "r1"))).outcome;
    const { hitl, payload } = interrupts[0].metadata;
    const { caseId } = await here.holdpoint.get(interrupts[0].id);
    const poll_url = `http://localhost:4100/reviews/${caseId}/status`;
    expect(hitl).toEqual({
      ...{ case_id: caseId, poll_url, type: "approval", default_action: "reject" },
      context: payload,
    });
    expect(JSON.stringify(interrupts)).not.toMatch(/token/i);
    const { app } = here.test.keys;
    const polled = await here.test.call("GET", new URL(hitl.poll_url).pathname, { key: app });
    expect(polled.body).toMatchObject({ status: "pending", expires_at: interrupts[0].expiresAt });
    const listed = await (await fetch(`${here.url}/interrupts?threadId=t1`)).json();
    expect(listed).toMatchObject({ interrupts });
    expect(last(await here.post(input("t1", "r2"), { query: "/connect" })).outcome.interrupts).toEqual(
      interrupts,
    );
  });

  it.each([
    ["https://holds.example/", "https://holds.example/reviews/"],
    ["http://holds.example", undefined],
  ])("the address of cases can be configured, and must be safe: %s", async (publicUrl, poll) => {
    await using here = await kit(refunding().agent, { publicUrl });
    const [one] = last(await here.post(input("t1", "r1"))).outcome.interrupts;
    if (poll === undefined) expect(one.metadata).not.toHaveProperty("hitl");
    else expect(one.metadata.hitl.poll_url).toMatch(new RegExp(`^${poll}review_`));
  });

  it("AG-099 a repeated answer is on record, and in the history that a page reads", async () => {
    const { agent, executed } = refunding();
    await using here = await kit(agent);
    const [id = ""] = await stopped(here);
    const history = async () =>
      ((await (await fetch(`${here.url}/interrupts?threadId=t1`)).json()) as { history: object[] }).history;
    await here.post(resume([approve(id)]));
    expect(await history()).toMatchObject([{ interrupt: { id }, status: "resolved", by: "Ada" }]);
    expect((await history())[0]).not.toHaveProperty("replays");
    const again = (n: number) => here.post(resume([approve(id)], "t1", `again-${n}`));
    await Promise.all([again(1), again(2)]);
    const draft = { interruptId: id, payload: { approved: true } };
    await here.post({ threadId: "t1", runId: "r9", resume: draft });
    const [entry] = await history();
    expect(entry).toMatchObject({ interrupt: { id }, status: "resolved", by: "Ada" });
    const told = (entry as { replays: number }).replays;
    // Of two at once one may be told that the thread is busy; what was told again is counted.
    expect(told).toBeGreaterThanOrEqual(2);
    expect(executed).toHaveLength(1);
  });

  it("G7 an unnamed caller or an agent's key cannot answer", async () => {
    await using here = await kit(refunding().agent);
    const [id = ""] = await stopped(here);
    const unnamed = await here.post(resume([approve(id)]), { headers: { "x-user": "nobody" } });
    expect(last(unnamed)).toMatchObject(refusal("NOT_ALLOWED"));
    await using own = await kit(refunding().agent, { role: "agent" });
    const [asked = ""] = await stopped(own);
    expect(last(await own.post(resume([approve(asked)])))).toMatchObject(refusal("NOT_ALLOWED"));
  });

  it("G7 a conversation belongs to its owner, where the app names one", async () => {
    const { agent, executed } = refunding();
    const owns = (person: { readonly id?: string } | null) => {
      if (person?.id === "broken") throw new Error("no database");
      return person?.id === "ada";
    };
    await using here = await kit(agent, { owns });
    const [id = ""] = await stopped(here);
    for (const name of ["Eve", "broken", "nobody"]) {
      const headers = { "x-user": name };
      for (const body of [resume([approve(id)]), input("t1", "r2")]) {
        const { events } = await here.post(body, { headers });
        expect(events).toMatchObject([{ type: "RUN_STARTED" }, refusal("NOT_ALLOWED")]);
        const connected = await here.post(body, { headers, query: "/connect" });
        expect(last(connected)).toMatchObject(refusal("NOT_ALLOWED"));
      }
      const list = await fetch(`${here.url}/interrupts?threadId=t1`, { headers });
      const upload = { method: "POST", headers, body: "x" };
      const file = await fetch(`${here.url}/files?threadId=t1&interruptId=${id}&name=a`, upload);
      expect([list.status, file.status]).toEqual([403, 403]);
    }
    expect(here.errors).toHaveLength(6);
    expect(executed).toEqual([]);
    expect((await fetch(`${here.url}/interrupts?threadId=t1`)).status).toBe(200);
    expect(last(await here.post(resume([approve(id)])))).toMatchObject({ outcome: { type: "success" } });
  });

  it("an earlier answer from elsewhere counts as covered, and a different one is refused", async () => {
    const { agent, executed } = parallel(2);
    await using here = await kit(agent);
    const [a = "", b = ""] = await stopped(here);
    await clientOf(here.test, "operator").answer(a, { action: "reject" });
    const unequal = await here.post(resume([approve(a), approve(b)]));
    expect(last(unequal)).toMatchObject(refusal("INTERRUPT_ALREADY_RESOLVED"));
    const rest = await here.post(resume([approve(b)], "t1", "r3"));
    expect(last(rest)).toMatchObject({ result: { kinds: ["denied", "executed"] } });
    expect(executed).toEqual([{ index: 1 }]);
  });

  it("two interrupts, one answered in the app and one elsewhere after a restart, resume the run once with both", async () => {
    const { agent, executed } = parallel(2);
    await using first = await kit(agent);
    const asked = last(await first.post({ threadId: "t1", runId: "r1" }, { query: "?interruptForm=draft" }));
    const a = asked.interrupt.id;
    const shown = await first.post({
      threadId: "t1",
      runId: "r2",
      resume: { interruptId: a, payload: { approved: true } },
    });
    const b = last(shown).interrupt.id;
    expect(b).not.toBe(a);
    await using later = await first.restart();
    await clientOf(later.test, "operator").answer(b, { action: "approve" });
    expect(executed).toEqual([]);
    const done = await later.post(resume([approve(a)], "t1", "r3"));
    expect(last(done)).toMatchObject({ result: { kinds: ["executed", "executed"] } });
    const again = await later.post(resume([approve(a), approve(b)], "t1", "r4"));
    expect(last(again)).toMatchObject({ result: { kinds: ["executed", "executed"] } });
    expect(executed).toHaveLength(2);
  });

  it("an approval that was revoked before it ran does not run", async () => {
    const { agent, executed } = refunding();
    await using here = await kit(agent);
    const [id = ""] = await stopped(here);
    const operator = clientOf(here.test, "operator");
    await operator.answer(id, { action: "approve" });
    await operator.revoke(id);
    const reply = await here.post(input("t1", "r2"));
    expect(last(reply)).toMatchObject({ result: { outcome: "denied" } });
    expect(executed).toEqual([]);
  });
});
