/** Lets an app bring its own component for a type of ask, or for the reason an agent gives. */

import type { Hold } from "@holdpoint/protocol/client";
import type { Ask } from "@holdpoint/protocol/rules";
import { type ComponentType, createContext, type ReactNode, useContext } from "react";

export interface DetailsProps {
  readonly hold: Hold;
  readonly ask: Ask;
}

export interface Registry {
  /** By `metadata.reason`, such as `policy_hold` or `database_modification`. Wins over the type. */
  readonly byReason?: Readonly<Record<string, ComponentType<DetailsProps>>>;
  readonly byType?: Readonly<Record<string, ComponentType<DetailsProps>>>;
}

const Current = createContext<Registry>({});

/** Gives the components below the app's own components for some asks. */
export function RegistryProvider({
  registry,
  children,
}: {
  readonly registry: Registry;
  readonly children: ReactNode;
}): ReactNode {
  return <Current value={registry}>{children}</Current>;
}

/** The component that shows what a hold is about, if somebody brought one. */
export function useOverride(hold: Hold): ComponentType<DetailsProps> | undefined {
  const registry = useContext(Current);
  return overrideFor(registry, hold);
}

/** The component that the registry has for this hold, if any. */
export function overrideFor({ byReason = {}, byType = {} }: Registry, hold: Hold) {
  const reason = hold.metadata?.["reason"];
  if (typeof reason === "string" && Object.hasOwn(byReason, reason)) return byReason[reason];
  return Object.hasOwn(byType, hold.type) ? byType[hold.type] : undefined;
}
