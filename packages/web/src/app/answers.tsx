/**
 * Answers on their way. An answer counts a few seconds after it was given, so that it can be taken back; until then it
 * has not left this browser.
 */

import type { HoldOut, PasskeyChallengeOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { type AnswerReply, type AnswerSent, Text } from "@holdpoint/react";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { NOT_SIGNED, sign } from "../passkey.ts";
import { type Api, holdOf, Refused } from "./api.ts";
import { useApi } from "./hooks.ts";
import { useSecond } from "./live.ts";
import { Prompt, To } from "./parts.tsx";
import { undoMs } from "./prefs.ts";
import { remember } from "./queries.ts";
import { addUnsent, dropUnsent, labelOf, unsentOf } from "./unsent.ts";

const WORDS = {
  label: "Answers on their way",
  counts: (seconds: number) => `counts in ${seconds} s`,
  sending: "sending …",
  undo: "Undo",
  undoWithin: (seconds: number) => `Undo (${seconds} s)`,
  given: (label: string) => `Your answer: ${label}.`,
  notSent: "It has not been sent yet.",
  now: "Send now",
  undone: "Taken back. Nothing was sent.",
  offline:
    "There is no connection. Your answer is kept in this browser and is not sent by itself; you will be asked again.",
  kept: "Your answer is kept in this browser and is not sent by itself; you will be asked again.",
  onItsWay: "Your answer to this hold is just being sent.",
  replaced: "Your newer answer counts instead.",
  look: "Look at it",
  dismiss: "Dismiss",
  late: "This was settled before your answer came.",
  voted: "Your vote is recorded. The hold stays open until enough people agree; you can change your vote.",
};

export interface Pending {
  readonly hold: Hold;
  readonly answer: AnswerSent;
  readonly label: string;
  readonly countsAt: number;
  readonly isSending: boolean;
  /** Whether the page that it was given on is still open and shows it. */
  readonly isShownThere: boolean;
}

/** How an answer went whose page the person has left meanwhile. */
interface Told {
  readonly hold: Hold;
  readonly label: string;
  readonly words: string;
}

/** What a person has to be told about at most; the newest. */
const TOLD_MAX = 5;

interface Answers {
  readonly pending: readonly Pending[];
  /** The hold that was answered last by this page. */
  readonly last: Hold | undefined;
  readonly told: readonly Told[];
  /** `isShown`: whether what comes of it is shown where the answer was given; otherwise it is told at the foot of the page. */
  give(hold: Hold, answer: AnswerSent, isShown?: () => boolean): Promise<AnswerReply>;
  dismiss(told: Told): void;
  undo(holdId: string): void;
  sendNow(holdId: string): void;
  /** The page that an answer to this hold was given on is left: from now on the foot of the page shows it. */
  leave(holdId: string): void;
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
  readonly isSending: boolean;
  readonly send: () => void;
  readonly undo: (notice: string) => void;
}

/** The server did not look at the answer, or does not know the person at the moment: it may be sent again. */
function isUntaken({ status }: Refused): boolean {
  return status >= 500 || status === 401 || status === 408 || status === 429;
}

function refused(notice: string): AnswerReply {
  return { kind: "refused", problems: [], notice };
}

interface Sending {
  readonly hold: Hold;
  readonly answer: AnswerSent;
  readonly onSettled: (hold: Hold) => void;
}

/** Sends it, and keeps it in this browser unless the server took it or refused it. */
async function reply(
  api: Api,
  queries: QueryClient,
  { hold, answer, onSettled }: Sending,
): Promise<AnswerReply> {
  const by = api.state.name;
  try {
    const out = await sent(api, hold.id, { ...answer, shown: hold.digest });
    if (out === undefined) return refused(NOT_SIGNED);
    const settled = holdOf(out);
    dropUnsent(by, hold.id);
    remember(queries, settled);
    if (settled.status === "open") return refused(WORDS.voted);
    onSettled(settled);
    return { kind: "settled" };
  } catch (fault) {
    if (!(fault instanceof Refused)) return { kind: "failed", message: WORDS.offline };
    if (isUntaken(fault)) return { kind: "failed", message: `${fault.message} ${WORDS.kept}` };
    dropUnsent(by, hold.id);
    if (fault.status === 409 || fault.status === 410) {
      const now = await api.get<HoldOut>(`/v1/holds/${hold.id}`).catch(() => undefined);
      if (now !== undefined) remember(queries, holdOf(now));
      return refused(now?.status === "open" ? fault.message : WORDS.late);
    }
    return { kind: "refused", problems: (fault.problem.fields ?? []) as never, notice: fault.message };
  }
}

/** The same list if there is nothing to change, so that nothing is drawn again. */
export function left(pending: readonly Pending[], holdId: string): readonly Pending[] {
  if (!pending.some(({ hold, isShownThere }) => hold.id === holdId && isShownThere)) return pending;
  return pending.map((each) => (each.hold.id === holdId ? { ...each, isShownThere: false } : each));
}

/** What nothing else on the page shows. */
export function atFoot(pending: readonly Pending[]): readonly Pending[] {
  return pending.filter(({ isShownThere }) => !isShownThere);
}

function useGiving(): Answers {
  const api = useApi();
  const queries = useQueryClient();
  const [pending, setPending] = useState<readonly Pending[]>([]);
  const [last, setLast] = useState<Hold>();
  const [told, setTold] = useState<readonly Told[]>([]);
  const by = api.state.name;
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
      return await reply(api, queries, { hold, answer, onSettled: setLast });
    } finally {
      drop(hold.id);
    }
  }

  function give(hold: Hold, answer: AnswerSent, isShown?: () => boolean): Promise<AnswerReply> {
    const before = waiting.current.get(hold.id);
    if (before?.isSending === true) return Promise.resolve(refused(WORDS.onItsWay));
    // One answer to a hold at a time: otherwise the first would count while the person waits for the second.
    before?.undo(WORDS.replaced);
    const delay = undoMs();
    const label = labelOf(hold, answer.action);
    addUnsent(unsentOf(hold, answer, { by, at: api.now(), undoMs: delay }));
    return new Promise((resolve) => {
      const act = async () => {
        clearTimeout(timer);
        waiting.current.set(hold.id, { isSending: true, send: () => undefined, undo: () => undefined });
        const came = await send(hold, answer);
        // An answer that could not be sent is shown again by itself.
        const words = came.kind === "refused" && isShown?.() !== true ? came.notice : undefined;
        if (words !== undefined) setTold((all) => [...all, { hold, label, words }].slice(-TOLD_MAX));
        resolve(came);
      };
      const undo = (notice: string) => {
        clearTimeout(timer);
        dropUnsent(by, hold.id);
        drop(hold.id);
        resolve(refused(notice));
      };
      const timer = setTimeout(() => void act(), delay);
      waiting.current.set(hold.id, { isSending: false, send: () => void act(), undo });
      const entry = {
        ...{ hold, answer, label, countsAt: Date.now() + delay },
        ...{ isSending: delay === 0, isShownThere: isShown !== undefined },
      };
      setPending((all) => [...all.filter((each) => each.hold.id !== hold.id), entry]);
    });
  }

  return {
    ...{ pending, last, told, give },
    undo: (id) => waiting.current.get(id)?.undo(WORDS.undone),
    sendNow: (id) => waiting.current.get(id)?.send(),
    leave: (id) => setPending((all) => left(all, id)),
    dismiss: (gone) => setTold((all) => all.filter((each) => each !== gone)),
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
  const value = useMemo(() => giving, [giving.pending, giving.last, giving.told]);
  return <AnswersContext value={value}>{children}</AnswersContext>;
}

