/** What people and the agent wrote about a hold. */

import type { Hold } from "@holdpoint/protocol/client";
import { Moment, Text } from "@holdpoint/react";
import { type FormEvent, type ReactNode, useState } from "react";
import { actorName } from "../person-names.ts";
import { useNames } from "../queries.ts";
import type { Act } from "./desk.tsx";
import { WORDS } from "./words.ts";

interface CommentsProps {
  readonly hold: Hold;
  /** Absent: nobody may write any more. */
  readonly act: Act | undefined;
}

export function Comments({ hold, act }: CommentsProps): ReactNode {
  const { comments = [] } = hold;
  const nameOf = useNames();
  return (
    <section className="app-comments" aria-label={WORDS.comments}>
      <h2>{WORDS.comments}</h2>
      {comments.length === 0 ? <p className="hp-hint">{WORDS.noComments}</p> : null}
      <ol>
        {comments.map((comment) => (
          <li key={comment.id} className={comment.asksBack === true ? "app-asked-back" : undefined}>
            <p>
              <strong>
                <Text>{actorName(comment.by, nameOf)}</Text>
              </strong>{" "}
              {comment.asksBack === true ? WORDS.asked : comment.byAsker === true ? WORDS.replied : null}{" "}
              <small>
                <Moment at={comment.at} />
              </small>
            </p>
            <p className="app-comment">
              <Text>{comment.text}</Text>
            </p>
          </li>
        ))}
      </ol>
      {act === undefined ? null : <Write act={act} />}
    </section>
  );
}

function Write({ act }: { readonly act: Act }): ReactNode {
  const [text, setText] = useState("");
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  async function onSend(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const isSent = await act("comments", { text: text.trim(), ...(isAsked ? { ask_back: true } : {}) });
    setBusy(false);
    if (!isSent) return;
    setText("");
    setAsked(false);
  }
  return (
    <form className="app-write" onSubmit={(event) => void onSend(event)}>
      <label className="app-field">
        {WORDS.write}
        <textarea
          rows={2}
          value={text}
          maxLength={5_000}
          required
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <label className="app-check">
        <input
          type="checkbox"
          checked={isAsked}
          onChange={(event) => setAsked(event.currentTarget.checked)}
        />{" "}
        {WORDS.askBack}
      </label>
      <button type="submit" className="app-button" disabled={isBusy || text.trim() === ""}>
        {WORDS.send}
      </button>
    </form>
  );
}
