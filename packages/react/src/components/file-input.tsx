/** A file for an answer: sent as soon as it is chosen, named in the answer. Without script it goes with the form. */

import { FILE_BYTES_MAX, isFileRef, type Json } from "@holdpoint/protocol/rules";
import { type ReactNode, useRef, useState } from "react";
import { Text } from "./text.tsx";
import { type Upload, useUpload } from "./upload.ts";

const WORDS = {
  atMost: "At most 10 MiB.",
  sending: "Sending",
  sent: "Sent:",
  file: "This file is larger than 10 MiB.",
  fileCould: "The file could not be sent.",
};

export interface FileInputProps {
  readonly id: string;
  /** Of the input in a form that is posted as a whole. */
  readonly name: string;
  readonly value: Json | undefined;
  readonly required?: boolean;
  readonly describedBy?: string | undefined;
  readonly isWrong?: boolean;
  readonly onChange: (value: Json | undefined) => void;
}

type Sending =
  | { readonly kind: "idle" }
  | { readonly kind: "sending"; readonly name: string }
  | { readonly kind: "failed"; readonly message: string };

export function FileInput(props: FileInputProps): ReactNode {
  const { id, name, value, required = false, describedBy, isWrong = false, onChange } = props;
  const upload = useUpload();
  const [sending, setSending] = useState<Sending>({ kind: "idle" });
  const file = isFileRef(value) ? value : undefined;
  // Others of the form may change while the file is on its way.
  const tell = useRef(onChange);
  tell.current = onChange;
  // And so may the choice: what was chosen last counts, whichever arrives last.
  const latest = useRef<File>(undefined);

  async function choose(chosen: File | undefined): Promise<void> {
    tell.current(undefined);
    latest.current = chosen;
    setSending({ kind: "idle" });
    if (chosen === undefined || upload === null) return;
    setSending({ kind: "sending", name: chosen.name });
    const sent = await send(chosen, upload);
    if (latest.current !== chosen) return;
    if (typeof sent === "string") setSending({ kind: "failed", message: sent });
    else {
      setSending({ kind: "idle" });
      tell.current(sent);
    }
  }

  return (
    <div className="hp-file">
      {file === undefined ? null : <input type="hidden" name={name} value={JSON.stringify(file)} />}
      <input
        id={id}
        name={name}
        type="file"
        required={required && file === undefined}
        aria-invalid={isWrong || undefined}
        aria-describedby={[describedBy, `${id}-file`].filter((each) => each !== undefined).join(" ")}
        onChange={({ currentTarget: { files } }) => void choose(files?.[0])}
      />
      <p className="hp-hint" id={`${id}-file`} role="status">
        {sending.kind === "sending" ? (
          <>
            {WORDS.sending} <Text>{sending.name}</Text> …
          </>
        ) : sending.kind === "failed" ? (
          <span className="hp-problem">{sending.message}</span>
        ) : file === undefined ? (
          WORDS.atMost
        ) : (
          <>
            {WORDS.sent} <Text>{file.name}</Text>
          </>
        )}
      </p>
    </div>
  );
}

async function send(file: File, upload: Upload): Promise<Json | string> {
  if (file.size > FILE_BYTES_MAX) return WORDS.file;
  try {
    const { file_id, name, sha256 } = await upload(file);
    return { file_id, name, sha256 };
  } catch (fault) {
    return fault instanceof Error ? fault.message : WORDS.fileCould;
  }
}