/** At the foot of every page, as long as something can be taken back. */
export function OnTheirWay(): ReactNode {
  const { pending, told, undo, sendNow, dismiss } = useAnswers();
  return (
    <section className="app-pending" aria-label={WORDS.label} aria-live="polite">
      {told.map((each) => (
        <div key={each.hold.id} className="app-toast">
          <p>
            <strong>
              <Text>{each.label}</Text>
            </strong>{" "}
            <Prompt of={each.hold.prompt} />
            <small>{each.words}</small>
          </p>
          <To className="app-button" href={`/console/holds/${each.hold.id}`}>
            {WORDS.look}
          </To>
          <button type="button" className="hp-quiet" onClick={() => dismiss(each)}>
            {WORDS.dismiss}
          </button>
        </div>
      ))}
      {atFoot(pending).map((each) => (
        <div key={each.hold.id} className="app-toast">
          <p>
            <strong>
              <Text>{each.label}</Text>
            </strong>{" "}
            <Prompt of={each.hold.prompt} />
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

/** Where the answer was given, as long as it can be taken back. */
export function Held({ pending }: { readonly pending: Pending }): ReactNode {
  const { undo, sendNow } = useAnswers();
  const seconds = useSecondsLeft(pending);
  return (
    <div className="hp-notice">
      <p role="status">
        <strong>
          <Text>{WORDS.given(pending.label)}</Text>
        </strong>{" "}
        {WORDS.notSent}
      </p>
      <button type="button" className="hp-button" onClick={() => undo(pending.hold.id)}>
        {WORDS.undoWithin(seconds)}
      </button>
      <button type="button" className="hp-quiet" onClick={() => sendNow(pending.hold.id)}>
        {WORDS.now}
      </button>
    </div>
  );
}

function useSecondsLeft({ countsAt }: Pending): number {
  useSecond();
  return Math.max(0, Math.ceil((countsAt - Date.now()) / 1_000));
}

function Countdown({ pending }: { readonly pending: Pending }): ReactNode {
  const left = useSecondsLeft(pending);
  return (
    // Read once, when the answer was given: a number that changes each second would be read each second.
    <small aria-hidden="true">{pending.isSending || left === 0 ? WORDS.sending : WORDS.counts(left)}</small>
  );
}
