/** The intents and tasks that a workflow runs as: made at its beginning, or found again. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Transport } from "../transport.ts";
import type { Intent } from "../types.ts";
import type { Phase, Workflow } from "./definition.ts";
import { WorkflowError } from "./errors.ts";
import type { RunOptions } from "./run.ts";

export interface PhaseRun {
  readonly phase: Phase;
  readonly intentId: string;
  readonly taskId: string;
}

export interface Begun {
  readonly portfolioId: string;
  /** Each after those it depends on. */
  readonly phases: readonly PhaseRun[];
}

export async function beginPhases(workflow: Workflow, options: RunOptions): Promise<Begun> {
  const { transport } = options.starter.client;
  const ordered = inOrder(workflow.phases);
  if (options.portfolioId !== undefined) return find(ordered, options.portfolioId, transport);
  const portfolio = await transport.call<{ id: string }>("POST", "/portfolios", {
    body: {
      name: workflow.name,
      description: workflow.description,
      governance: { ...workflow.governance, ...options.governance },
      metadata: { workflow: workflow.name, version: workflow.version },
    },
  });
  const phases: PhaseRun[] = [];
  for (const phase of ordered) phases.push(await begin(phase, phases, portfolio.id, workflow, options));
  return { portfolioId: portfolio.id, phases };
}

/**
 * A phase is active from the start and says what it depends on: the server blocks it while one of those waits for a person
 * and lets it go on when they are complete. Its task is claimed only when its inputs are there.
 */
async function begin(
  phase: Phase,
  before: readonly PhaseRun[],
  portfolioId: string,
  workflow: Workflow,
  options: RunOptions,
): Promise<PhaseRun> {
  const { client } = options.starter;
  const upstream = before.filter(({ phase: other }) => phase.dependsOn.includes(other.name));
  const intent = await client.createIntent({
    title: phase.title,
    description: phase.description,
    status: "active",
    depends_on: upstream.map(({ intentId }) => intentId),
    state: stateOf(phase, workflow, options),
  });
  await client.transport.call("POST", `/portfolios/${portfolioId}/intents`, {
    body: { intent_id: intent.id },
  });
  const body = { name: phase.name, assigned_agent: phase.assign };
  const task = await client.transport.call<{ id: string }>("POST", `/intents/${intent.id}/tasks`, { body });
  return { phase, intentId: intent.id, taskId: task.id };
}

/** What a phase was begun with stands in its own state, where server and agents look for it. */
function stateOf(phase: Phase, { types }: Workflow, { trigger, initialState }: RunOptions): JsonObject {
  return {
    ...initialState,
    ...phase.initialState,
    ...trigger,
    _phase_name: phase.name,
    ...(Object.keys(phase.inputs).length === 0 ? {} : { _io_inputs: phase.inputs }),
    ...(Object.keys(phase.outputs).length === 0 ? {} : { _io_outputs: phase.outputs, _io_types: types }),
  };
}

/**
 * Only intents of the portfolio's creator count as phases. On some servers other agents can add intents to the portfolio, and an
 * intent that says it is a completed phase would let the phases after it run.
 */
async function find(phases: readonly Phase[], portfolioId: string, transport: Transport): Promise<Begun> {
  const path = `/portfolios/${portfolioId}`;
  const { created_by: creator } = await transport.call<{ created_by: string }>("GET", path);
  const { intents } = await transport.call<{ intents: readonly Intent[] }>("GET", `${path}/intents`);
  const own = intents.filter(({ created_by }) => created_by === creator);
  const found = phases.map(async (phase): Promise<PhaseRun> => {
    const intent = own.find(({ state }) => state["_phase_name"] === phase.name);
    if (intent === undefined)
      throw new WorkflowError(`the portfolio has no phase ${phase.name} of its creator, ${creator}`);
    const tasks = await transport.call<readonly { id: string; name: string }[]>(
      "GET",
      `/intents/${intent.id}/tasks`,
    );
    const task = tasks.find(({ name }) => name === phase.name);
    if (task === undefined) throw new WorkflowError(`the phase ${phase.name} has no task`);
    return { phase, intentId: intent.id, taskId: task.id };
  });
  return { portfolioId, phases: await Promise.all(found) };
}

/** The definition was checked to have such an order. */
function inOrder(phases: readonly Phase[]): readonly Phase[] {
  const ordered: Phase[] = [];
  const names = new Set<string>();
  while (ordered.length < phases.length) {
    const next = phases.filter(
      ({ name, dependsOn }) => !names.has(name) && dependsOn.every((other) => names.has(other)),
    );
    for (const phase of next) names.add(phase.name);
    ordered.push(...next);
  }
  return ordered;
}
