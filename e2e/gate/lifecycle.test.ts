import type { ToolPolicy } from "@holdpoint/gate";
import { deny, guard, requireApproval } from "@holdpoint/gate";
import { approvalKey, connectApprovals } from "@holdpoint/gate/host";
import { describe, expect, test } from "vitest";
import { type Evidence, honouring, LEASE_MS, ORDER, office, overHttp, people } from "./world.fixture.ts";

describe("an approval request on the server", () => {
  test("AI-060 an approval request reaches exactly five states on the server", async () => {
    await using server = await overHttp();
    const { approve, reject, requestChanges } = people(server);
    const { host, propose } = office(server, { timeout: "1h", grantForMs: 60_000 });
    const stateAfter = async (args: object, decide: (key: string, hash: string) => Promise<unknown>) => {
      const { proposalHash } = await propose({ ...ORDER, ...args });
      expect(await host.state(proposalHash)).toBe("pending");
      await decide(approvalKey("acme", proposalHash), proposalHash);
      return await host.state(proposalHash);
    };
    expect(await host.state("nobody-asked")).toBeNull();
    expect(await stateAfter({ n: 1 }, (key) => approve(key))).toBe("approved");
    expect(await stateAfter({ n: 2 }, reject)).toBe("rejected");
    expect(await stateAfter({ n: 3 }, requestChanges)).toBe("rejected");
    expect(await stateAfter({ n: 4 }, (_, hash) => host.dismiss(hash, "not wanted any more"))).toBe(
      "dismissed",
    );
    expect(await stateAfter({ n: 5 }, () => server.test.clock.advance(3_600_000))).toBe("expired");
    expect(await stateAfter({ n: 6 }, (key) => approve(key))).toBe("approved");
  });

  test("AI-061 an approved request expires after grantForMs, and dismissing it changes nothing", async () => {
    await using server = await overHttp();
    const { approve } = people(server);
    const { host, propose, resume, executed } = office(server, { grantForMs: 60_000 });
    const proposal = await propose();
    await approve(approvalKey("acme", proposal.proposalHash));
    expect(await host.dismiss(proposal.proposalHash)).toBe("approved");
    await server.test.clock.advance(60_001);
    expect(await host.state(proposal.proposalHash)).toBe("expired");
    expect(await resume(proposal)).toEqual({ kind: "not_approved", state: "expired" });
    expect(executed).toEqual([]);
  });

  test("AI-090 equal open proposals of any run share one hold, and a new hold is opened when it is used up", async () => {
    await using server = await overHttp();
    const { approve, newest } = people(server);
    const [first, second] = [office(server), office(server)];
    const proposal = await first.propose();
    const other = await second.propose('{"iban":"DE-secret","cents":1.2e3,"order":"7"}', (input) => ({
      ...(honouring(input) as ReturnType<typeof requireApproval>),
      policyVersion: "refunds.v4",
    }));
    expect(other.proposalHash).toBe(proposal.proposalHash);
    const key = approvalKey("acme", proposal.proposalHash);
    expect((await server.client("operator").list({ status: "open" })).holds).toHaveLength(1);
    const used = await newest(key);
    await approve(key);
    await second.resume(other);
    await first.propose();
    const next = await newest(key);
    expect(next).toMatchObject({ status: "open" });
    expect(next.id).not.toBe(used.id);
    expect(await first.host.state(proposal.proposalHash)).toBe("pending");
  });
});

