/** The signed-in person's accounts at identity providers: see them, link one. */

import type { PersonListOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import type { ReactNode } from "react";
import { useActing, useApi, useLoaded } from "./hooks.ts";
import { Await, Panel } from "./parts.tsx";

const WORDS = {
  title: "Your accounts",
  hint: "Link your account at an identity provider to sign in with it from then on. It needs a fresh sign-in.",
  none: "No account at an identity provider is linked.",
  at: (tenant: string | number) => `at ${tenant}`,
  linked: "linked",
  linkMyAccount: (label: string | number) => `Link my account at ${label}`,
};

export function LinkedAccounts(): ReactNode {
  const api = useApi();
  const { name, person, providers } = api.state;
  const { trouble, run } = useActing();
  const accounts = useLoaded(async () => {
    const { people } = await api.get<PersonListOut>("/v1/people");
    const own = people.find(({ id }) => id === name)?.accounts ?? [];
    return own.filter(({ platform }) => platform === "oidc");
  });
  if (person === undefined || providers.length === 0) return null;

  function link(provider: string): void {
    const back = encodeURIComponent("/console/settings");
    const path = `/signin/oidc/${encodeURIComponent(provider)}/link?return=${back}`;
    const begun = api.send<{ readonly location: string }>("POST", path);
    run(begun.then(({ location: there }) => void location.assign(there)));
  }

  return (
    <Panel title={WORDS.title} hint={WORDS.hint} trouble={trouble}>
      <Await loaded={accounts}>
        {(list) =>
          list.length === 0 ? (
            <p>{WORDS.none}</p>
          ) : (
            <ul className="app-plain">
              {list.map(({ tenant = "", user_id: id, at }) => (
                <li key={`${tenant} ${id}`}>
                  <span>
                    <strong>{id}</strong> {WORDS.at(tenant)}
                    <small>
                      {WORDS.linked} <Moment at={at} />
                    </small>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Await>
      <div className="app-tools">
        {providers.map(({ name: provider, label }) => (
          <button key={provider} type="button" className="app-button" onClick={() => link(provider)}>
            {WORDS.linkMyAccount(label)}
          </button>
        ))}
      </div>
    </Panel>
  );
}
