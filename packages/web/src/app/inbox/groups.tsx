/** Open holds by agent or tool: a group opens to its most urgent ones. */

import type { CountOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { addressWith } from "../address.ts";
import { Empty, To } from "../parts.tsx";
import { countWords } from "../queries.ts";
import { HoldRow, type RowProps } from "./row.tsx";
import { WORDS } from "./words.ts";

interface GroupsProps extends Pick<RowProps, "onMark" | "onLook"> {
  readonly by: "agent" | "tool";
  readonly groups: NonNullable<CountOut["groups"]>;
  readonly isLoaded: boolean;
  /** The group that is open, and what of it is shown. */
  readonly shown: string | undefined;
  readonly holds: readonly Hold[];
  readonly open: (value?: string) => void;
  readonly currentId: string | undefined;
  readonly marked: ReadonlySet<string>;
}

export function Groups({ groups, isLoaded, shown, open, ...rows }: GroupsProps): ReactNode {
  if (groups.length === 0) return isLoaded ? <Empty title={WORDS.groups.none} /> : null;
  return (
    <div className="app-groups">
      {groups.map((group) => (
        <section key={group.value} className="app-group">
          <h2>
            <button
              type="button"
              aria-expanded={group.value === shown}
              onClick={() => open(group.value === shown ? undefined : group.value)}
            >
              <Text>{group.value}</Text> <b>{countWords(group)}</b>
            </button>
          </h2>
          {group.value === shown ? <Members group={group} {...rows} /> : null}
        </section>
      ))}
    </div>
  );
}

interface MembersProps extends Omit<GroupsProps, "groups" | "isLoaded" | "shown" | "open"> {
  readonly group: GroupsProps["groups"][number];
}

function Members({ by, group, holds, currentId, marked, onMark, onLook }: MembersProps): ReactNode {
  return (
    <>
      <ul className="app-rows app-rows-still">
        {holds.map((hold) => (
          <li key={hold.id} id={`row-${hold.id}`}>
            <HoldRow
              hold={hold}
              isCurrent={hold.id === currentId}
              isMarked={marked.has(hold.id)}
              onMark={onMark}
              onLook={onLook}
            />
          </li>
        ))}
      </ul>
      {holds.length > 0 && group.count > holds.length ? (
        <p>
          <To href={addressWith({ [by]: group.value, group: undefined, open: undefined })}>
            {WORDS.groups.all(countWords(group))}
          </To>
        </p>
      ) : null}
    </>
  );
}
