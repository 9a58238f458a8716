/** The single keys of the console: shown by `?`, and turned off here or in the settings. */

import { type ReactNode, useEffect, useRef, useState } from "react";
import { useKeys } from "./hooks.ts";
import { usePref } from "./prefs.ts";

export const KEYS: readonly (readonly [key: string, words: string])[] = [
  ["J", "next hold"],
  ["K", "previous hold"],
  ["A", "go to Approve; Enter presses it"],
  ["R", "go to Reject; Enter presses it"],
  ["E", "ask for changes"],
  ["X", "mark or unmark"],
  ["U", "take back the last answer, while it has not counted"],
  ["Enter", "open the hold"],
  ["/", "search"],
  ["?", "show these keys"],
];

const WORDS = {
  title: "Keys",
  show: "Keys",
  on: "Single keys are on",
  off: "Single keys are off",
  hint: "With speech input or an unsteady hand, single keys press themselves. Everything can be done without them.",
  close: "Close",
};

export function KeysSwitch(): ReactNode {
  const [value, set] = usePref("keys");
  const isOn = value !== "off";
  return (
    <>
      <label className="app-check">
        <input type="checkbox" checked={isOn} onChange={() => set(isOn ? "off" : "on")} />{" "}
        {isOn ? WORDS.on : WORDS.off}
      </label>
      <p className="hp-hint">{WORDS.hint}</p>
    </>
  );
}

/** A button that says which keys there are; `?` presses it. */
export function KeysHint(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  useKeys({ "?": () => setOpen(true) });
  return (
    <>
      <button type="button" className="hp-quiet app-keys" onClick={() => setOpen(true)}>
        {WORDS.show} <kbd>?</kbd>
      </button>
      {isOpen ? <KeysDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function KeysDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="app-dialog" aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">{WORDS.title}</h2>
      <dl className="app-keylist">
        {KEYS.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <KeysSwitch />
      <button type="button" className="app-button" onClick={() => dialog.current?.close()}>
        {WORDS.close}
      </button>
    </dialog>
  );
}
