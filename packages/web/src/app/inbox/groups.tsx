/** Open holds by agent or tool: a group opens to its most urgent ones. */

import type { CountOut } from "@holdpoint/protocol";
import { Text } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { addressOf } from "../address.ts";
import { Empty, To } from "../parts.tsx";
import { countWords, queryOf, useHoldList, useRead } from "../queries.ts";
import { HoldRow, type RowProps } from "./row.tsx";
import { WORDS } from "./words.ts";

const SHOWN = 10;

interface GroupsProps extends Pick<RowProps, "onMark" | "onLook"> {
  readonly by: "agent" | "tool";
  readonly currentId: string | undefined;
  readonly marked: ReadonlySet<string>;
}

export function Groups({ by, ...rows }: GroupsProps): ReactNode {
  const groups = useRead<CountOut>(`/v1/hold-counts?by=${by}`, "events").data?.groups ?? [];
  const [open, setOpen] = useState<string>();
  if (groups.length === 0) return <Empty title={WORDS.groups.none} />;
  const shown = open ?? groups[0]?.value;
  return (
    <div className="app-groups">
      {groups.map((group) => (
        <section key={group.value} className="app-group">
          <h2>
            <button
              type="button"
              aria-expanded={group.value === shown}
              onClick={() => setOpen(group.value === shown ? "" : group.value)}
            >
              <Text>{group.value}</Text> <b>{countWords(group)}</b>
            </button>
          </h2>
          {group.value === shown ? <Members by={by} group={group} {...rows} /> : null}
        </section>
      ))}
    </div>
  );
}

interface MembersProps extends GroupsProps {
  readonly group: NonNullable<CountOut["groups"]>[number];
}

function Members({ by, group, currentId, marked, onMark, onLook }: MembersProps): ReactNode {
  const filter = by === "agent" ? { createdBy: group.value } : { tool: group.value };
  const { data } = useHoldList(queryOf({ status: "open", sort: "urgency", ...filter }));
  const holds = data?.pages[0]?.holds.slice(0, SHOWN) ?? [];
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
      {group.count > SHOWN ? (
        <p>
          <To href={addressOf("/console", { [by]: group.value })}>{WORDS.groups.all(countWords(group))}</To>
        </p>
      ) : null}
    </>
  );
}
