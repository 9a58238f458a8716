/** People and teams, who is signed in, and keys for programs. */

import type { KeyListOut, KeyOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import { type FormEvent, type ReactNode, useState } from "react";
import { Changes } from "./activity/changes.tsx";
import { wordsOf } from "./api.ts";
import { useApi, useLoaded } from "./hooks.ts";
import { Await, Badge, Empty, Heading, Problem, Secret, Sure } from "./parts.tsx";
import { AddPerson } from "./people/add-person.tsx";
import { PeopleList } from "./people/people-list.tsx";
import { Rotas } from "./people/rotas.tsx";
import { Sessions } from "./people/sessions.tsx";
import { Teams } from "./people/teams.tsx";

const WORDS = {
  neverUsed: ", never used",
  peopleKeys: "People and keys",
  makeKey: "Make a key",
  keys: "Keys",
  noKeysYet: "No keys yet",
  roles: "Roles",
  name: "Name",
  role: "Role",
  made: ", made",
  used: ", used",
  revoke: "Revoke",
  whateverUsesKey: "Whatever uses this key is refused from then on.",
  revoked: "revoked",
  key: (name: string | number) => `Key of ${name}.`,
  makeKeyButton: "Make the key",
};

const ROLES = [
  ["agent", "asks, and reads what it asked"],
  ["app", "asks and relays answers of its own users"],
  ["operator", "sees and answers"],
  ["admin", "also manages keys, people and channels"],
  ["auditor", "reads everything, changes nothing"],
] as const;

/** Making and revoking, with the secret or the refusal that came of it. */
function useAccess() {
  const api = useApi();
  const [shown, setShown] = useState<readonly [string, string]>();
  const [trouble, setTrouble] = useState<string>();
  const keys = useLoaded(async () => (await api.get<KeyListOut>("/v1/keys")).keys);

  function act(work: Promise<readonly [string, string]>): void {
    work
      .then((secret) => {
        setShown(secret);
        setTrouble(undefined);
      })
      .catch((fault: unknown) => setTrouble(wordsOf(fault)))
      .finally(keys.reload);
  }

  function onMake(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const body = { name: String(form.get("name")), role: String(form.get("role")) };
    act(
      api.send<KeyOut>("POST", "/v1/keys", body).then(({ secret = "" }) => {
        // What was refused, or waited for a sign-in that nobody made, stays to be sent again.
        element.reset();
        return [WORDS.key(body.name), secret] as const;
      }),
    );
  }

  return { shown, trouble, keys, onMake };
}

export function Access(): ReactNode {
  const { shown, trouble, keys, onMake } = useAccess();
  return (
    <>
      <Heading title={WORDS.peopleKeys} />
      {shown === undefined ? null : <Secret label={shown[0]} text={shown[1]} />}
      <Problem words={trouble} />
      <div className="app-columns">
        <AddPerson />
        <MakeForm
          title={WORDS.makeKey}
          roles={ROLES.map(([role]) => role)}
          button={WORDS.makeKeyButton}
          onSubmit={onMake}
        />
      </div>
      <PeopleList />
      <Teams />
      <Rotas />
      <Sessions />
      <section className="app-panel">
        <h2>{WORDS.keys}</h2>
        <Await loaded={keys}>
          {(list) =>
            list.length === 0 ? (
              <Empty title={WORDS.noKeysYet} />
            ) : (
              <Keys list={list} onRevoked={keys.reload} />
            )
          }
        </Await>
      </section>
      <Changes of="access" />
      <section className="app-panel">
        <h2>{WORDS.roles}</h2>
        <dl className="app-facts">
          {ROLES.map(([role, words]) => (
            <div key={role}>
              <dt>{role}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

interface MakeProps {
  readonly title: string;
  readonly roles: readonly string[];
  readonly button: string;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

function MakeForm({ title, roles, button, onSubmit }: MakeProps): ReactNode {
  return (
    <form className="app-panel app-form" onSubmit={onSubmit}>
      <h2>{title}</h2>
      <label>
        {WORDS.name}
        <input name="name" required maxLength={100} autoComplete="off" />
      </label>
      <label>
        {WORDS.role}
        <select name="role">
          {roles.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </select>
      </label>
      <button type="submit" className="app-button">
        {button}
      </button>
    </form>
  );
}

function Keys({
  list,
  onRevoked,
}: {
  readonly list: readonly KeyOut[];
  readonly onRevoked: () => void;
}): ReactNode {
  const api = useApi();
  return (
    <ul className="app-plain">
      {list.map((key) => (
        <li key={key.id}>
          <span>
            <strong>{key.name}</strong> {key.role}
            <small>
              {key.hint}
              {WORDS.made} <Moment at={key.created_at} />
              {key.last_used_at === undefined ? (
                WORDS.neverUsed
              ) : (
                <>
                  {WORDS.used} <Moment at={key.last_used_at} />
                </>
              )}
            </small>
          </span>
          {key.revoked_at === undefined ? (
            <Sure
              label={WORDS.revoke}
              question={WORDS.whateverUsesKey}
              act={() => api.send("DELETE", `/v1/keys/${key.id}`)}
              onDone={onRevoked}
              isDanger
            />
          ) : (
            <Badge>{WORDS.revoked}</Badge>
          )}
        </li>
      ))}
    </ul>
  );
}
