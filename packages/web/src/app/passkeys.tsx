/** The signed-in person's passkeys: add one, see them, remove one. */

import type { PasskeyChallengeOut, PasskeyListOut, PasskeyOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { create, whyNoPasskey } from "../passkey.ts";
import type { Api } from "./api.ts";
import { useActing, useApi, useLoaded } from "./hooks.ts";
import { Await, Empty, Panel } from "./parts.tsx";

const WORDS = {
  notUsed: ", not used yet",
  passkeys: "Passkeys",
  passkeySignsYou:
    "A passkey signs you in, and it confirms decisions that ask for one. Admins are told when one is added.",
  addOneEach: "Add one for each device that you sign in with.",
  noPasskeysYet: "No passkeys yet",
  nameNewPasskey: "Name of the new passkey",
  addPasskey: "Add a passkey",
  added: (host: string | number) => `for ${host}, added`,
  lastUsed: ", last used",
  remove: (name: string | number) => `Remove ${name}`,
  openConsoleAt: (id: string | number) => `Open the console at ${id} first.`,
  noPasskeyMade: "No passkey was made. This device may already have one of yours.",
};

export function Passkeys(): ReactNode {
  const api = useApi();
  const [name, setName] = useState("");
  const passkeys = useLoaded(async () => (await api.get<PasskeyListOut>("/v1/passkeys")).passkeys);
  const { trouble, run } = useActing(passkeys.reload);

  return (
    <Panel title={WORDS.passkeys} hint={WORDS.passkeySignsYou} trouble={trouble}>
      <Await loaded={passkeys}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={WORDS.noPasskeysYet}>{WORDS.addOneEach}</Empty>
          ) : (
            <ul className="app-list">
              {list.map((passkey) => (
                <Row key={passkey.id} passkey={passkey} onRemove={() => run(remove(api, passkey.id))} />
              ))}
            </ul>
          )
        }
      </Await>
      <form
        className="app-form"
        onSubmit={(event) => {
          event.preventDefault();
          run(add(api, name));
        }}
      >
        <label>
          {WORDS.nameNewPasskey}
          <input value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        </label>
        <button type="submit" className="app-button">
          {WORDS.addPasskey}
        </button>
      </form>
    </Panel>
  );
}

function Row({
  passkey,
  onRemove,
}: {
  readonly passkey: PasskeyOut;
  readonly onRemove: () => void;
}): ReactNode {
  const { name, host, created_at: made, last_used_at: used } = passkey;
  return (
    <li>
      <strong>{name}</strong>{" "}
      <small>
        {WORDS.added(host)} <Moment at={made} />
        {used === undefined ? (
          WORDS.notUsed
        ) : (
          <>
            {WORDS.lastUsed} <Moment at={used} />
          </>
        )}
      </small>{" "}
      <button type="button" className="hp-quiet" onClick={onRemove}>
        {WORDS.remove(name)}
      </button>
    </li>
  );
}

/** Returns what went wrong in the browser; the server's refusals are thrown. */
async function add(api: Api, name: string): Promise<string | undefined> {
  const asked = await api.send<PasskeyChallengeOut>("POST", "/v1/passkey-challenges");
  const { rp } = asked.public_key as { rp?: { id?: string } };
  const why =
    location.hostname === rp?.id ? whyNoPasskey(location.origin) : WORDS.openConsoleAt(rp?.id ?? "");
  if (why !== undefined) return why;
  const made = await create(asked);
  if (made === undefined) return WORDS.noPasskeyMade;
  await api.send("POST", "/v1/passkeys", { ...made, ...(name.trim() === "" ? {} : { name: name.trim() }) });
  return undefined;
}

async function remove(api: Api, id: string): Promise<undefined> {
  await api.send("DELETE", `/v1/passkeys/${encodeURIComponent(id)}`);
}
