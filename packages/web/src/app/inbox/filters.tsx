/** What the list is narrowed to. Everything is in the address. */

import type { CountOut } from "@holdpoint/protocol";
import { ASK_TYPES } from "@holdpoint/protocol/rules";
import { Icon } from "@holdpoint/react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { setParams, useParams } from "../address.ts";
import { useApi } from "../hooks.ts";
import { countWords, useNames, useRead } from "../queries.ts";
import { WORDS } from "./words.ts";

const { filters: SAID } = WORDS;
const NAMES = ["q", "agent", "tool", "type", "assignee", "unseen", "within", "sort", "group"] as const;
export type Filters = Readonly<Record<(typeof NAMES)[number], string>>;

export function useFilters(): Filters {
  return useParams(NAMES);
}

export function isFiltered({ q, agent, tool, type, assignee, unseen, within }: Filters): boolean {
  return [q, agent, tool, type, assignee, unseen, within].some((value) => value !== "");
}

export function clearFilters(): void {
  setParams({
    ...Object.fromEntries(NAMES.map((name) => [name, undefined])),
    at: undefined,
    open: undefined,
  });
}

/** A new filter begins a new list: from its top, with nothing marked. */
function narrow(changes: Partial<Filters>): void {
  setParams({ ...changes, at: undefined, marked: undefined, open: undefined });
}

const MINUTE_MS = 60_000;
const WITHIN_MS: Readonly<Record<string, number>> = {
  "15 minutes": 15 * MINUTE_MS,
  "1 hour": 60 * MINUTE_MS,
  "4 hours": 240 * MINUTE_MS,
  "1 day": 1_440 * MINUTE_MS,
};

/** The end of a span from now, to the minute, so that the same list keeps its key for a while. */
export function endOf(within: string, now: number): string {
  const span = WITHIN_MS[within];
  return span === undefined ? "" : new Date(Math.ceil((now + span) / MINUTE_MS) * MINUTE_MS).toISOString();
}

const TYPING_MS = 250;

/** Searches when the typing pauses; what was asked before is given up by then. */
export function Search({ input }: { readonly input: RefObject<HTMLInputElement | null> }): ReactNode {
  const { q } = useFilters();
  const [text, setText] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const written = useRef(q);
  // Who goes to another page does not search there.
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // Changed from elsewhere: cleared, or somebody went back.
    if (q !== written.current) setText(q);
    written.current = q;
  }, [q]);
  function onType(value: string): void {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      written.current = value.trim();
      narrow({ q: written.current });
    }, TYPING_MS);
  }
  return (
    <search className="app-search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={WORDS.search}
        placeholder={WORDS.searchHint}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    </search>
  );
}

export function FilterBar({ filters }: { readonly filters: Filters }): ReactNode {
  const said = NAMES.filter((name) => name !== "q" && filters[name] !== "").length;
  return (
    <details className="app-more" open={said > 0}>
      <summary>{said === 0 ? SAID.title : SAID.set(said)}</summary>
      <div className="app-filters">
        <Whose filters={filters} />
        <Ordered filters={filters} />
        <label>
          <input
            type="checkbox"
            checked={filters.unseen !== ""}
            onChange={(event) => narrow({ unseen: event.currentTarget.checked ? "true" : "" })}
          />{" "}
          {SAID.unseen}
        </label>
      </div>
    </details>
  );
}

interface PartProps {
  readonly filters: Filters;
}

/** Who asks, about what, and who is on it. */
function Whose({ filters }: PartProps): ReactNode {
  const { state } = useApi();
  const agents = useRead<CountOut>("/v1/hold-counts?by=agent").data?.groups ?? [];
  const tools = useRead<CountOut>("/v1/hold-counts?by=tool").data?.groups ?? [];
  const assignees = useRead<CountOut>("/v1/hold-counts?by=assignee").data?.groups ?? [];
  const nameOf = useNames();
  const listed = assignees.map(({ value }) => value);
  // The address may name somebody who has nothing at the moment.
  const others = [...new Set([...listed, filters.assignee])].filter(
    (value) => !["", "none", state.name].includes(value),
  );
  return (
    <>
      <Choice name="agent" label={SAID.agent} any={SAID.anyAgent} value={filters.agent} of={agents} />
      <Choice name="tool" label={SAID.tool} any={SAID.anyTool} value={filters.tool} of={tools} />
      <select
        aria-label={SAID.type}
        value={filters.type}
        onChange={(event) => narrow({ type: event.currentTarget.value })}
      >
        <option value="">{SAID.anyType}</option>
        {ASK_TYPES.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
      <select
        aria-label={SAID.assignee}
        value={filters.assignee}
        onChange={(event) => narrow({ assignee: event.currentTarget.value })}
      >
        <option value="">{SAID.anybody}</option>
        <option value={state.name}>{SAID.me}</option>
        <option value="none">{SAID.nobody}</option>
        {others.map((value) => (
          <option key={value} value={value}>
            {nameOf(value)}
          </option>
        ))}
      </select>
    </>
  );
}

/** In which order, until when, and in groups or not. A search has an order of its own. */
function Ordered({ filters }: PartProps): ReactNode {
  const isSearched = filters.q !== "";
  return (
    <>
      <select
        aria-label={SAID.sort}
        value={filters.sort}
        disabled={isSearched}
        onChange={(event) => narrow({ sort: event.currentTarget.value })}
      >
        <option value="">{SAID.urgency}</option>
        <option value="newest">{SAID.newest}</option>
        <option value="oldest">{SAID.oldest}</option>
      </select>
      <select
        aria-label={SAID.within}
        value={filters.within}
        disabled={isSearched}
        onChange={(event) => narrow({ within: event.currentTarget.value })}
      >
        <option value="">{SAID.anyTime}</option>
        {Object.keys(WITHIN_MS).map((within) => (
          <option key={within} value={within}>
            {SAID.endsWithin(within)}
          </option>
        ))}
      </select>
      <select
        aria-label={SAID.group}
        value={filters.group}
        disabled={isSearched}
        onChange={(event) => narrow({ group: event.currentTarget.value })}
      >
        <option value="">{SAID.noGroup}</option>
        <option value="agent">{SAID.byAgent}</option>
        <option value="tool">{SAID.byTool}</option>
      </select>
    </>
  );
}

interface ChoiceProps {
  readonly name: "agent" | "tool";
  readonly label: string;
  readonly any: string;
  readonly value: string;
  readonly of: NonNullable<CountOut["groups"]>;
}

function Choice({ name, label, any, value, of }: ChoiceProps): ReactNode {
  const isListed = value === "" || of.some((group) => group.value === value);
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => narrow({ [name]: event.currentTarget.value })}
    >
      <option value="">{any}</option>
      {isListed ? null : <option>{value}</option>}
      {of.map((group) => (
        <option key={group.value} value={group.value}>
          {group.value} ({countWords(group)})
        </option>
      ))}
    </select>
  );
}
