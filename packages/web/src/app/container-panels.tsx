/** The plan of the intent that waits, and the portfolios it belongs to, with what else in them waits for a person. */

import { Moment, Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { type Api, Refused } from "./api.ts";
import { useApi, useLoaded } from "./hooks.ts";
import { Badge } from "./parts.tsx";

const WORDS = {
  plan: "Plan",
  portfolio: (name: string) => `Portfolio: ${name}`,
  done: (percent: number) => `${percent} % done`,
  suspended: "Waits for a person",
  since: "since",
  until: "until",
  checkpoints: "Checkpoints",
  members: (done: number, all: number) => `${done} of ${all} done`,
  here: "this one",
};

interface Progress {
  readonly completion_percentage: number;
  readonly total: number;
  readonly completed?: number;
  readonly by_status?: Readonly<Record<string, number>>;
}

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
    }[];
  };
}

interface Containers {
  readonly plan: PlanOut | undefined;
  readonly tasks: readonly TaskOut[];
  readonly portfolios: readonly PortfolioOut[];
}

/** What may not be read, or is not there, is left out. */
async function found<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (fault) {
    if (fault instanceof Refused && (fault.status === 403 || fault.status === 404)) return undefined;
    throw fault;
  }
}

async function containersOf(api: Api, id: string): Promise<Containers> {
  const at = `/api/v1/intents/${encodeURIComponent(id)}`;
  const [plan, tasks, listed] = await Promise.all([
    found(api.get<PlanOut>(`${at}/plan`)),
    found(api.get<readonly TaskOut[]>(`${at}/tasks?limit=100`)),
    found(api.get<{ portfolios: readonly PortfolioOut[] }>(`${at}/portfolios`)),
  ]);
  const portfolios = await Promise.all(
    (listed?.portfolios ?? [])
      .slice(0, 5)
      .map((each) => found(api.get<PortfolioOut>(`/api/v1/portfolios/${encodeURIComponent(each.id)}`))),
  );
  return { plan, tasks: tasks ?? [], portfolios: portfolios.filter((each) => each !== undefined) };
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
      {value.portfolios.map((portfolio) => (
        <PortfolioPanel key={portfolio.id} portfolio={portfolio} intentId={id} />
      ))}
    </>
  );
}

function Bar({ progress }: { readonly progress: Progress }): ReactNode {
  const { completion_percentage: percent } = progress;
  return (
    <p className="app-progress">
      <progress value={percent} max={100} aria-label={WORDS.done(percent)} /> {WORDS.done(percent)}
    </p>
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
  const shown = tasks.filter(({ id }) => plan.tasks.includes(id));
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
                <small>
                  {WORDS.since} <Moment at={suspended.suspended_since} />
                  {suspended.expires_at === null ? null : (
                    <>
                      , {WORDS.until} <Moment at={suspended.expires_at} />
                    </>
                  )}
                </small>
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

interface PortfolioProps {
  readonly portfolio: PortfolioOut;
  readonly intentId: string;
}

function PortfolioPanel({ portfolio, intentId }: PortfolioProps): ReactNode {
  const { progress, name } = portfolio;
  return (
    <section className="app-panel">
      <h2>
        <Text>{WORDS.portfolio(name)}</Text>
      </h2>
      {progress === undefined ? null : (
        <>
          <Bar progress={progress} />
          <p>{WORDS.members(progress.completed ?? 0, progress.total)}</p>
          <ul className="app-plain">
            {progress.suspended_phases.map((phase) => (
              <li key={phase.intent_id}>
                <span>
                  <Text>{phase.phase_name}</Text>
                  {phase.intent_id === intentId ? ` (${WORDS.here})` : null}
                </span>
                <Badge>{WORDS.suspended}</Badge>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
