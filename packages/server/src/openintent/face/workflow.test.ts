import { describe, expect, it } from "vitest";
import { type OpenIntentServer, openIntentServer, REC, type Wire } from "../../testing/openintent.ts";
import { act, task, taskNow } from "../../testing/openintent-plans.ts";

/** Two phases, the second wired to the first. */
async function phases(oi: OpenIntentServer, inputs: object = { summary: "review.summary" }) {
  const review = await oi.create({
    title: "Compliance review",
    state: { _phase_name: "review", summary: "fine" },
  });
  const report = await oi.create({
    title: "Report",
    status: "draft",
    depends_on: [review.id],
    state: { _phase_name: "report", _io_inputs: inputs, quarter: "Q1", nothing: null },
  });
  return { review, report };
}

function lease(oi: OpenIntentServer, id: string) {
  return oi.call("POST", `intents/${id}/leases`, { body: { scope: "work" } });
}

async function complete(oi: OpenIntentServer, id: string): Promise<Wire> {
  return oi.status(id, "completed");
}

describe("the inputs of a phase", () => {
  it("OI-190 OI-191 a claim is refused while a producer is suspended, even if its outputs exist", async () => {
    await using oi = await openIntentServer();
    const { review, report } = await phases(oi);
    await oi.suspend(review.id, { ...REC, timeout_seconds: 60 });
    const { expires_at } = (await oi.get(review.id)).state._suspension;
    const fields = {
      reason: "upstream_intent_suspended",
      task_id: report.id,
      phase_name: "review",
      suspended_intent_id: review.id,
      expected_resume_at: expires_at,
    };
    expect(await lease(oi, report.id)).toMatchObject({
      status: 422,
      body: {
        error: "UpstreamIntentSuspendedError",
        ...fields,
        detail: { error: "UpstreamIntentSuspendedError", ...fields },
      },
    });
    const { id } = await task(oi, report.id);
    expect((await act(oi, id, "claim")).body.detail).toMatchObject({ ...fields, task_id: id });
    expect((await taskNow(oi, id)).status).toBe("ready");
  });

  it("OI-190 a claim refused because of a suspension without a deadline names no time of resumption", async () => {
    await using oi = await openIntentServer();
    const { review, report } = await phases(oi);
    await oi.suspend(review.id, REC);
    expect((await lease(oi, report.id)).body.expected_resume_at).toBeNull();
    await oi.respond(review.id, "s1", "approve");
    await oi.status(review.id, "suspended_awaiting_input");
    expect((await lease(oi, report.id)).body).toMatchObject({
      error: "UpstreamIntentSuspendedError",
      expected_resume_at: null,
    });
  });

  it("OI-192 only the producers that an input names can refuse a claim", async () => {
    await using oi = await openIntentServer();
    const { review, report } = await phases(oi, { q: "$trigger.quarter", p: "$initial_state.quarter" });
    await oi.suspend(review.id, REC);
    expect((await lease(oi, report.id)).status).toBe(200);
    const known = await oi.create({
      title: "Known by title",
      status: "draft",
      depends_on: [review.id],
      state: {
        _io_inputs: { s: "looked_at.summary" },
        _io_dep_title_to_name: { "Compliance review": "looked_at" },
      },
    });
    expect((await lease(oi, known.id)).body.error).toBe("UnresolvableInputError");
  });

  it("OI-193 the task waits, and its claim succeeds after the producer is complete", async () => {
    await using oi = await openIntentServer();
    const { review, report } = await phases(oi);
    const { id } = await task(oi, report.id);
    await oi.suspend(review.id, REC);
    expect((await act(oi, id, "claim")).status).toBe(422);
    await oi.respond(review.id, "s1", "approve");
    expect((await act(oi, id, "claim")).body.error).toBe("UnresolvableInputError");
    expect((await taskNow(oi, id)).status).toBe("ready");
    await complete(oi, review.id);
    expect((await act(oi, id, "claim")).body.status).toBe("claimed");
    expect((await lease(oi, report.id)).status).toBe(200);
  });

  it("OI-195 a claim with unresolvable inputs is refused with their names and changes nothing", async () => {
    await using oi = await openIntentServer();
    const { review, report } = await phases(oi, {
      a: "review.summary",
      b: "review.unknown",
      c: "nobody.key",
      d: "$trigger.quarter",
      e: "$initial_state.nothing",
      f: "malformed",
      g: 7,
    });
    await complete(oi, review.id);
    const { version } = await oi.get(report.id);
    const unresolvable = ["review.unknown", "nobody.key", "$initial_state.nothing", "malformed", "g: 7"];
    expect(await lease(oi, report.id)).toMatchObject({
      status: 422,
      body: {
        error: "UnresolvableInputError",
        detail: { phase_name: "report", unresolvable_refs: unresolvable },
      },
    });
    expect((await oi.get(report.id)).version).toBe(version);
    expect((await oi.call("GET", `intents/${report.id}/leases`)).body.leases).toEqual([]);
  });
});