describe("resuming through the server", () => {
  test("AI-004 a host that waits for an approval executes nothing until it resumes", async () => {
    await using server = await overHttp();
    const { host, propose, resume, executed } = office(server);
    const proposal = await propose();
    const waiting = host.wait(proposal.proposalHash);
    await people(server).approve(approvalKey("acme", proposal.proposalHash));
    expect(await waiting).toBe("approved");
    expect(executed).toEqual([]);
    expect(await resume(proposal)).toMatchObject({ kind: "executed" });
    expect(executed).toEqual([ORDER]);
  });

  test("AI-070 a call that is blocked, approved and resumed logs placed, decided, claimed and claim_done in this order", async () => {
    await using server = await overHttp();
    const { approve, newest } = people(server);
    const { propose, resume } = office(server);
    const decisions: string[] = [];
    const watching: ToolPolicy<Evidence> = async (input) => {
      const result = await honouring(input);
      decisions.push(result.decision);
      return result;
    };
    const proposal = await propose(ORDER, watching);
    const key = approvalKey("acme", proposal.proposalHash);
    await approve(key);
    await resume(proposal, watching);
    expect(decisions).toEqual(["require_approval", "allow"]);
    const events = await server.client("auditor").events((await newest(key)).id);
    expect(events.map(({ type }) => type)).toEqual([
      "hold.placed",
      "hold.decided",
      "hold.claimed",
      "hold.claim_done",
    ]);
  });

  test("AI-071 a policy that denies stops an approved call and does not spend its claim", async () => {
    await using server = await overHttp();
    const { approve, newest } = people(server);
    const { propose, resume, executed } = office(server);
    const proposal = await propose();
    const key = approvalKey("acme", proposal.proposalHash);
    await approve(key);
    expect(await resume(proposal, () => deny("frozen"))).toEqual({ kind: "blocked", reason: "frozen" });
    expect(executed).toEqual([]);
    expect((await newest(key)).claim).toBeUndefined();
  });

  test("AI-074 another process resumes a stored proposal an hour after its run ended", async () => {
    await using server = await overHttp();
    const stored = JSON.stringify(await office(server).propose());
    const restarted = office(server);
    const proposal = JSON.parse(stored);
    await people(server).approve(approvalKey("acme", proposal.proposalHash));
    await server.test.clock.advance(3_600_000);
    const outcome = await restarted.resume(proposal);
    expect(outcome.kind === "executed" && outcome.replay.runId).not.toBe(proposal.runId);
    expect(restarted.executed).toEqual([ORDER]);
  });

  test("AI-072 one of eight hosts that resume at the same time executes, and the others are refused", async () => {
    await using server = await overHttp();
    const proposal = await office(server).propose();
    await people(server).approve(approvalKey("acme", proposal.proposalHash));
    const hosts = Array.from({ length: 8 }, () => office(server));
    const outcomes = await Promise.all(hosts.map(({ resume }) => resume(proposal)));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual([
      ...Array(7).fill("claimed_elsewhere"),
      "executed",
    ]);
    expect(hosts.flatMap(({ executed }) => executed)).toEqual([ORDER]);
  });

  test("AI-072 an execution that throws is reported as failed, without its message, and is not repeated", async () => {
    await using server = await overHttp();
    const { host } = office(server);
    let calls = 0;
    const pay = async () => {
      calls += 1;
      throw new RangeError("account DE-secret is locked");
    };
    const policy: ToolPolicy = async ({ proposalHash }) =>
      (await host.grants(proposalHash)).length > 0
        ? { decision: "allow", reason: "granted" }
        : requireApproval("ask");
    const tools = guard({ pay }, policy, { onSuspended: host.onSuspended, fence: host.fence });
    await tools.pay().catch(() => {});
    const [hold] = (await server.client("operator").list()).holds;
    await people(server).approve(hold?.key ?? "");
    await expect(tools.pay()).rejects.toThrow("locked");
    const after = await server.client("auditor").get(hold?.id ?? "");
    expect(after.claim).toMatchObject({ state: "failed", detail: { error: "RangeError" } });
    expect(JSON.stringify(after)).not.toContain("DE-secret");
    await expect(tools.pay()).rejects.toMatchObject({ name: "ToolCallApprovalRequiredError" });
    expect(calls).toBe(1);
  });

  test("E-06 an approval for two uses shows the number on the hold and lets the call run twice", async () => {
    await using server = await overHttp();
    const { host } = office(server);
    let calls = 0;
    const policy: ToolPolicy = async ({ proposalHash }) =>
      (await host.grants(proposalHash)).length > 0
        ? { decision: "allow", reason: "granted" }
        : requireApproval("ask", { metadata: { uses: 2 } });
    const options = { onSuspended: host.onSuspended, fence: host.fence };
    const tools = guard({ ping: async () => ++calls }, policy, options);
    await tools.ping().catch(() => {});
    const [hold] = (await server.client("operator").list()).holds;
    expect(hold).toMatchObject({ uses: 2 });
    await people(server).approve(hold?.key ?? "");
    expect([await tools.ping(), await tools.ping()]).toEqual([1, 2]);
    await expect(tools.ping()).rejects.toMatchObject({ name: "ToolCallApprovalRequiredError" });
  });
});

