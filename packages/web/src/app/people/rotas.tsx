/** Rotas: who is on call now, who is next, and when. */

import type { PersonListOut, RotaListOut, RotaOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import { type FormEvent, type ReactNode, useState } from "react";
import { found } from "../api.ts";
import { useActing, useApi, useLoaded } from "../hooks.ts";
import { Await, Badge, Empty, Problem, Sure } from "../parts.tsx";
import { rotaIn, rotaText } from "./rota-form.ts";

const WORDS = {
  title: "On call",
  none: "No rotas yet",
  ladder: "A ladder can ask the person on call:",
  example: "oncall:ops",
  now: "now",
  until: "until",
  next: "next",
  from: "from",
  nobody: "nobody is on call",
  unknown: "not a person here, nobody would be told",
  unreadable: "the calendar file of holdpoint.yaml cannot be read",
  changed: "changed here",
  file: "holdpoint.yaml",
  change: (name: string) => `Change ${name}`,
  remove: (name: string) => `Remove ${name}`,
  back: (name: string) => `Back to the file’s ${name}`,
  removeConsequence: "Ladders that ask this rota reach nobody from then on.",
  backConsequence: "What holdpoint.yaml says counts again.",
  add: "Add a rota",
  name: "Name, as ladders write it after oncall:",
  kind: "Who is on call",
  kinds: { rotation: "people take turns", calendar: "a calendar says who" },
  people: "People in the order of their turns, one on each line (id or e-mail address)",
  here: (ids: string) => `People here: ${ids}`,
  every: "A turn lasts, such as 7d or 12h",
  start: "The first turn begins (UTC), such as 2026-03-02T08:00:00Z",
  calendar: "Text of an iCalendar file (.ics). Each event’s summary is an id or an e-mail address",
  save: "Save the rota",
  needs: "It counts at once and is on record. Saving needs a fresh sign-in.",
  whoMay: "Admins of the workspace default change rotas.",
};

/** Only people of the server's own workspace see it. */
export function Rotas(): ReactNode {
  const api = useApi();
  const mayChange = api.state.changesServer;
  const loaded = useLoaded(async () => {
    const rotas = await found(api.get<RotaListOut>("/v1/oncall"));
    const { people } = await api.get<PersonListOut>("/v1/people");
    return rotas === undefined
      ? null
      : {
          rotas: rotas.rotas,
          ids: people.flatMap(({ id, erased_at: erased }) => (erased === undefined ? [id] : [])),
        };
  });
  if (loaded.value === null) return null;
  return (
    <section className="app-panel" aria-label={WORDS.title}>
      <h2>{WORDS.title}</h2>
      <Await loaded={loaded}>
        {(value) =>
          value === null ? null : (
            <>
              {value.rotas.length === 0 ? (
                <Empty title={WORDS.none}>
                  <p>
                    {WORDS.ladder} <code>{WORDS.example}</code>.
                  </p>
                </Empty>
              ) : (
                <ul className="app-plain">
                  {value.rotas.map((rota) => (
                    <Row key={rota.name} {...{ rota, ids: value.ids, mayChange, onDone: loaded.reload }} />
                  ))}
                </ul>
              )}
              {mayChange ? (
                <details>
                  <summary>{WORDS.add}</summary>
                  <RotaForm ids={value.ids} onDone={loaded.reload} />
                </details>
              ) : (
                <p className="hp-hint">{WORDS.whoMay}</p>
              )}
            </>
          )
        }
      </Await>
    </section>
  );
}

interface RowProps {
  readonly rota: RotaOut;
  readonly ids: readonly string[];
  readonly mayChange: boolean;
  readonly onDone: () => void;
}

function Row({ rota, ids, mayChange, onDone }: RowProps): ReactNode {
  const api = useApi();
  const { name, now, next, source, is_configured: isConfigured } = rota;
  const path = `/v1/oncall/${encodeURIComponent(name)}`;
  return (
    <li className="chat-row">
      <span>
        <strong>{name}</strong>{" "}
        {rota.reason === undefined ? (
          now === undefined ? (
            WORDS.nobody
          ) : (
            <>
              {WORDS.now} <Who turn={now} />, {WORDS.until} <Moment at={now.until} />
            </>
          )
        ) : (
          WORDS.unreadable
        )}
        <small>
          {next === undefined ? null : (
            <>
              {WORDS.next} <Who turn={next} />, {WORDS.from} <Moment at={next.from} />
              {" · "}
            </>
          )}
          {rotaText(rota)}
        </small>
      </span>
      {isConfigured ? <Badge>{source === "console" ? WORDS.changed : WORDS.file}</Badge> : null}
      {mayChange && source === "console" ? (
        <Sure
          label={isConfigured ? WORDS.back(name) : WORDS.remove(name)}
          question={isConfigured ? WORDS.backConsequence : WORDS.removeConsequence}
          act={() => api.send("DELETE", path)}
          onDone={onDone}
          isDanger
        />
      ) : null}
      {mayChange ? (
        <details>
          <summary>{WORDS.change(name)}</summary>
          <RotaForm rota={rota} ids={ids} onDone={onDone} />
        </details>
      ) : null}
    </li>
  );
}

function Who({ turn: { who, name } }: { readonly turn: NonNullable<RotaOut["now"] | RotaOut["next"]> }) {
  return <b>{name ?? `${who} (${WORDS.unknown})`}</b>;
}

interface FormProps {
  readonly ids: readonly string[];
  readonly onDone: () => void;
  /** Absent: a new one is added. */
  readonly rota?: RotaOut;
}

function RotaForm({ rota, ids, onDone }: FormProps): ReactNode {
  const api = useApi();
  const { trouble, isBusy, run } = useActing(onDone);
  const [saves, setSaves] = useState(0);
  const [isCalendar, setCalendar] = useState(rota?.calendar !== undefined);

  async function save(form: FormData): Promise<undefined> {
    const name = rota?.name ?? String(form.get("name")).trim();
    await api.send("PUT", `/v1/oncall/${encodeURIComponent(name)}`, rotaIn(form));
    setSaves((before) => before + 1);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    run(save(new FormData(event.currentTarget)));
  }

  return (
    <form className="app-form" key={saves} onSubmit={onSubmit}>
      <Problem words={trouble} />
      {rota === undefined ? (
        <label>
          {WORDS.name}
          <input name="name" required maxLength={100} autoComplete="off" />
        </label>
      ) : null}
      <label>
        {WORDS.kind}
        <select
          name="kind"
          defaultValue={isCalendar ? "calendar" : "rotation"}
          onChange={(event) => setCalendar(event.currentTarget.value === "calendar")}
        >
          {Object.entries(WORDS.kinds).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {isCalendar ? (
        <label>
          {WORDS.calendar}
          <textarea name="calendar" rows={8} required defaultValue={rota?.calendar} spellCheck={false} />
        </label>
      ) : (
        <Turns rota={rota} ids={ids} />
      )}
      <p className="hp-hint">{WORDS.needs}</p>
      <button type="submit" className="app-button" disabled={isBusy}>
        {WORDS.save}
      </button>
    </form>
  );
}

function Turns({ rota, ids }: { readonly rota: RotaOut | undefined; readonly ids: readonly string[] }) {
  return (
    <>
      <label>
        {WORDS.people}
        <textarea name="people" rows={4} required defaultValue={rota?.people?.join("\n")} />
      </label>
      <p className="hp-hint">{WORDS.here(ids.join(", "))}</p>
      <label>
        {WORDS.every}
        <input name="every" required defaultValue={rota?.every ?? "7d"} autoComplete="off" />
      </label>
      <label>
        {WORDS.start}
        <input name="from" required defaultValue={rota?.from} autoComplete="off" />
      </label>
    </>
  );
}
