/** What people do with an open hold besides answering it: take it, hand it over, put it off, give it time, talk. */

import type { HoldOut, LookersOut, PersonListOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { Moment, Text } from "@holdpoint/react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { holdOf, wordsOf } from "../api.ts";
import { useApi } from "../hooks.ts";
import { remember, useNames, useRead } from "../queries.ts";
import { Comments } from "./comments.tsx";
import { Reasons } from "./reasons.tsx";
import { WORDS } from "./words.ts";

const LOOK_MS = 12_000;

export type Act = (path: string, body: object) => Promise<boolean>;

/** Sends a change and puts what came of it where the pages have the hold. */
export function useAct(hold: Hold) {
  const api = useApi();
  const queries = useQueryClient();
  const [trouble, setTrouble] = useState<string>();
  const act: Act = async (path, body) => {
    try {
      remember(queries, holdOf(await api.send<HoldOut>("POST", `/v1/holds/${hold.id}/${path}`, body)));
      setTrouble(undefined);
      return true;
    } catch (fault) {
      setTrouble(wordsOf(fault));
      return false;
    }
  };
  return { act, trouble };
}

export function Desk({ hold }: { readonly hold: Hold }): ReactNode {
  const { act, trouble } = useAct(hold);
  const { state } = useApi();
  const mayAct = state.role !== "auditor";
  if (hold.status !== "open")
    return hold.comments === undefined ? null : <Comments hold={hold} act={undefined} />;
  return (
    <section className="app-desk" aria-label={WORDS.label}>
      {mayAct ? <Lookers id={hold.id} /> : null}
      {trouble === undefined ? null : (
        <p className="hp-problem" role="alert">
          {trouble}
        </p>
      )}
      {mayAct ? (
        <>
          <Reasons hold={hold} />
          <Assign hold={hold} act={act} />
          <div className="app-tools">
            <Spans label={WORDS.snooze} onChoose={(span) => void act("snooze", { for: span })} />
            {hold.expiresAt === undefined ? null : (
              <Spans label={WORDS.extend} onChoose={(span) => void act("extend", { by: span })} />
            )}
          </div>
          <Snoozed hold={hold} act={act} />
        </>
      ) : null}
      <Comments hold={hold} act={mayAct ? act : undefined} />
    </section>
  );
}

/** Who else has it open, by name. Nobody is asked for while the page is hidden. */
function Lookers({ id }: { readonly id: string }): ReactNode {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["lookers", id],
    queryFn: () => api.send<LookersOut>("POST", `/v1/holds/${id}/looking`),
    refetchInterval: LOOK_MS,
    staleTime: 0,
  });
  const nameOf = useNames();
  const names = data?.others.map(({ name }) => nameOf(name)) ?? [];
  return (
    <p className="app-lookers" role="status">
      {names.length === 0 ? null : <Text>{WORDS.looking(names.join(", "))}</Text>}
    </p>
  );
}

function Assign({ hold, act }: { readonly hold: Hold; readonly act: Act }): ReactNode {
  const { state } = useApi();
  const people = useRead<PersonListOut>("/v1/people").data?.people ?? [];
  const others = people.filter(
    ({ id, status, role }) => id !== state.name && status === "active" && role !== "auditor",
  );
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? id;
  return (
    <div className="app-assign">
      <p>
        <Text>{hold.assignee === undefined ? WORDS.unassigned : WORDS.assigned(nameOf(hold.assignee))}</Text>
      </p>
      <div className="app-tools">
        {hold.assignee === state.name ? null : (
          <button type="button" className="app-button" onClick={() => void act("assign", { to: state.name })}>
            {WORDS.take}
          </button>
        )}
        {others.length === 0 ? null : (
          <select
            className="app-select"
            aria-label={WORDS.give}
            value=""
            onChange={(event) => void act("assign", { to: event.currentTarget.value })}
          >
            <option value="">{WORDS.give} …</option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
        {hold.assignee === undefined ? null : (
          <button type="button" className="hp-quiet" onClick={() => void act("assign", { to: null })}>
            {WORDS.release}
          </button>
        )}
      </div>
    </div>
  );
}

function Spans({
  label,
  onChoose,
}: {
  readonly label: string;
  readonly onChoose: (span: string) => void;
}): ReactNode {
  return (
    <select
      className="app-select"
      aria-label={label}
      value=""
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{label} …</option>
      {Object.entries(WORDS.spans).map(([span, words]) => (
        <option key={span} value={span}>
          {words}
        </option>
      ))}
    </select>
  );
}

function Snoozed({ hold, act }: { readonly hold: Hold; readonly act: Act }): ReactNode {
  const api = useApi();
  const own = hold.snoozed?.find(({ person }) => person === api.state.name);
  if (own === undefined || Date.parse(own.until) <= api.now()) return null;
  return (
    <p>
      {WORDS.snoozed} <Moment at={own.until} />.{" "}
      <button type="button" className="hp-quiet" onClick={() => void act("snooze", {})}>
        {WORDS.wake}
      </button>
    </p>
  );
}
