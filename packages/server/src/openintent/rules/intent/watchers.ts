/** The watchers of all intents of the workspace: one row, which only OpenIntent commands load. */

import type { WorkspaceSettings } from "../../../kernel/access/access.ts";
import type { Change, Need, World } from "../world.ts";
import type { Watcher } from "./intent.ts";

const ID = "all";

type WithWatchers = WorkspaceSettings & { readonly watchers?: readonly Watcher[] };

export interface WorkspaceWatchers {
  readonly watchers: readonly Watcher[];
}

/** Loads the list for reading. Earlier versions stored it in the workspace settings, so those are loaded too. */
export const READ_WATCHERS: readonly Need[] = [
  { kind: "workspace", id: "settings", read: true },
  { kind: "workspace_watchers", id: ID, read: true },
];

/** Loads the list for a change. */
export function watchersNeeds(): readonly Need[] {
  return [
    { kind: "workspace", id: "settings", read: true },
    { kind: "workspace_watchers", id: ID },
  ];
}

export function workspaceWatchers(world: World): readonly Watcher[] {
  const row = world.get("workspace_watchers", ID);
  if (row !== undefined) return row.watchers;
  const settings: WithWatchers | undefined = world.get("workspace", "settings");
  return settings?.watchers ?? [];
}

export function watchersChange(watchers: readonly Watcher[]): Change {
  return { kind: "workspace_watchers", id: ID, body: { watchers } };
}
