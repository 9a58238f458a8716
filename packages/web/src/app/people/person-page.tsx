/** One person: who they are, how they come in, whether they are away, and how to take all of that away again. */

import type { InvitationOut, PersonListOut, PersonOut, TeamListOut } from "@holdpoint/protocol";
import { Icon } from "@holdpoint/react";
import { type FormEvent, type ReactNode, useState } from "react";
import { wordsOf } from "../api.ts";
import { useApi, useLoaded } from "../hooks.ts";
import { Await, Badge, Empty, Heading, Problem, Secret, Sure, To } from "../parts.tsx";
import { AbsenceForm } from "./absence-form.tsx";
import { PERSON_ROLES } from "./add-person.tsx";
import { peopleChanged, usePeopleChanged } from "./changes.ts";
import { NoticesForm } from "./notices-form.tsx";
import { Sessions } from "./sessions.tsx";
import { WaysIn } from "./ways-in.tsx";

const WORDS = {
  peopleKeys: "People and keys",
  thereNoSuch: "There is no such person",
  personErasedLog: (id: string | number) => `This person was erased. The log still refers to ${id}.`,
  suspended: "suspended",
  notConfirmed: "not confirmed",
  keyHasName:
    "A key has this name. Until an admin confirms the person, they answer as before, and do not count towards decisions.",
  confirm: (name: string | number) => `Confirm ${name}`,
  theirVotesCount: "Their votes count towards decisions from then on.",
  suspendErase: "Suspend or erase",
  suspend: (name: string | number) => `Suspend ${name}`,
  theirKeysSessions: "Their keys, sessions, links and votes on open holds stop counting at once.",
  restore: (name: string | number) => `Restore ${name}`,
  theirKeysLinks: "Their keys and links work again, and they can sign in again.",
  erase: (name: string | number) => `Erase ${name}`,
  nameAddressAccounts: "Name, address, accounts and passkeys are deleted for good. The log keeps the id.",
  person: "Person",
  name: "Name",
  eMailAddress: "E-mail address",
  role: "Role",
  teams: "Teams",
  withAnotherRole: "With another role, the person is signed out and has to sign in again.",
  save: "Save",
  invite: "Invite",
  signLinkWorks: (name: string | number) => `Sign-in link for ${name}; it works once.`,
  sent: (sentTo: string | number) => `Sent to ${sentTo}.`,
  makeOneTime: "Make a one-time link",
  sendByE: "Send it by e-mail",
};

export function PersonPage({ id }: { readonly id: string }): ReactNode {
  const api = useApi();
  const changes = usePeopleChanged();
  const loaded = useLoaded(async () => {
    const [{ people }, { teams }] = await Promise.all([
      api.get<PersonListOut>("/v1/people"),
      api.get<TeamListOut>("/v1/teams"),
    ]);
    return { person: people.find((one) => one.id === id), people, teams: teams.map((team) => team.id) };
  }, changes);
  return (
    <>
      <p className="app-crumb">
        <To href="/console/people">
          <Icon name="back" /> {WORDS.peopleKeys}
        </To>
      </p>
      <Await loaded={loaded}>
        {({ person, people, teams }) =>
          person === undefined ? (
            <Empty title={WORDS.thereNoSuch} />
          ) : (
            <Shown person={person} people={people} teams={teams} />
          )
        }
      </Await>
    </>
  );
}

interface ShownProps {
  readonly person: PersonOut;
  readonly people: readonly PersonOut[];
  readonly teams: readonly string[];
}

function Shown({ person, people, teams }: ShownProps): ReactNode {
  const api = useApi();
  const { id, name, status, verified, erased_at: erased } = person;
  const path = `/v1/people/${encodeURIComponent(id)}`;
  const patch = (body: object) => api.send("PATCH", path, body);
  if (erased !== undefined) {
    return (
      <>
        <Heading title={name} />
        <p>{WORDS.personErasedLog(id)}</p>
      </>
    );
  }
  return (
    <>
      <Heading title={name}>
        {status === "suspended" ? <Badge>{WORDS.suspended}</Badge> : null}
        {verified ? null : <Badge>{WORDS.notConfirmed}</Badge>}
      </Heading>
      {verified ? null : (
        <div className="hp-notice">
          <p>{WORDS.keyHasName}</p>
          <Sure
            label={WORDS.confirm(name)}
            question={WORDS.theirVotesCount}
            act={() => patch({ verified: true })}
            onDone={peopleChanged}
          />
        </div>
      )}
      <div className="app-columns">
        <EditForm person={person} teams={teams} />
        <div>
          <Invite person={person} />
          <AbsenceForm person={person} people={people} />
          <NoticesForm person={person} />
        </div>
      </div>
      <WaysIn person={person} />
      <Sessions person={id} />
      <Endings person={person} />
    </>
  );
}

