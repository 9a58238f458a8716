/**
 * Answers on their way. An answer counts a few seconds after it was given, so that it can be taken back; until then it
 * has not left this browser.
 */

import type { HoldOut, PasskeyChallengeOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { type AnswerReply, type AnswerSent, Text } from "@holdpoint/react";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { NOT_SIGNED, sign } from "../passkey.ts";
import { type Api, holdOf, Refused } from "./api.ts";
import { useApi } from "./hooks.ts";
import { useSecond } from "./live.ts";
import { undoMs } from "./prefs.ts";
import { remember } from "./queries.ts";
import { addUnsent, dropUnsent, unsentOf } from "./unsent.ts";

const WORDS = {
  label: "Answers on their way",
  counts: (seconds: number) => `counts in ${seconds} s`,
  sending: "sending …",
  undo: "Undo",
  now: "Send now",
  undone: "Taken back. Nothing was sent.",
  offline:
    "There is no connection. Your answer is kept in this browser and is not sent by itself; you will be asked again.",
  late: "This was settled before your answer came.",
  voted: "Your vote is recorded. The hold stays open until enough people agree; you can change your vote.",
};

export interface Pending {
  readonly hold: Hold;
  readonly answer: AnswerSent;
  readonly label: string;
  readonly countsAt: number;
  readonly isSending: boolean;
}

interface Answers {
  readonly pending: readonly Pending[];
  /** The hold that was answered last by this page. */
  readonly last: Hold | undefined;
  give(hold: Hold, answer: AnswerSent): Promise<AnswerReply>;
  undo(holdId: string): void;
  sendNow(holdId: string): void;
}

const AnswersContext = createContext<Answers | null>(null);

export function useAnswers(): Answers {
  const answers = useContext(AnswersContext);
  if (answers === null) throw new Error("no answers around this component");
  return answers;
}

/** Only the server knows whether the case of another protocol asks for evidence. */
async function sent(api: Api, id: string, answer: object): Promise<HoldOut | undefined> {
  try {
    return await api.send<HoldOut>("POST", `/v1/holds/${id}/answer`, answer);
  } catch (fault) {
    if (fault instanceof Refused && fault.problem.code === "verification_required")
      return signed(api, id, answer);
    throw fault;
  }
}

/** Sends the answer with a passkey's signature over it. `undefined`: nobody signed. */
export async function signed(api: Api, id: string, answer: object): Promise<HoldOut | undefined> {
  const asked = await api.send<PasskeyChallengeOut>("POST", `/v1/holds/${id}/challenge`, answer);
  const passkey = await sign(asked);
  return passkey && api.send<HoldOut>("POST", `/v1/holds/${id}/answer`, { ...answer, passkey });
}

interface Waiting {
  readonly timer: ReturnType<typeof setTimeout>;
  readonly send: () => void;
  readonly undo: () => void;
}

function useGiving(): Answers {
  const api = useApi();
  const queries = useQueryClient();
  const [pending, setPending] = useState<readonly Pending[]>([]);
  const [last, setLast] = useState<Hold>();
  const waiting = useRef(new Map<string, Waiting>());

  const drop = (id: string) => {
    waiting.current.delete(id);
    setPending((before) => before.filter(({ hold }) => hold.id !== id));
  };

  async function send(hold: Hold, answer: AnswerSent): Promise<AnswerReply> {
    setPending((before) =>
      before.map((each) => (each.hold.id === hold.id ? { ...each, isSending: true } : each)),
    );
    try {
      const body = { ...answer, shown: hold.digest };
      const out = await sent(api, hold.id, body);
      if (out === undefined) return { kind: "refused", problems: [], notice: NOT_SIGNED };
      const settled = holdOf(out);
      dropUnsent(hold.id);
      remember(queries, settled);
      if (settled.status === "open") return { kind: "refused", problems: [], notice: WORDS.voted };
      setLast(settled);
      return { kind: "settled" };
    } catch (fault) {
      if (!(fault instanceof Refused)) return { kind: "failed", message: WORDS.offline };
      dropUnsent(hold.id);
      if (fault.status === 409 || fault.status === 410) {
        remember(queries, holdOf(await api.get<HoldOut>(`/v1/holds/${hold.id}`)));
        return { kind: "refused", problems: [], notice: WORDS.late };
      }
      return { kind: "refused", problems: (fault.problem.fields ?? []) as never, notice: fault.message };
    } finally {
      drop(hold.id);
    }
  }

  function give(hold: Hold, answer: AnswerSent): Promise<AnswerReply> {
    const delay = undoMs();
    addUnsent(unsentOf(hold, answer, api.now()));
    return new Promise((resolve) => {
      const act = () => {
        clearTimeout(timer);
        waiting.current.set(hold.id, { timer, send: () => undefined, undo: () => undefined });
        void send(hold, answer).then(resolve);
      };
      const undo = () => {
        clearTimeout(timer);
        dropUnsent(hold.id);
        drop(hold.id);
        resolve({ kind: "refused", problems: [], notice: WORDS.undone });
      };
      const timer = setTimeout(act, delay);
      waiting.current.set(hold.id, { timer, send: act, undo });
      const label = hold.actions.find(({ id }) => id === answer.action)?.label ?? answer.action;
      const entry = { hold, answer, label, countsAt: Date.now() + delay, isSending: delay === 0 };
      setPending((before) => [...before.filter((each) => each.hold.id !== hold.id), entry]);
    });
  }

  return {
    pending,
    last,
    give,
    undo: (id) => waiting.current.get(id)?.undo(),
    sendNow: (id) => waiting.current.get(id)?.send(),
  };
}

export function AnswersProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const giving = useGiving();
  const hasPending = giving.pending.length > 0;
  // A person who closes the page now loses the answer, unless they stay; it is shown again the next time.
  useEffect(() => {
    if (!hasPending) return undefined;
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", onLeave);
    return () => removeEventListener("beforeunload", onLeave);
  }, [hasPending]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions do the same whenever they were made.
  const value = useMemo(() => giving, [giving.pending, giving.last]);
  return <AnswersContext value={value}>{children}</AnswersContext>;
}

/** At the foot of every page, as long as something can be taken back. */
export function OnTheirWay(): ReactNode {
  const { pending, undo, sendNow } = useAnswers();
  return (
    <section className="app-pending" aria-label={WORDS.label} aria-live="polite">
      {pending.map((each) => (
        <div key={each.hold.id} className="app-toast">
          <p>
            <strong>{each.label}</strong> <Text>{each.hold.prompt}</Text>
            <Countdown pending={each} />
          </p>
          <button
            type="button"
            className="app-button"
            onClick={() => undo(each.hold.id)}
            disabled={each.isSending}
          >
            {WORDS.undo}
          </button>
          <button
            type="button"
            className="hp-quiet"
            onClick={() => sendNow(each.hold.id)}
            disabled={each.isSending}
          >
            {WORDS.now}
          </button>
        </div>
      ))}
    </section>
  );
}

function Countdown({ pending }: { readonly pending: Pending }): ReactNode {
  useSecond();
  const left = Math.max(0, Math.ceil((pending.countsAt - Date.now()) / 1_000));
  return (
    // Read once, when the answer was given: a number that changes each second would be read each second.
    <small aria-hidden="true">{pending.isSending || left === 0 ? WORDS.sending : WORDS.counts(left)}</small>
  );
}
