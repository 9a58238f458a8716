/** Asks for a fresh sign-in, in this window by passkey or in another one, and then goes on with what was pressed. */

import { type ReactNode, useEffect, useRef, useState } from "react";
import { signInWithPasskey } from "../sign-in/with-passkey.ts";
import { isFreshFor, onFreshNeeded, onPerhapsSignedIn, sessionState } from "./fresh.ts";
import { useApi } from "./hooks.ts";
import { Problem } from "./parts.tsx";
import { useNames } from "./queries.ts";

const WORDS = {
  signAgainGo: "Sign in again to go on",
  settingGivesAccess:
    "This setting gives access or authority, so it needs a sign-in within the last 10 minutes. What you entered stays here and is sent as soon as you have signed in.",
  usePasskey: "Use a passkey",
  signNewWindow: "Sign in in a new window",
  cancel: "Cancel",
  newConsoleLink: "A new console link (",
  openedBrowserWorks: "), opened in this browser, works too.",
  holdpointConsole: "holdpoint console",
  nowSignedSign: (name: string | number, name2: string | number) =>
    `Now ${name} is signed in. Sign in as ${name2} to go on with this.`,
  passkeySignedSomebody: (name: string | number) =>
    `This passkey signed in somebody else. Sign in as ${name}.`,
};

export function FreshDialog(): ReactNode {
  const [settle, setSettle] = useState<(isFresh: boolean) => void>();
  useEffect(() => onFreshNeeded((next) => setSettle(() => next)), []);
  if (settle === undefined) return null;
  const done = (isFresh: boolean) => {
    setSettle(undefined);
    settle(isFresh);
  };
  return <Dialog onDone={done} />;
}

function Dialog({ onDone }: { readonly onDone: (isFresh: boolean) => void }): ReactNode {
  const api = useApi();
  const element = useRef<HTMLDialogElement>(null);
  const [trouble, setTrouble] = useState<string>();
  const own = api.state.person ?? api.state.name;
  const nameOf = useNames();
  const names = useRef(nameOf);
  names.current = nameOf;
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    element.current?.showModal();
    const look = async () => {
      const state = await sessionState();
      if (isFreshFor(api.state.name, state, api.now())) done.current(true);
      else if (state !== undefined && state.name !== api.state.name)
        setTrouble(WORDS.nowSignedSign(names.current(state.name), own));
    };
    return onPerhapsSignedIn(() => void look());
  }, [api, own]);
  async function onPasskey(): Promise<void> {
    const why = await signInWithPasskey(location.origin);
    if (why !== undefined) setTrouble(why);
    else if (isFreshFor(api.state.name, await sessionState(), api.now())) onDone(true);
    else setTrouble(WORDS.passkeySignedSomebody(own));
  }
  return (
    <dialog ref={element} className="app-dialog" aria-labelledby="fresh-title" onClose={() => onDone(false)}>
      <h2 id="fresh-title">{WORDS.signAgainGo}</h2>
      <p>{WORDS.settingGivesAccess}</p>
      <Problem words={trouble} />
      <div className="app-tools">
        <button type="button" className="app-button app-primary" onClick={() => void onPasskey()}>
          {WORDS.usePasskey}
        </button>
        <a
          className="app-button"
          href="/signin?fresh&return=%2Fsignin%2Fdone"
          target="_blank"
          rel="opener noreferrer"
        >
          {WORDS.signNewWindow}
        </a>
        <button type="button" className="app-button" onClick={() => onDone(false)}>
          {WORDS.cancel}
        </button>
      </div>
      <p className="hp-hint">
        {WORDS.newConsoleLink}
        <code>{WORDS.holdpointConsole}</code>
        {WORDS.openedBrowserWorks}
      </p>
    </dialog>
  );
}