describe("the outputs of a phase", () => {
  const OUTPUTS = {
    revenue: "number",
    note: { type: "string", required: false },
    finding: "Finding",
    level: "Level",
    free: "any",
    later: "Unknown",
  };
  const TYPES = { Finding: { source: "string", confidence: "number" }, Level: { enum: ["low", "high"] } };
  const GOOD = { revenue: 1, finding: { source: "s", confidence: 1 }, level: "low", free: null, later: [] };

  async function completed(oi: OpenIntentServer, state: object) {
    const { id } = await oi.create({ state: { _io_outputs: OUTPUTS, _io_types: TYPES, ...state } });
    const reply = await complete(oi, id);
    return { reply, now: await oi.get(id) };
  }

  it("OI-195 a task completes with all its declared outputs", async () => {
    await using oi = await openIntentServer();
    expect((await completed(oi, GOOD)).now.status).toBe("completed");
    expect((await completed(oi, { ...GOOD, note: "n" })).now.status).toBe("completed");
  });

  it("OI-195 completing without a declared output is refused", async () => {
    await using oi = await openIntentServer();
    const { reply, now } = await completed(oi, { revenue: 1, free: 1, later: 1 });
    expect(reply).toMatchObject({
      status: 422,
      body: { error: "MissingOutputError", detail: { missing_keys: ["finding", "level"] } },
    });
    expect(now.status).toBe("active");
  });

  it.each([
    [{ revenue: true }, "revenue", "number", "boolean"],
    [{ revenue: "1" }, "revenue", "number", "string"],
    [{ note: null }, "note", "string", "null"],
    [{ finding: [] }, "finding", "Finding", "array"],
    [{ finding: { source: "s" } }, "finding", "Finding", "object without confidence"],
    [{ level: "medium" }, "level", "Level", '"medium"'],
  ])(
    "OI-195 completing with the output %j is refused, because its type is wrong",
    async (state, key, expected_type, actual_type) => {
      await using oi = await openIntentServer();
      const { reply, now } = await completed(oi, { ...GOOD, ...state });
      expect(reply).toMatchObject({
        status: 422,
        body: { error: "OutputTypeMismatchError", detail: { key, expected_type, actual_type } },
      });
      expect(now.status).toBe("active");
    },
  );

  it("OI-195 a task that executes the phase must also produce its outputs", async () => {
    await using oi = await openIntentServer();
    const { id } = await oi.create({ state: { _io_outputs: { revenue: "number" } } });
    const { id: taskId } = await task(oi, id);
    await act(oi, taskId, "claim");
    expect((await act(oi, taskId, "complete", { output: {} })).body.error).toBe("MissingOutputError");
    expect((await act(oi, taskId, "complete", { output: { revenue: "x" } })).body.error).toBe(
      "OutputTypeMismatchError",
    );
    expect((await taskNow(oi, taskId)).status).toBe("claimed");
    expect((await act(oi, taskId, "complete", { output: { revenue: 3 } })).body.status).toBe("completed");
  });
});
