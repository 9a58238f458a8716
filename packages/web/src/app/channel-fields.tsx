/** Fields that the forms of channels have in common. */

import type { ReactNode } from "react";

const WORDS = {
  name: "Name of the channel, as ladders write it",
  usual: "Ask here if a question names no other channel",
};

interface TextProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly required?: boolean;
  readonly pattern?: string;
  readonly type?: string;
  readonly inputMode?: "numeric" | "url";
  readonly placeholder?: string | undefined;
}

export function Text({ label, value, ...field }: TextProps): ReactNode {
  return (
    <label>
      {label}
      <input {...field} defaultValue={value} autoComplete="off" spellCheck={false} />
    </label>
  );
}

export function Name({ suggested }: { readonly suggested: string | undefined }): ReactNode {
  return (
    <Text name="name" label={WORDS.name} value={suggested} pattern="[a-z][a-zA-Z0-9_\-]{0,63}" required />
  );
}

/** Makes the new channel the usual one. */
export function Usual({ isChecked }: { readonly isChecked: boolean }): ReactNode {
  return (
    <label className="app-check">
      <input name="usual" type="checkbox" defaultChecked={isChecked} />
      {WORDS.usual}
    </label>
  );
}
