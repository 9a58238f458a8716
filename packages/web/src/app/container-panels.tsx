/** The plan of the intent that waits, and the portfolios and workflows it belongs to, with what else in them waits for a person. */

import { Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { type Api, found } from "./api.ts";
import { useApi } from "./hooks.ts";
import { Badge, Problem } from "./parts.tsx";
import { useAround } from "./queries.ts";
import {
  holdIdOf,
  type MemberOut,
  phasesOf,
  SHOWN_MAX,
  shownOf,
  tasksInOrder,
  withSuspended,
} from "./workflow.ts";
import { Bar, type Progress, QuestionOf, WaitingSince, WorkflowPhases } from "./workflow-phases.tsx";

const WORDS = {
  plan: "Plan",
  portfolio: (name: string) => `Portfolio: ${name}`,
  workflow: (name: string) => `Workflow: ${name}`,
  suspended: "Waits for a person",
  checkpoints: "Checkpoints",
  members: (done: number, all: number) => `${done} of ${all} done`,
  here: "(this one)",
  shown: (shown: number, all: number) =>
    `${shown} of ${all.toLocaleString("en")} are shown; those that wait for a person come first.`,
  morePortfolios: (count: number) =>
    count === 1 ? "The intent is in 1 more portfolio." : `The intent is in ${count} more portfolios.`,
};

/** As many as the server gives at once. */
const READ_MAX = 1_000;
/** With more members than this it is read less often. */
const LARGE = 100;

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
  /** How many portfolios are not shown. */
  readonly others: number;
}

async function containersOf(api: Api, id: string): Promise<Containers> {
  const at = `/api/v1/intents/${encodeURIComponent(id)}`;
  const [plan, tasks, listed] = await Promise.all([
    found(api.get<PlanOut>(`${at}/plan`)),
    found(api.get<readonly TaskOut[]>(`${at}/tasks?limit=${READ_MAX}`)),
    found(api.get<{ portfolios: readonly PortfolioOut[] }>(`${at}/portfolios`)),
  ]);
  const portfolios = await Promise.all(
    (listed?.portfolios ?? []).slice(0, PORTFOLIOS_MAX).map((each) => membersOf(api, each.id)),
  );
  const others = Math.max(0, (listed?.portfolios.length ?? 0) - PORTFOLIOS_MAX);
  return { plan, tasks: tasks ?? [], portfolios: portfolios.flatMap((each) => each ?? []), others };
}

const PORTFOLIOS_MAX = 5;

async function membersOf(api: Api, id: string): Promise<Members | undefined> {
  const at = `/api/v1/portfolios/${encodeURIComponent(id)}`;
  const [portfolio, listed] = await Promise.all([
    found(api.get<PortfolioOut>(at)),
    found(api.get<{ intents: readonly MemberOut[] }>(`${at}/intents?limit=${READ_MAX}`)),
  ]);
  return portfolio && { portfolio, members: listed?.intents ?? [] };
}

function isLarge({ tasks, portfolios }: Containers): boolean {
  return tasks.length > LARGE || portfolios.some(({ members }) => members.length > LARGE);
}

interface ContainerProps {
  readonly id: string;
  readonly holdId: string;
}

export function ContainerPanels({ id, holdId }: ContainerProps): ReactNode {
  const api = useApi();
  const { value, trouble } = useAround(holdId, "containers", () => containersOf(api, id), isLarge);
  if (value === undefined) return <Problem words={trouble} />;
  return (
    <>
      {value.plan === undefined ? null : <PlanPanel plan={value.plan} tasks={value.tasks} />}
      {value.portfolios.map(({ portfolio, members }) => (
        <PortfolioPanel key={portfolio.id} portfolio={portfolio} members={members} intentId={id} />
      ))}
      {value.others === 0 ? null : <p className="hp-hint">{WORDS.morePortfolios(value.others)}</p>}
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
  const all = tasksInOrder(plan.tasks, tasks);
  const shown = shownOf(all, ({ id, status }) => (waiting.has(id) ? 0 : AT_WORK.has(status) ? 1 : 2));
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
      <Shown shown={shown.length} all={plan.tasks.length} />
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

/** Tasks that somebody does or that need somebody come before those that are done or have not begun. */
const AT_WORK: ReadonlySet<string> = new Set(["claimed", "running", "blocked", "failed"]);

function Shown({ shown, all }: { readonly shown: number; readonly all: number }): ReactNode {
  return shown < all ? <p className="hp-hint">{WORDS.shown(shown, all)}</p> : null;
}

interface PortfolioProps extends Members {
  readonly intentId: string;
}

function PortfolioPanel({ portfolio, members, intentId }: PortfolioProps): ReactNode {
  const { progress, name } = portfolio;
  const suspended = progress?.suspended_phases ?? [];
  const named = phasesOf(members);
  const phases = named && withSuspended(named, suspended);
  const holds = new Map(
    members.flatMap((member) => {
      const holdId = holdIdOf(member);
      return holdId === undefined ? [] : [[member.id, holdId] as const];
    }),
  );
  const waiting = shownOf(suspended, ({ intent_id: at }) => (at === intentId ? 0 : 1));
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
          {waiting.map((phase) => (
            <li key={phase.intent_id}>
              <span>
                <Text>{phase.phase_name}</Text>{" "}
                {phase.intent_id === intentId ? (
                  WORDS.here
                ) : (
                  <QuestionOf intentId={phase.intent_id} holdId={holds.get(phase.intent_id)} />
                )}
                <WaitingSince since={phase.suspended_since} until={phase.expires_at} />
              </span>
              <Badge>{WORDS.suspended}</Badge>
            </li>
          ))}
        </ul>
      ) : (
        <WorkflowPhases phases={phases} suspended={suspended} holds={holds} intentId={intentId} />
      )}
      {phases === undefined ? (
        <Shown shown={waiting.length} all={suspended.length} />
      ) : (
        <Shown shown={Math.min(phases.length, SHOWN_MAX)} all={progress?.total ?? phases.length} />
      )}
    </section>
  );
}
