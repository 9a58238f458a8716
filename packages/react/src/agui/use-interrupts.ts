/** The interrupts of an agent's thread, in React. */

import { useEffect, useMemo, useSyncExternalStore } from "react";
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
  const { url, headers, now, fetch } = options;
  const control = useMemo(() => {
    const given = { url, headers, now, fetch };
    return deskControl(agent, withoutUndefined(given));
  }, [agent, agent.threadId, url, headers, now, fetch]);
  useEffect(() => control.open(), [control]);
  const desk = useSyncExternalStore(control.subscribe, control.view, control.view);
  return { ...control, desk, options };
}

function withoutUndefined(
  given: { readonly [Name in keyof DeskOptions]: DeskOptions[Name] | undefined },
): DeskOptions {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
