/** The review page. The server draws it; in the browser it goes on living: it ticks, saves, and hears of other answers. */

import type { ReviewView } from "@holdpoint/protocol";
import { holdFromWire } from "@holdpoint/protocol/client";
import type { Judge } from "@holdpoint/protocol/rules";
import { type AnswerReply, type AnswerSent, HoldCard, loadParts, useHydrated } from "@holdpoint/react";
import { answerPost, askOf, type SaveState, uploadTo } from "@holdpoint/react/headless";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { Mark } from "../mark.tsx";
import { ThemeToggle } from "../theme-toggle.tsx";
import { useDraft } from "./use-draft.ts";
import { useJudge } from "./use-judge.ts";
import { useKept } from "./use-kept.ts";
import { useLive } from "./use-live.ts";
import { usePrefill } from "./use-prefill.ts";

const WORDS = {
  noConnection: "No connection. The page goes on by itself when it is back; what you entered stays.",
  dismiss: "Dismiss without deciding",
  there: "There were too many tries; wait a moment.",
  link: "This link does not work any more.",
  server: (status: string | number) => `The server said ${status}.`,
};

/** The hold as it stands, and the way an answer takes. */
function useReview(first: ReviewView) {
  const [view, setView] = useState(first);
  const hold = useMemo(() => holdFromWire(view.hold), [view.hold]);
  const isOpen = hold.status === "open";
  // While an answer is under way its own reply tells how it went; what is heard meanwhile waits.
  const isSending = useRef(false);
  const heard = useRef<ReviewView>(undefined);
  const connection = useLive(isOpen ? view.statePath : undefined, (fresh) => {
    if (fresh.hold.status === "open") {
      // Somebody else has voted. What was entered here stays.
      if (fresh.hold.version !== view.hold.version) setView((now) => ({ ...now, hold: fresh.hold }));
      return;
    }
    heard.current = fresh;
    if (!isSending.current) void show(fresh);
  });

  /** React shows a part that it has to wait for 300 ms late, so the ending is loaded first; if it cannot be, drawing tries again. */
  async function show(next: ReviewView): Promise<void> {
    await loadParts(["ending"]).catch(() => {});
    setView(next);
  }

  async function onAnswer(answer: AnswerSent): Promise<AnswerReply> {
    isSending.current = true;
    try {
      const reply = await send(answer);
      // Once settled by this answer, nothing that is heard says more.
      isSending.current = reply.kind === "settled";
      return reply;
    } catch (fault) {
      isSending.current = false;
      // Lost on the way, there or back: what was heard is how it stands.
      if (heard.current === undefined) throw fault;
      await show(heard.current);
      return { kind: "settled" };
    }
  }

  async function send(answer: AnswerSent): Promise<AnswerReply> {
    const body = answerPost(askOf(hold), answer, hold.digest);
    if (answer.grant !== undefined) body.set("_grant", JSON.stringify(answer.grant));
    const unsigned = view.passkey && (await (await import("./sign-form.ts")).signForm(view.passkey, body));
    if (unsigned !== undefined) return unsigned;
    const reply = await fetch(view.answerPath, {
      method: "POST",
      headers: { accept: "application/json" },
      body,
    });
    if (!reply.headers.get("content-type")?.includes("json")) {
      return { kind: "failed", message: failureWords(reply.status) };
    }
    const fresh = (await reply.json()) as ReviewView;
    if (fresh.hold.status === "open") {
      const { problems, notice } = fresh;
      setView((now) => ({ ...now, hold: fresh.hold }));
      return { kind: "refused", problems, ...(notice === undefined ? {} : { notice }) };
    }
    await show(fresh);
    scrollTo({ top: 0 });
    return { kind: "settled" };
  }

  return { view, show, hold, isOpen, connection, onAnswer };
}

export function ReviewPage({ view: first }: { readonly view: ReviewView }): ReactNode {
  const { view, show, hold, isOpen, connection, onAnswer } = useReview(first);
  const judge = useJudge(hold.responseSchema !== undefined);
  const [saved, keep] = useDraft(isOpen ? view.draftPath : undefined);
  const [kept, keepHere] = useKept(hold.id, isOpen && view.draftPath === undefined);
  const found = usePrefill(isOpen ? view.prefillPaths : undefined);
  return (
    <div className="web-page">
      <header className="web-bar">
        <Mark />
        <ThemeToggle />
      </header>
      <main>
        {connection === "lost" && isOpen ? (
          <p className="web-offline" role="status">
            {WORDS.noConnection}
          </p>
        ) : null}
        <HoldCard
          key={kept === undefined ? hold.status : `${hold.status}-kept`}
          hold={hold}
          now={view.now}
          judge={judge as Judge}
          onAnswer={onAnswer}
          onDraft={view.draftPath === undefined ? keepHere : keep}
          onUpload={uploadTo(view.uploadPath)}
          fileHref={(id) => `/v1/files/${id}${view.fileQuery ?? ""}`}
          found={found}
          start={{
            values: { ...view.values, ...kept?.values },
            problems: view.problems,
            ...stepOf(kept ?? view),
          }}
          post={{ path: view.answerPath, hidden: {} }}
          isOwn={view.justAnswered}
          notice={view.notice}
          earlier={view.earlier}
        >
          {isOpen ? <Below view={view} saved={saved} onView={show} /> : null}
        </HoldCard>
      </main>
    </div>
  );
}

function stepOf({ step }: Pick<ReviewView, "step">) {
  return step === undefined ? {} : { step };
}

const SAVED: Readonly<Record<SaveState, string>> = {
  clean: "What you enter is saved as you go.",
  waiting: "Saving …",
  saving: "Saving …",
  saved: "Saved. You can close this page and come back by the same link.",
  failed: "Not saved yet; trying again.",
};

interface BelowProps {
  readonly view: ReviewView;
  readonly saved: SaveState;
  readonly onView: (view: ReviewView) => void;
}

function Below({ view, saved, onView }: BelowProps): ReactNode {
  const isHydrated = useHydrated();
  return (
    <footer className="web-below">
      {view.draftPath !== undefined && isHydrated ? <p role="status">{SAVED[saved]}</p> : null}
      <form
        method="post"
        action={view.dismissPath}
        onSubmit={(event) => {
          event.preventDefault();
          void dismiss(view.dismissPath, onView);
        }}
      >
        <button type="submit" className="hp-quiet">
          {WORDS.dismiss}
        </button>
      </form>
    </footer>
  );
}

async function dismiss(path: string, onView: (view: ReviewView) => void): Promise<void> {
  const reply = await fetch(path, { method: "POST", headers: { accept: "application/json" } }).catch(
    () => undefined,
  );
  if (reply?.headers.get("content-type")?.includes("json")) onView((await reply.json()) as ReviewView);
}

function failureWords(status: number): string {
  if (status === 429) return WORDS.there;
  return status === 401 || status === 404 ? WORDS.link : WORDS.server(status);
}
