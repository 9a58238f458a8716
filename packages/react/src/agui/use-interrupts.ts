/** The interrupts of an agent's thread, in React. */

import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useLatest } from "../components/hooks.ts";
import {
  type DeskControl,
  type DeskOptions,
  type DeskView,
  deskControl,
  type InterruptibleAgent,
} from "./desk-control.ts";

export interface Interrupts
  extends Pick<DeskControl, "draft" | "submit" | "canSubmit" | "isBlocked" | "restore" | "argsOf"> {
  readonly desk: DeskView;
  readonly options: DeskOptions;
}

/**
 * What the agent's thread waits for and what was answered before. With `url`, the handler's address, both are restored after a
 * reload.
 */
export function useInterrupts(agent: InterruptibleAgent, options: DeskOptions = {}): Interrupts {
  const { url } = options;
  const latest = useLatest(options);
  const { threadId } = agent;
  // Options are often written inline, so that they are other objects at every render. They are read when they are needed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread needs another control.
  const control = useMemo(() => deskControl(agent, lateOptions(url, latest)), [agent, threadId, url, latest]);
  useEffect(() => control.open(), [control]);
  const desk = useSyncExternalStore(control.subscribe, control.view, control.view);
  return { ...control, desk, options };
}

function lateOptions(url: string | undefined, latest: { readonly current: DeskOptions }): DeskOptions {
  return {
    ...(url === undefined ? {} : { url }),
    get headers() {
      return latest.current.headers ?? {};
    },
    now: () => (latest.current.now ?? Date.now)(),
    fetch: (input, init) => (latest.current.fetch ?? fetch)(input, init),
  };
}
