/** The plan of the intent that waits, and the portfolios and workflows it belongs to, with what else in them waits for a person. */

import { Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { type Api, found } from "./api.ts";
import { useApi, useLoaded } from "./hooks.ts";
import { Badge } from "./parts.tsx";
import { type MemberOut, phasesOf, tasksInOrder } from "./workflow.ts";
import { Bar, type Progress, QuestionOf, WaitingSince, WorkflowPhases } from "./workflow-phases.tsx";

const WORDS = {
  plan: "Plan",
  portfolio: (name: string) => `Portfolio: ${name}`,
  workflow: (name: string) => `Workflow: ${name}`,
  suspended: "Waits for a person",
  checkpoints: "Checkpoints",
  members: (done: number, all: number) => `${done} of ${all} done`,
  here: "(this one)",
};

interface PlanOut {
  readonly id: string;
  readonly state: string;
  readonly tasks: readonly string[];
  readonly checkpoints: readonly {
    readonly id: string;
    readonly name?: string | null;
    readonly status?: string;
  }[];
  readonly progress?: Progress & {
    readonly suspended_tasks: readonly {
      readonly task_id: string;
      readonly intent_id: string;
      readonly suspended_since: string;
      readonly expires_at: string | null;
    }[];
  };
}

interface TaskOut {
  readonly id: string;
  readonly name?: string | null;
  readonly status: string;
}

interface PortfolioOut {
  readonly id: string;
  readonly name: string;
  readonly suspended_member_count: number;
  readonly progress?: Progress & {
    readonly suspended_phases: readonly {
      readonly intent_id: string;
      readonly phase_name: string;
      readonly suspended_since: string;
      readonly expires_at: string | null;
    }[];
  };
}

interface Members {
  readonly portfolio: PortfolioOut;
  readonly members: readonly MemberOut[];
}

interface Containers {
  readonly plan: PlanOut | undefined;
  readonly tasks: readonly TaskOut[];
  readonly portfolios: readonly Members[];
}

async function containersOf(api: Api, id: string): Promise<Containers> {
  const at = `/api/v1/intents/${encodeURIComponent(id)}`;
  const [plan, tasks, listed] = await Promise.all([
    found(api.get<PlanOut>(`${at}/plan`)),
    found(api.get<readonly TaskOut[]>(`${at}/tasks?limit=100`)),
    found(api.get<{ portfolios: readonly PortfolioOut[] }>(`${at}/portfolios`)),
  ]);
  const portfolios = await Promise.all(
    (listed?.portfolios ?? []).slice(0, PORTFOLIOS_MAX).map((each) => membersOf(api, each.id)),
  );
  return { plan, tasks: tasks ?? [], portfolios: portfolios.flatMap((each) => each ?? []) };
}

const PORTFOLIOS_MAX = 5;

async function membersOf(api: Api, id: string): Promise<Members | undefined> {
  const at = `/api/v1/portfolios/${encodeURIComponent(id)}`;
  const [portfolio, listed] = await Promise.all([
    found(api.get<PortfolioOut>(at)),
    found(api.get<{ intents: readonly MemberOut[] }>(`${at}/intents?limit=100`)),
  ]);
  return portfolio && { portfolio, members: listed?.intents ?? [] };
}

export function ContainerPanels({
  id,
  version,
}: {
  readonly id: string;
  readonly version: number;
}): ReactNode {
  const api = useApi();
  const { value } = useLoaded(() => containersOf(api, id), id, version);
  if (value === undefined) return null;
  return (
    <>
      {value.plan === undefined ? null : <PlanPanel plan={value.plan} tasks={value.tasks} />}
      {value.portfolios.map(({ portfolio, members }) => (
        <PortfolioPanel key={portfolio.id} portfolio={portfolio} members={members} intentId={id} />
      ))}
    </>
  );
}

function PlanPanel({
  plan,
  tasks,
}: {
  readonly plan: PlanOut;
  readonly tasks: readonly TaskOut[];
}): ReactNode {
  const { progress, checkpoints } = plan;
  const waiting = new Map(progress?.suspended_tasks.map((task) => [task.task_id, task]));
  const shown = tasksInOrder(plan.tasks, tasks);
  return (
    <section className="app-panel">
      <h2>
        {WORDS.plan} <Badge>{plan.state}</Badge>
      </h2>
      {progress === undefined ? null : <Bar progress={progress} />}
      <ol className="app-ladder">
        {shown.map((task) => {
          const suspended = waiting.get(task.id);
          return (
            <li
              key={task.id}
              className={`app-rung app-rung-${task.status === "completed" ? "done" : "waiting"}`}
            >
              <span className="app-rung-title">
                <Text>{task.name ?? task.id}</Text>{" "}
                <Badge>{suspended === undefined ? task.status : WORDS.suspended}</Badge>
              </span>
              {suspended === undefined ? null : (
                <WaitingSince since={suspended.suspended_since} until={suspended.expires_at} />
              )}
            </li>
          );
        })}
      </ol>
      {checkpoints.length === 0 ? null : (
        <>
          <h3>{WORDS.checkpoints}</h3>
          <ul className="app-plain">
            {checkpoints.map((checkpoint) => (
              <li key={checkpoint.id}>
                <span>
                  <Text>{checkpoint.name ?? checkpoint.id}</Text>
                </span>
                {checkpoint.status === undefined ? null : <Badge>{checkpoint.status}</Badge>}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface PortfolioProps extends Members {
  readonly intentId: string;
}

function PortfolioPanel({ portfolio, members, intentId }: PortfolioProps): ReactNode {
  const { progress, name } = portfolio;
  const phases = phasesOf(members);
  const suspended = progress?.suspended_phases ?? [];
  return (
    <section className="app-panel">
      <h2>
        <Text>{phases === undefined ? WORDS.portfolio(name) : WORDS.workflow(name)}</Text>
      </h2>
      {progress === undefined ? null : (
        <>
          <Bar progress={progress} />
          <p>{WORDS.members(progress.completed ?? 0, progress.total)}</p>
        </>
      )}
      {phases === undefined ? (
        <ul className="app-plain">
          {suspended.map((phase) => (
            <li key={phase.intent_id}>
              <span>
                <Text>{phase.phase_name}</Text>{" "}
                {phase.intent_id === intentId ? WORDS.here : <QuestionOf intentId={phase.intent_id} />}
                <WaitingSince since={phase.suspended_since} until={phase.expires_at} />
              </span>
              <Badge>{WORDS.suspended}</Badge>
            </li>
          ))}
        </ul>
      ) : (
        <WorkflowPhases phases={phases} suspended={suspended} intentId={intentId} />
      )}
    </section>
  );
}