/** What takes a person's authority away, each after a second press. */
function Endings({ person }: { readonly person: PersonOut }): ReactNode {
  const api = useApi();
  const { id, name, status } = person;
  const path = `/v1/people/${encodeURIComponent(id)}`;
  const patch = (body: object) => api.send("PATCH", path, body);
  return (
    <section className="app-panel">
      <h2>{WORDS.suspendErase}</h2>
      <div className="app-tools">
        {status === "active" ? (
          <Sure
            label={WORDS.suspend(name)}
            question={WORDS.theirKeysSessions}
            act={() => patch({ status: "suspended" })}
            onDone={peopleChanged}
            isDanger
          />
        ) : (
          <Sure
            label={WORDS.restore(name)}
            question={WORDS.theirKeysLinks}
            act={() => patch({ status: "active" })}
            onDone={peopleChanged}
          />
        )}
        <Sure
          label={WORDS.erase(name)}
          question={WORDS.nameAddressAccounts}
          act={() => api.send("POST", `${path}/erase`)}
          onDone={peopleChanged}
          isDanger
        />
      </div>
    </section>
  );
}

function EditForm({ person, teams }: Pick<ShownProps, "person" | "teams">): ReactNode {
  const api = useApi();
  const [said, setSaid] = useState<string>();
  const { id, name, email = "", role, teams: own } = person;
  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const address = String(form.get("email")).trim();
    const body = {
      name: String(form.get("name")),
      role: String(form.get("role")),
      email: address === "" ? null : address,
      teams: form.getAll("team").map(String),
    };
    api.send("PATCH", `/v1/people/${encodeURIComponent(id)}`, body).then(
      () => {
        setSaid("Saved.");
        peopleChanged();
      },
      (fault: unknown) => setSaid(wordsOf(fault)),
    );
  }
  return (
    <form className="app-panel app-form" onSubmit={onSubmit}>
      <h2>{WORDS.person}</h2>
      <label>
        {WORDS.name}
        <input name="name" required maxLength={100} defaultValue={name} autoComplete="off" />
      </label>
      <label>
        {WORDS.eMailAddress}
        <input name="email" type="email" maxLength={320} defaultValue={email} autoComplete="off" />
      </label>
      <label>
        {WORDS.role}
        <select name="role" defaultValue={role}>
          {PERSON_ROLES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      {teams.length === 0 ? null : (
        <fieldset className="people-members">
          <legend>{WORDS.teams}</legend>
          {teams.map((team) => (
            <label key={team} className="app-inline">
              <input type="checkbox" name="team" value={team} defaultChecked={own.includes(team)} />
              {team}
            </label>
          ))}
        </fieldset>
      )}
      <p className="hp-hint">{WORDS.withAnotherRole}</p>
      {said === undefined ? null : (
        <p className="hp-notice" role="status">
          {said}
        </p>
      )}
      <button type="submit" className="app-button">
        {WORDS.save}
      </button>
    </form>
  );
}

function Invite({ person }: { readonly person: PersonOut }): ReactNode {
  const api = useApi();
  const [made, setMade] = useState<InvitationOut>();
  const [trouble, setTrouble] = useState<string>();
  const invite = (by: "link" | "email") =>
    void api.send<InvitationOut>("POST", `/v1/people/${encodeURIComponent(person.id)}/invite`, { by }).then(
      (out) => {
        setMade(out);
        setTrouble(undefined);
      },
      (fault: unknown) => setTrouble(wordsOf(fault)),
    );
  return (
    <section className="app-panel">
      <h2>{WORDS.invite}</h2>
      <Problem words={trouble} />
      {made?.url === undefined ? null : <Secret label={WORDS.signLinkWorks(person.name)} text={made.url} />}
      {made?.sent_to === undefined ? null : (
        <p className="hp-notice" role="status">
          {WORDS.sent(made.sent_to)}
        </p>
      )}
      <div className="app-tools">
        <button type="button" className="app-button" onClick={() => invite("link")}>
          {WORDS.makeOneTime}
        </button>
        {person.email === undefined ? null : (
          <button type="button" className="app-button" onClick={() => invite("email")}>
            {WORDS.sendByE}
          </button>
        )}
      </div>
    </section>
  );
}
