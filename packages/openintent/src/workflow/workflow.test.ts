import { describe, expect, test } from "vitest";
import { OpenIntentError } from "../errors.ts";
import { parseWorkflow, readWorkflow } from "./definition.ts";
import {
  asWorkflowError,
  InputWiringError,
  MissingOutputError,
  OutputTypeMismatchError,
  UnresolvableInputError,
  UpstreamIntentSuspendedError,
  WorkflowDefinitionError,
  WorkflowError,
} from "./errors.ts";
import { validateClaimInputs } from "./inputs.ts";

const DEFINITION = `
openintent: "1.0"
info:
  name: Compliance
  version: 1.2
types:
  Finding: { source: string }
governance:
  deadline: "2030-01-01T00:00:00Z"
workflow:
  review:
    title: Compliance review
    assign: reviewer
    inputs: { quarter: $trigger.quarter }
    outputs: { findings: Finding, notes: { type: string, required: false } }
  report:
    assign: reporter
    depends_on: [review]
    inputs: { findings: review.findings, region: $initial_state.region }
`;

const [, REPORT] = (await parseWorkflow(DEFINITION)).phases as [unknown, never];

describe("reading a workflow definition", () => {
  test("OI-196 a workflow's phases, types and wiring are read from YAML or from data", async () => {
    const workflow = await parseWorkflow(DEFINITION);
    expect(workflow).toMatchObject({
      name: "Compliance",
      version: "1.2",
      types: { Finding: { source: "string" } },
      governance: { deadline: "2030-01-01T00:00:00Z" },
    });
    expect(workflow.phases).toMatchObject([
      { name: "review", title: "Compliance review", assign: "reviewer", dependsOn: [] },
      { name: "report", title: "report", dependsOn: ["review"], outputs: {} },
    ]);
    expect(
      readWorkflow({ info: { name: "x" }, workflow: { only: { assign: "a" } } }).phases[0],
    ).toMatchObject({ name: "only", inputs: {}, description: "" });
  });

  const wired = (inputs: object, more: object = {}) => ({
    info: { name: "x" },
    workflow: {
      a: { assign: "a", outputs: { key: "string" } },
      c: { assign: "a", outputs: { key: "string" } },
      b: { assign: "a", depends_on: ["a"], inputs, ...more },
    },
  });

  test.each([
    ["an unknown phase", { x: "nobody.key" }, "no phase nobody"],
    ["a phase that is no dependency", { x: "c.key" }, "depends_on"],
    ["an output that is not declared", { x: "a.other" }, "outputs of a"],
    ["what is no reference", { x: "just words" }, "phase.key"],
    ["a source that does not exist", { x: "$secrets.key" }, "phase.key"],
  ])("OI-196 an input that refers to %s is refused", (_name, inputs, suggestion) => {
    const read = () => readWorkflow(wired(inputs));
    expect(read).toThrow(InputWiringError);
    expect(read).toThrow(WorkflowError);
    expect(read).toThrow(suggestion);
  });

  test.each([
    ["words that are no YAML", "a: [b"],
    ["a workflow without phases", "info: { name: x }\nworkflow: {}"],
    ["a phase for nobody", "info: { name: x }\nworkflow: { a: {} }"],
    ["a dependency that is not there", "info: { name: x }\nworkflow: { a: { assign: y, depends_on: [z] } }"],
    [
      "phases that wait for each other",
      "info: { name: x }\nworkflow: { a: { assign: y, depends_on: [b] }, b: { assign: y, depends_on: [a] } }",
    ],
  ])("OI-196 a definition with %s is refused", async (_name, text) => {
    await expect(parseWorkflow(text)).rejects.toThrow(WorkflowDefinitionError);
  });
});

describe("taking up a phase", () => {
  const review = (status: string, state: object = { findings: { source: "s" } }) =>
    new Map([["review", { id: "intent_1", status, state } as never]]);

  test("OI-190 OI-191 taking up a phase is refused while its producer waits for a person, whether its outputs exist or not", () => {
    const suspended = review("suspended_awaiting_input", {
      findings: {},
      _suspension: { expires_at: "2026-01-01T01:00:00+00:00" },
    });
    const claim = () => validateClaimInputs(REPORT, "task_1", { region: "eu" }, suspended);
    expect(claim).toThrow(UpstreamIntentSuspendedError);
    expect(captured(claim)).toMatchObject({
      taskId: "task_1",
      phaseName: "review",
      suspendedIntentId: "intent_1",
      expectedResumeAt: "2026-01-01T01:00:00+00:00",
      reason: "upstream_intent_suspended",
    });
    const open = () => validateClaimInputs(REPORT, "t", {}, review("suspended_awaiting_input", {}));
    expect(captured(open)).toMatchObject({ expectedResumeAt: null });
  });

  test("OI-194 an UpstreamIntentSuspendedError is a workflow error, but not an unresolvable input", () => {
    const error = new UpstreamIntentSuspendedError("t", "p", "i", null);
    expect(error).toBeInstanceOf(WorkflowError);
    expect(error).toBeInstanceOf(OpenIntentError);
    expect(error).not.toBeInstanceOf(UnresolvableInputError);
  });

  test("OI-192 OI-193 taking up a phase succeeds with all inputs once the producer is complete", () => {
    const inputs = validateClaimInputs(REPORT, "t", { region: "eu" }, review("completed"));
    expect(inputs).toEqual({ findings: { source: "s" }, region: "eu" });
  });

  test("OI-195 taking up a phase fails with the names of inputs that cannot be resolved", () => {
    const claim = () => validateClaimInputs(REPORT, "t", { region: null }, review("active"));
    expect(captured(claim)).toMatchObject({
      unresolvableRefs: ["review.findings", "$initial_state.region"],
      phaseName: "report",
    });
    const absent = () => validateClaimInputs(REPORT, "t", { region: "eu" }, new Map());
    expect(absent).toThrow(UnresolvableInputError);
  });
});

describe("refusals of the server", () => {
  const from = (body: object) => asWorkflowError(new OpenIntentError("m", 422, body as never));

  test("OI-190 OI-195 a refusal of the server is thrown as the matching error", () => {
    const named = { task_id: "t", phase_name: "p" };
    expect(
      from({
        error: "UpstreamIntentSuspendedError",
        ...named,
        suspended_intent_id: "i",
        expected_resume_at: null,
      }),
    ).toMatchObject({ suspendedIntentId: "i", expectedResumeAt: null });
    const at = { error: "UpstreamIntentSuspendedError", ...named, expected_resume_at: "2026" };
    expect(from(at)).toMatchObject({ suspendedIntentId: "", expectedResumeAt: "2026" });
    const unresolvable = from({ error: "UnresolvableInputError", ...named, unresolvable_refs: ["a.b"] });
    expect(unresolvable).toBeInstanceOf(UnresolvableInputError);
    expect(from({ error: "MissingOutputError", ...named })).toBeInstanceOf(MissingOutputError);
    const types = { key: "k", expected_type: "number", actual_type: "string" };
    expect(from({ error: "OutputTypeMismatchError", ...named, ...types })).toBeInstanceOf(
      OutputTypeMismatchError,
    );
    const other = new Error("other");
    expect(asWorkflowError(other)).toBe(other);
    expect(from({ error: "not_found" })).toMatchObject({ statusCode: 422 });
  });
});

function captured(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
