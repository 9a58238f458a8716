/** Who is signed in: everybody for admins, one person on that person's page. */

import type { ConsoleSessionListOut, ConsoleSessionOut } from "@holdpoint/protocol";
import { Moment, Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { useApi, useLoaded } from "../hooks.ts";
import { Await, Badge, Sure } from "../parts.tsx";
import { useNames } from "../queries.ts";
import { peopleChanged, usePeopleChanged } from "./changes.ts";

const WORDS = {
  signed: "Signed in",
  sessions: "Sessions",
  nobodySigned: "Nobody is signed in.",
  endAllSessions: "End all sessions",
  theyAreSigned: "They are signed out everywhere at once, and have to sign in again.",
  at: (provider: string | number) => `at ${provider}`,
  since: "since",
  signedHere: "signed in here",
  endSession: "End session",
  signedOutThere: (person: string | number) => `${person} is signed out there at once.`,
};

const HOW: Readonly<Record<ConsoleSessionOut["how"], string>> = {
  link: "with a one-time link",
  email: "with a link by e-mail",
  oidc: "at the identity provider",
  passkey: "with a passkey",
};

export function Sessions({ person }: { readonly person?: string }): ReactNode {
  const api = useApi();
  const changes = usePeopleChanged();
  const query = person === undefined ? "" : `?person=${encodeURIComponent(person)}`;
  const loaded = useLoaded(
    async () => (await api.get<ConsoleSessionListOut>(`/v1/sessions${query}`)).sessions,
    changes,
    person,
  );
  return (
    <section className="app-panel">
      <h2>{person === undefined ? WORDS.signed : WORDS.sessions}</h2>
      <Await loaded={loaded}>
        {(sessions) => (
          <>
            {sessions.length === 0 ? <p className="hp-hint">{WORDS.nobodySigned}</p> : null}
            <ul className="app-plain">
              {sessions.map((session) => (
                <Row key={session.id} session={session} />
              ))}
            </ul>
            {person === undefined || sessions.length === 0 ? null : (
              <Sure
                label={WORDS.endAllSessions}
                question={WORDS.theyAreSigned}
                act={() => api.send("DELETE", `/v1/people/${encodeURIComponent(person)}/sessions`)}
                onDone={peopleChanged}
                isDanger
              />
            )}
          </>
        )}
      </Await>
    </section>
  );
}

function Row({ session }: { readonly session: ConsoleSessionOut }): ReactNode {
  const api = useApi();
  const { id, person, how, provider, device, started_at: since, current } = session;
  const name = useNames()(person);
  return (
    <li>
      <span>
        <strong>
          <Text>{name}</Text>
        </strong>{" "}
        {provider === undefined ? HOW[how] : WORDS.at(provider)}
        <small>
          {WORDS.since} <Moment at={since} />
          {device === undefined ? null : `, ${deviceWords(device)}`}
        </small>
      </span>
      {current ? (
        <Badge>{WORDS.signedHere}</Badge>
      ) : (
        <Sure
          label={WORDS.endSession}
          question={WORDS.signedOutThere(name)}
          act={() => api.send("DELETE", `/v1/sessions/${id}`)}
          onDone={peopleChanged}
        />
      )}
    </li>
  );
}

const BROWSERS = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;
const SYSTEMS = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/Linux/, "Linux"],
] as const;

/** `Firefox on Linux`; what is not known is shown as the browser said it. */
function deviceWords(device: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(device))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(device))?.[1];
  if (browser === undefined) return device.slice(0, 60);
  return system === undefined ? browser : `${browser} on ${system}`;
}
