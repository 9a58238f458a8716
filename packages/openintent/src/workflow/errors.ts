/** What can be wrong with a workflow, and what can go wrong while one runs. All of them are workflow errors. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { OpenIntentError } from "../errors.ts";

/** A workflow that cannot go on. */
export class WorkflowError extends OpenIntentError {
  override readonly name: string = "WorkflowError";
}

/** The definition itself cannot be used. */
export class WorkflowDefinitionError extends WorkflowError {
  override readonly name: string = "WorkflowDefinitionError";
}

/** An input refers to something that this workflow does not have. */
export class InputWiringError extends WorkflowDefinitionError {
  override readonly name = "InputWiringError";
  readonly phaseName: string;
  readonly invalidRefs: readonly string[];
  readonly suggestion: string;

  constructor(phaseName: string, invalidRefs: readonly string[], suggestion: string) {
    super(`the inputs of ${phaseName} cannot be wired: ${invalidRefs.join(", ")}; ${suggestion}`);
    this.phaseName = phaseName;
    this.invalidRefs = invalidRefs;
    this.suggestion = suggestion;
  }
}

/** About one phase, and the task that does its work. */
class PhaseError extends WorkflowError {
  readonly taskId: string;
  readonly phaseName: string;

  constructor(message: string, taskId: string, phaseName: string) {
    super(message);
    this.taskId = taskId;
    this.phaseName = phaseName;
  }
}

/** An input is not there yet. */
export class UnresolvableInputError extends PhaseError {
  override readonly name = "UnresolvableInputError";
  readonly unresolvableRefs: readonly string[];

  constructor(taskId: string, phaseName: string, unresolvableRefs: readonly string[]) {
    super(`inputs of ${phaseName} cannot be resolved: ${unresolvableRefs.join(", ")}`, taskId, phaseName);
    this.unresolvableRefs = unresolvableRefs;
  }
}

/** A phase whose output is needed waits for a person; the claim succeeds once it is complete. */
export class UpstreamIntentSuspendedError extends PhaseError {
  override readonly name = "UpstreamIntentSuspendedError";
  readonly reason = "upstream_intent_suspended";
  readonly suspendedIntentId: string;
  readonly expectedResumeAt: string | null;

  constructor(taskId: string, phaseName: string, suspendedIntentId: string, expectedResumeAt: string | null) {
    super(`the phase ${phaseName} waits for a person`, taskId, phaseName);
    this.suspendedIntentId = suspendedIntentId;
    this.expectedResumeAt = expectedResumeAt;
  }
}

/** A phase did not bring what it declared. */
export class MissingOutputError extends PhaseError {
  override readonly name = "MissingOutputError";
  readonly missingKeys: readonly string[];

  constructor(taskId: string, phaseName: string, missingKeys: readonly string[]) {
    super(`outputs of ${phaseName} are missing: ${missingKeys.join(", ")}`, taskId, phaseName);
    this.missingKeys = missingKeys;
  }
}

/** An output is not what was declared. */
export class OutputTypeMismatchError extends PhaseError {
  override readonly name = "OutputTypeMismatchError";
  readonly key: string;
  readonly expectedType: string;
  readonly actualType: string;

  constructor(taskId: string, phaseName: string, key: string, expectedType: string, actualType: string) {
    super(`the output ${key} of ${phaseName} is not ${expectedType} but ${actualType}`, taskId, phaseName);
    this.key = key;
    this.expectedType = expectedType;
    this.actualType = actualType;
  }
}

/** What the server refused, as the error it stands for; anything else as it came. */
export function asWorkflowError(error: unknown): unknown {
  if (!(error instanceof OpenIntentError)) return error;
  const { body } = error;
  const [task, phase] = [text(body, "task_id"), text(body, "phase_name")];
  switch (body["error"]) {
    case "UpstreamIntentSuspendedError": {
      const resumes = body["expected_resume_at"];
      const at = typeof resumes === "string" ? resumes : null;
      return new UpstreamIntentSuspendedError(task, phase, text(body, "suspended_intent_id"), at);
    }
    case "UnresolvableInputError":
      return new UnresolvableInputError(task, phase, texts(body, "unresolvable_refs"));
    case "MissingOutputError":
      return new MissingOutputError(task, phase, texts(body, "missing_keys"));
    case "OutputTypeMismatchError": {
      const { key, expected_type: expected, actual_type: actual } = body;
      return new OutputTypeMismatchError(task, phase, String(key), String(expected), String(actual));
    }
    default:
      return error;
  }
}

function text(body: JsonObject, name: string): string {
  const value = body[name];
  return typeof value === "string" ? value : "";
}

function texts(body: JsonObject, name: string): readonly string[] {
  const value = body[name];
  return Array.isArray(value) ? value.map(String) : [];
}
