/**
 * Workflow definitions (RFC-0024): phases, what each needs and brings, and who does it. Everything that can be known to be
 * wrong before anything runs is said when the definition is read.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import * as z from "zod";
import { InputWiringError, WorkflowDefinitionError } from "./errors.ts";

export interface Phase {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The agent that does it. */
  readonly assign: string;
  readonly dependsOn: readonly string[];
  /** What the agent reads, by the name it reads it under. */
  readonly inputs: Readonly<Record<string, string>>;
  /** What it brings: a type by its name, or with `required: false`. */
  readonly outputs: JsonObject;
  readonly initialState: JsonObject;
}

export interface Workflow {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly types: JsonObject;
  readonly phases: readonly Phase[];
  /** Of the portfolio it runs as, such as a deadline. */
  readonly governance: JsonObject;
}

const Open = z.record(z.string(), z.json());
const Name = z.string().regex(/^[A-Za-z_][\w-]*$/, "expected a name");

const PhaseIn = z.looseObject({
  title: z.string().min(1).nullish(),
  description: z.string().nullish(),
  assign: z.string().min(1),
  depends_on: z.array(Name).nullish(),
  inputs: z.record(z.string().min(1), z.string()).nullish(),
  outputs: Open.nullish(),
  initial_state: Open.nullish(),
});

const WorkflowIn = z.looseObject({
  openintent: z.union([z.string(), z.number()]).nullish(),
  info: z.looseObject({
    name: z.string().min(1),
    version: z.union([z.string(), z.number()]).nullish(),
    description: z.string().nullish(),
  }),
  types: Open.nullish(),
  governance: Open.nullish(),
  workflow: z
    .record(Name, PhaseIn)
    .refine((phases) => Object.keys(phases).length > 0, "expected at least one phase"),
});

/** From YAML, or JSON, which is YAML too. The reader of YAML is an optional peer: only who has such a text needs it. */
export async function parseWorkflow(text: string): Promise<Workflow> {
  const { parse } = await import("yaml");
  let given: unknown;
  try {
    given = parse(text);
  } catch (cause) {
    throw new WorkflowDefinitionError(`the definition cannot be read: ${String((cause as Error).message)}`);
  }
  return readWorkflow(given);
}

/** From the same as data. */
export function readWorkflow(given: unknown): Workflow {
  const read = WorkflowIn.safeParse(given);
  if (!read.success) throw new WorkflowDefinitionError(z.prettifyError(read.error));
  const { info, types, governance, workflow } = read.data;
  const phases = Object.entries(workflow).map(
    ([name, phase]): Phase => ({
      name,
      title: phase.title ?? name,
      description: phase.description ?? "",
      assign: phase.assign,
      dependsOn: [...new Set(phase.depends_on ?? [])],
      inputs: phase.inputs ?? {},
      outputs: phase.outputs ?? {},
      initialState: phase.initial_state ?? {},
    }),
  );
  checkOrder(phases);
  for (const phase of phases) checkWiring(phase, phases);
  return {
    name: info.name,
    version: String(info.version ?? "1.0"),
    description: info.description ?? "",
    types: types ?? {},
    phases,
    governance: governance ?? {},
  };
}

/** Every dependency is there, and none waits for itself. */
function checkOrder(phases: readonly Phase[]): void {
  const names = new Set(phases.map(({ name }) => name));
  for (const { name, dependsOn } of phases) {
    const unknown = dependsOn.filter((other) => !names.has(other));
    if (unknown.length > 0) {
      throw new WorkflowDefinitionError(`${name} depends on phases that do not exist: ${unknown.join(", ")}`);
    }
  }
  const done = new Set<string>();
  let waiting = phases;
  while (waiting.length > 0) {
    const next = waiting.filter(({ dependsOn }) => dependsOn.every((other) => done.has(other)));
    if (next.length === 0) {
      throw new WorkflowDefinitionError(
        `phases wait for each other: ${waiting.map(({ name }) => name).join(", ")}`,
      );
    }
    for (const { name } of next) done.add(name);
    waiting = waiting.filter(({ name }) => !done.has(name));
  }
}

/** Where an input comes from. */
export type InputSource =
  | { readonly kind: "static"; readonly key: string }
  | { readonly kind: "phase"; readonly phase: string; readonly key: string };

const STATIC = /^\$(?:trigger|initial_state)\.(?<key>[\w.-]+)$/;
const WIRED = /^(?<phase>[A-Za-z_][\w-]*)\.(?<key>[\w-]+)$/;

export function inputSource(reference: string): InputSource | null {
  const key = STATIC.exec(reference)?.groups?.["key"];
  if (key !== undefined) return { kind: "static", key };
  const wired = WIRED.exec(reference)?.groups;
  return wired === undefined
    ? null
    : { kind: "phase", phase: wired["phase"] as string, key: wired["key"] as string };
}

function checkWiring({ name, inputs, dependsOn }: Phase, phases: readonly Phase[]): void {
  for (const reference of Object.values(inputs)) {
    const source = inputSource(reference);
    if (source === null) {
      throw new InputWiringError(name, [reference], "write phase.key, $trigger.key or $initial_state.key");
    }
    if (source.kind === "static") continue;
    const producer = phases.find((phase) => phase.name === source.phase);
    if (producer === undefined)
      throw new InputWiringError(name, [reference], `there is no phase ${source.phase}`);
    if (!dependsOn.includes(source.phase)) {
      throw new InputWiringError(name, [reference], `add ${source.phase} to depends_on`);
    }
    if (!Object.hasOwn(producer.outputs, source.key)) {
      throw new InputWiringError(
        name,
        [reference],
        `declare ${source.key} in the outputs of ${source.phase}`,
      );
    }
  }
}
