/** Asks for a fresh sign-in, in this window by passkey or in another one, and then goes on with what was pressed. */

import { type ReactNode, useEffect, useRef, useState } from "react";
import { signInWithPasskey } from "../sign-in/with-passkey.ts";
import { isFreshFor, onFreshNeeded, onPerhapsSignedIn, sessionState } from "./fresh.ts";
import { useApi } from "./hooks.ts";

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
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    element.current?.showModal();
    const look = async () => {
      const state = await sessionState();
      if (isFreshFor(api.state.name, state, api.now())) done.current(true);
      else if (state !== undefined && state.name !== api.state.name)
        setTrouble(`Now ${state.name} is signed in. Sign in as ${api.state.name} to go on with this.`);
    };
    return onPerhapsSignedIn(() => void look());
  }, [api]);
  async function onPasskey(): Promise<void> {
    const why = await signInWithPasskey(location.origin);
    if (why !== undefined) setTrouble(why);
    else if (isFreshFor(api.state.name, await sessionState(), api.now())) onDone(true);
    else setTrouble(`This passkey signed in somebody else. Sign in as ${api.state.name}.`);
  }
  return (
    <dialog ref={element} className="app-dialog" aria-labelledby="fresh-title" onClose={() => onDone(false)}>
      <h2 id="fresh-title">Sign in again to go on</h2>
      <p>
        This setting gives access or authority, so it needs a sign-in within the last 10 minutes. What you
        entered stays here and is sent as soon as you have signed in.
      </p>
      {trouble === undefined ? null : (
        <p className="hp-notice hp-bad" role="alert">
          {trouble}
        </p>
      )}
      <div className="app-tools">
        <button type="button" className="app-button app-primary" onClick={() => void onPasskey()}>
          Use a passkey
        </button>
        <a
          className="app-button"
          href="/signin?fresh&return=%2Fsignin%2Fdone"
          target="_blank"
          rel="opener noreferrer"
        >
          Sign in in a new window
        </a>
        <button type="button" className="app-button" onClick={() => onDone(false)}>
          Cancel
        </button>
      </div>
      <p className="hp-hint">
        A new console link (<code>holdpoint console</code>), opened in this browser, works too.
      </p>
    </dialog>
  );
}
