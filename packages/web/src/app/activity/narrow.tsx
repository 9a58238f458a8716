/** Filters by person, agent, tool, ending, door and period, kept in the address. */

import type { CountOut, PersonListOut } from "@holdpoint/protocol";
import type { ReactNode } from "react";
import { setParams, useParams } from "../address.ts";
import { useRead } from "../queries.ts";
import { DOOR_NAMES } from "./sentence.ts";

const NAMES = ["person", "agent", "tool", "ending", "door", "from", "until"] as const;
export type Narrowed = Readonly<Record<(typeof NAMES)[number], string>>;

const WORDS = {
  label: "Filters",
  person: "Person",
  anyPerson: "Everybody",
  agent: "Agent",
  anyAgent: "All agents",
  tool: "Tool",
  ending: "Ending",
  anyEnding: "All endings",
  door: "Door",
  anyDoor: "All doors",
  from: "From",
  until: "To",
  clear: "Clear filters",
};

const ENDINGS = ["approve", "reject", "edit", "confirm", "cancel", "expired", "cancelled"];

export function useNarrowed(): Narrowed {
  return useParams(NAMES);
}

/** A day in the reader's own time, as the moment it begins. */
export function dayStart(day: string, plusDays = 0): string | undefined {
  const at = new Date(`${day}T00:00:00`);
  if (Number.isNaN(at.getTime())) return undefined;
  at.setDate(at.getDate() + plusDays);
  return at.toISOString();
}

function narrow(changes: Partial<Narrowed>): void {
  setParams({ ...changes, cursor: undefined });
}

export function NarrowBar({
  narrowed,
  endings = true,
}: {
  readonly narrowed: Narrowed;
  readonly endings?: boolean;
}): ReactNode {
  const people = useRead<PersonListOut>("/v1/people").data?.people ?? [];
  const agents = useRead<CountOut>("/v1/hold-counts?by=agent").data?.groups ?? [];
  const isNarrowed = Object.values(narrowed).some((value) => value !== "");
  return (
    <fieldset className="app-filters app-narrow" aria-label={WORDS.label}>
      <Select
        name="person"
        any={WORDS.anyPerson}
        label={WORDS.person}
        value={narrowed.person}
        of={people.map(({ id, name }) => [id, name])}
      />
      <Select
        name="agent"
        any={WORDS.anyAgent}
        label={WORDS.agent}
        value={narrowed.agent}
        of={agents.map(({ value }) => [value, value])}
      />
      <input
        aria-label={WORDS.tool}
        placeholder={WORDS.tool}
        defaultValue={narrowed.tool}
        key={narrowed.tool}
        onBlur={(event) => narrow({ tool: event.currentTarget.value.trim() })}
        onKeyDown={(event) => event.key === "Enter" && narrow({ tool: event.currentTarget.value.trim() })}
      />
      {endings ? (
        <Select
          name="ending"
          any={WORDS.anyEnding}
          label={WORDS.ending}
          value={narrowed.ending}
          of={ENDINGS.map((each) => [each, each])}
        />
      ) : null}
      <Select
        name="door"
        any={WORDS.anyDoor}
        label={WORDS.door}
        value={narrowed.door}
        of={Object.entries(DOOR_NAMES)}
      />
      <Period narrowed={narrowed} />
      {isNarrowed ? (
        <button
          type="button"
          className="hp-quiet"
          onClick={() => narrow(Object.fromEntries(NAMES.map((name) => [name, ""])))}
        >
          {WORDS.clear}
        </button>
      ) : null}
    </fieldset>
  );
}

function Period({ narrowed }: { readonly narrowed: Narrowed }): ReactNode {
  return (
    <>
      {(["from", "until"] as const).map((name) => (
        <label key={name}>
          {WORDS[name]}{" "}
          <input
            type="date"
            value={narrowed[name]}
            onChange={(event) => narrow({ [name]: event.currentTarget.value })}
          />
        </label>
      ))}
    </>
  );
}

interface SelectProps {
  readonly name: keyof Narrowed;
  readonly label: string;
  readonly any: string;
  readonly value: string;
  readonly of: readonly (readonly [value: string, label: string])[];
}

function Select({ name, label, any, value, of }: SelectProps): ReactNode {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => narrow({ [name]: event.currentTarget.value })}
    >
      <option value="">{any}</option>
      {value === "" || of.some(([each]) => each === value) ? null : <option>{value}</option>}
      {of.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  );
}
