/** Reasons for a "no", ready to be chosen: the usual ones, and those that a person keeps in this browser. */

import type { Hold } from "@holdpoint/protocol/client";
import { type FormEvent, type ReactNode, useState, useSyncExternalStore } from "react";
import { keep, kept, onKept } from "../prefs.ts";
import { WORDS } from "./words.ts";

const NAME = "holdpoint.reasons";
const OWN_MAX = 10;

function ownReasons(text: string | null): readonly string[] {
  try {
    const found: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(found) ? found.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

/** Opens the card's own field for a reason and writes there, so that what is sent is what is read. */
function write(reason: string, tries = 10): void {
  const field = document.querySelector<HTMLTextAreaElement>('.hp-review textarea[name="feedback"]');
  if (field === null) {
    if (tries === 10) document.querySelector<HTMLButtonElement>('.hp-review button[value="reject"]')?.click();
    if (tries > 0) requestAnimationFrame(() => write(reason, tries - 1));
    return;
  }
  // React hears of a value only if it comes in by the element's own setter.
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(field, reason);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

export function Reasons({ hold }: { readonly hold: Hold }): ReactNode {
  const own = ownReasons(useSyncExternalStore(onKept, () => kept(NAME)));
  const [text, setText] = useState("");
  if (hold.type !== "approval" || !hold.actions.some(({ id }) => id === "reject")) return null;
  function onKeep(event: FormEvent): void {
    event.preventDefault();
    const reason = text.trim();
    if (reason === "") return;
    keep(NAME, JSON.stringify([...own.filter((each) => each !== reason), reason].slice(-OWN_MAX)));
    setText("");
  }
  return (
    <details className="app-reasons">
      <summary>{WORDS.reasons} …</summary>
      <div className="app-tools">
        {[...WORDS.presets, ...own].map((reason) => (
          <button key={reason} type="button" className="app-button" onClick={() => write(reason)}>
            {reason}
          </button>
        ))}
      </div>
      <form className="app-inline" onSubmit={onKeep}>
        <input
          aria-label={WORDS.ownReason}
          placeholder={WORDS.ownReason}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" className="app-button">
          {WORDS.keepReason}
        </button>
      </form>
    </details>
  );
}
