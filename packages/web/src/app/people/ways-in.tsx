/** A person's accounts elsewhere and their passkeys. */

import type { PasskeyListOut, PersonOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import type { ReactNode } from "react";
import { useApi, useLoaded } from "../hooks.ts";
import { Await, Sure } from "../parts.tsx";
import { peopleChanged, usePeopleChanged } from "./changes.ts";

const WORDS = {
  accountsPasskeys: "Accounts and passkeys",
  noAccountsAre: "No accounts are linked.",
  linked: "linked",
  unlink: "Unlink",
  personCanNo: "The person can no longer sign in or vote with this account.",
  noPasskeysPeople: "No passkeys. People add their own under Settings, after they have signed in.",
  passkey: "passkey for",
  added: "added",
  remove: (name: string | number) => `Remove ${name}`,
  signsNobodyFrom: "It signs nobody in from then on, and proves no decision.",
};

export function WaysIn({ person }: { readonly person: PersonOut }): ReactNode {
  const api = useApi();
  const changes = usePeopleChanged();
  const id = encodeURIComponent(person.id);
  const passkeys = useLoaded(
    async () => (await api.get<PasskeyListOut>(`/v1/passkeys?person=${id}`)).passkeys,
    changes,
    id,
  );
  return (
    <section className="app-panel">
      <h2>{WORDS.accountsPasskeys}</h2>
      {person.accounts.length === 0 ? <p className="hp-hint">{WORDS.noAccountsAre}</p> : null}
      <ul className="app-plain">
        {person.accounts.map(({ platform, tenant, user_id: userId, at }) => (
          <li key={`${platform} ${tenant} ${userId}`}>
            <span>
              <strong>{platform}</strong> {userId}
              <small>
                {tenant === undefined ? null : `${tenant}, `}
                {WORDS.linked} <Moment at={at} />
              </small>
            </span>
            <Sure
              label={WORDS.unlink}
              question={WORDS.personCanNo}
              act={() =>
                api.send("POST", `/v1/people/${id}/accounts/unlink`, {
                  platform,
                  user_id: userId,
                  ...(tenant === undefined ? {} : { tenant }),
                })
              }
              onDone={peopleChanged}
              isDanger
            />
          </li>
        ))}
      </ul>
      <Await loaded={passkeys}>
        {(list) =>
          list.length === 0 ? (
            <p className="hp-hint">{WORDS.noPasskeysPeople}</p>
          ) : (
            <ul className="app-plain">
              {list.map((passkey) => (
                <li key={passkey.id}>
                  <span>
                    <strong>{passkey.name}</strong> {WORDS.passkey} {passkey.host}
                    <small>
                      {WORDS.added} <Moment at={passkey.created_at} />
                    </small>
                  </span>
                  <Sure
                    label={WORDS.remove(passkey.name)}
                    question={WORDS.signsNobodyFrom}
                    act={() => api.send("DELETE", `/v1/passkeys/${encodeURIComponent(passkey.id)}`)}
                    onDone={peopleChanged}
                    isDanger
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Await>
    </section>
  );
}