describe("approving with other arguments", () => {
  const smaller = { order: "7", cents: 500, iban: { withheld: true } };

  test("AI-081 an approval with edited arguments grants only those, and the policy sees which proposal they replace", async () => {
    await using server = await overHttp();
    const { host, propose, resume, executed } = office(server);
    const proposal = await propose();
    await people(server).approve(approvalKey("acme", proposal.proposalHash), smaller);
    expect(await host.grants(proposal.proposalHash)).toEqual([]);
    const seen: unknown[] = [];
    const watching: ToolPolicy<Evidence> = (input) => {
      seen.push([input.proposalHash, input.runContext.context.grants]);
      return honouring(input);
    };
    expect(await resume(proposal, watching)).toMatchObject({ kind: "executed" });
    expect(executed).toEqual([{ order: "7", cents: 500, iban: "DE-secret" }]);
    const [[hash, grants]] = seen as [[string, Evidence["grants"]]];
    expect(hash).not.toBe(proposal.proposalHash);
    expect(grants).toMatchObject([{ proposalHash: hash, metadata: { edited_from: proposal.proposalHash } }]);
    expect(await resume(proposal)).toEqual({ kind: "claimed_elsewhere", execution: "done" });
  });

  test("AI-081 arguments that a reviewer sends back unchanged do not count as an edit", async () => {
    await using server = await overHttp();
    const { host, propose } = office(server);
    const { proposalHash } = await propose();
    await people(server).approve(approvalKey("acme", proposalHash), {
      iban: { withheld: true },
      order: "7",
      cents: 1200,
    });
    expect(await host.grants(proposalHash)).toMatchObject([{ proposalHash }]);
  });

  test("AI-125 the server refuses an approval whose edited arguments do not fit the declared schema", async () => {
    await using server = await overHttp();
    const argumentsSchema = { type: "object", properties: { cents: { type: "integer", maximum: 5000 } } };
    const { propose } = office(server, { review: { refund: { argumentsSchema } } });
    const { proposalHash } = await propose();
    const approving = people(server).approve(approvalKey("acme", proposalHash), { cents: 9000 });
    await expect(approving).rejects.toMatchObject({ code: "invalid_answer" });
  });
});

describe("a host that disappears", () => {
  test("A3 a host that disappears leaves the claim unknown, and nobody repeats the call until a person releases it", async () => {
    await using server = await overHttp();
    const { approve, newest, release } = people(server);
    const { host, propose, resume, executed } = office(server);
    const proposal = await propose();
    const key = approvalKey("acme", proposal.proposalHash);
    await approve(key);
    const { id, digest } = await newest(key);
    await server.client("agent").claim(id, { digest });
    expect(await resume(proposal)).toEqual({ kind: "claimed_elsewhere", execution: "claimed" });
    await server.test.clock.advance(LEASE_MS);
    expect(await resume(proposal)).toEqual({ kind: "claimed_elsewhere", execution: "unknown" });
    expect((await propose()).proposalHash).toBe(proposal.proposalHash);
    expect((await newest(key)).id).toBe(id);
    expect(executed).toEqual([]);
    await expect(server.client("agent").releaseClaim(id)).rejects.toMatchObject({ code: "not_allowed" });
    await release(key);
    expect(await resume(proposal)).toMatchObject({ kind: "executed" });
    expect(await host.state(proposal.proposalHash)).toBe("approved");
    expect(executed).toEqual([ORDER]);
  });

  test("A3 an approval with an unknown execution can be revoked; the call then never runs and the next one asks again", async () => {
    await using server = await overHttp();
    const { approve, newest, revoke } = people(server);
    const { propose, resume, executed } = office(server, { lease: "10s" });
    const proposal = await propose();
    const key = approvalKey("acme", proposal.proposalHash);
    await approve(key);
    const { id, digest } = await newest(key);
    await server.client("agent").claim(id, { digest, lease: "10s" });
    await server.test.clock.advance(10_000);
    await revoke(key);
    expect(await resume(proposal)).toEqual({ kind: "not_approved", state: "expired" });
    await propose();
    expect((await newest(key)).id).not.toBe(id);
    expect(executed).toEqual([]);
  });
});

test("connectApprovals refuses a scope that is too long for a hold's key", async () => {
  await using server = await overHttp();
  expect(() => connectApprovals({ scope: "s".repeat(186) }, server.client("agent"))).toThrow(RangeError);
  const { propose, host } = office(server, { scope: "s".repeat(185) });
  expect(await host.state((await propose()).proposalHash)).toBe("pending");
});
