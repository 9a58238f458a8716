/** Filters by person, agent, tool, ending, door and period, kept in the address. */

import type { CountOut, PersonListOut } from "@holdpoint/protocol";
import type { ReactNode } from "react";
import { addressWith, setParams, useParams } from "../address.ts";
import { go } from "../hooks.ts";
import { useRead } from "../queries.ts";
import { DOOR_NAMES } from "./sentence.ts";

const NAMES = ["person", "agent", "tool", "ending", "door", "from", "until"] as const;
export type Narrowed = Readonly<Record<(typeof NAMES)[number], string>>;

const WORDS = {
  label: "Filters",
  person: "Person",
  anyPerson: "Everybody",
  agent: "Agent",
  tool: "Tool",
  ending: "Ending",
  anyEnding: "All endings",
  door: "Door",
  anyDoor: "All doors",
  from: "From",
  until: "To",
  clear: "Clear filters",
};

const ANSWERS = [
  "approve",
  "reject",
  "edit",
  "select",
  "submit",
  "confirm",
  "cancel",
  "retry",
  "skip",
  "abort",
];
const ENDINGS = { answers: ANSWERS, all: [...ANSWERS, "expired", "cancelled"], none: [] } as const;

export function useNarrowed(): Narrowed {
  return useParams(NAMES);
}

function narrow(changes: Partial<Narrowed>): void {
  setParams({ ...changes, cursor: undefined });
}

/** Another page of the list is a step in the history, so that Back returns to the one before. */
export function turnTo(cursor: string): void {
  go(addressWith({ cursor }));
}

export function NarrowBar({
  narrowed,
  endings = "all",
}: {
  readonly narrowed: Narrowed;
  /** Which endings can be chosen: a list of decided holds has none that expired. */
  readonly endings?: keyof typeof ENDINGS;
}): ReactNode {
  const people = useRead<PersonListOut>("/v1/people").data?.people ?? [];
  const agents = useRead<CountOut>("/v1/hold-counts?by=agent").data?.groups ?? [];
  const tools = useRead<CountOut>("/v1/hold-counts?by=tool").data?.groups ?? [];
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
      <Written name="agent" label={WORDS.agent} value={narrowed.agent} of={agents} />
      <Written name="tool" label={WORDS.tool} value={narrowed.tool} of={tools} />
      {endings === "none" ? null : (
        <Select
          name="ending"
          any={WORDS.anyEnding}
          label={WORDS.ending}
          value={narrowed.ending}
          of={ENDINGS[endings].map((each) => [each, each])}
        />
      )}
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

interface WrittenProps {
  readonly name: "agent" | "tool";
  readonly label: string;
  readonly value: string;
  readonly of: NonNullable<CountOut["groups"]>;
}

/** Written, because the past knows more names than those that have something open; those are offered. */
function Written({ name, label, value, of }: WrittenProps): ReactNode {
  const set = (text: string) => narrow({ [name]: text.trim() });
  return (
    <>
      <input
        aria-label={label}
        placeholder={label}
        list={`known-${name}`}
        defaultValue={value}
        key={value}
        onBlur={(event) => set(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && set(event.currentTarget.value)}
      />
      <datalist id={`known-${name}`}>
        {of.map((group) => (
          <option key={group.value} value={group.value} />
        ))}
      </datalist>
    </>
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
