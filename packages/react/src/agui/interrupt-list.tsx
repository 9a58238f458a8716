/** Everything a thread waits for, with one submit for all of it, and what was answered before. */

import { createCardRegistry, type Interrupt, type PastInterrupt, timeLeftMs } from "@holdpoint/protocol/agui";
import { isObject, member } from "@holdpoint/protocol/rules";
import { type ComponentType, type ReactNode, useId, useMemo } from "react";
import { Moment } from "../components/deadline.tsx";
import { useNow } from "../components/hooks.ts";
import { ChangeList } from "../components/late-parts.ts";
import { Text } from "../components/text.tsx";
import { UploadProvider } from "../components/upload.ts";
import { ValueView } from "../components/value-view.tsx";
import { durationWords } from "../headless/countdown.ts";
import { diffJson, type JsonChange } from "../headless/diff.ts";
import { uploadTo } from "../headless/upload-to.ts";
import { type CardProps, titleOf } from "./card-parts.tsx";
import { STANDARD_CARDS } from "./cards.tsx";
import type { Interrupts } from "./use-interrupts.ts";

const WORDS = {
  waitingYou: "Waiting for you",
  yourAnswers: "Your answers",
  sending: "Sending …",
  sendAgain: "Send again",
  send: "Send",
  stillAnswer: (left: string | number, length: string | number) => `${left} of ${length} still to answer`,
  lookAgain: "Look again",
  timeUpCan: "Time is up: it can only be abandoned.",
  left: (time: string | number) => `${time} left`,
  leftAnswerAfter: "Left: answer after all",
  leaveWithoutAnswering: "Leave without answering",
  answeredBefore: "Answered before",
  answered: "answered",
  abandoned: "abandoned",
  by: " by ",
  nothingDoneTwice: (what: string | number) => `· ${what}, nothing done twice`,
  sentAgainOnce: "sent again once",
  sentAgainTimes: (replays: string | number) => `sent again ${replays} times`,
};

export interface InterruptListProps {
  readonly interrupts: Interrupts;
  /** An app's own cards by reason; the standard ones for all others. */
  readonly cards?: Readonly<Record<string, ComponentType<CardProps>>>;
}

/** A card for each open interrupt, and one button that sends all answers. */
export function InterruptList({ interrupts, cards }: InterruptListProps): ReactNode {
  const { desk, options } = interrupts;
  const { pending, phase, error } = desk;
  const cardFor = useMemo(() => createCardRegistry<ComponentType<CardProps>>(STANDARD_CARDS, cards), [cards]);
  const now = useNow(
    (options.now ?? Date.now)(),
    pending.some(({ expiresAt }) => expiresAt !== undefined) ? 1_000 : null,
  );
  const left = pending.filter(({ id }) => desk.drafts[id] === undefined).length;
  return (
    <section className="hp-desk" aria-label={WORDS.waitingYou}>
      {pending.length === 0 ? null : (
        <form
          noValidate
          aria-busy={phase === "submitting"}
          onSubmit={(event) => {
            event.preventDefault();
            void interrupts.submit();
          }}
        >
          <h2>
            {WORDS.waitingYou} <b className="hp-count">{pending.length}</b>
          </h2>
          <fieldset className="hp-bare" disabled={phase === "submitting"}>
            <legend className="hp-unseen">{WORDS.yourAnswers}</legend>
            {pending.map((interrupt) => (
              <Card key={interrupt.id} {...{ interrupt, interrupts, now }} View={cardFor(interrupt)} />
            ))}
          </fieldset>
          <button type="submit" className="hp-button" disabled={!interrupts.canSubmit()}>
            {phase === "submitting"
              ? WORDS.sending
              : phase === "failed" && desk.sent !== undefined
                ? WORDS.sendAgain
                : WORDS.send}
          </button>
          {left === 0 || pending.length === 1 ? null : (
            <p className="hp-hint">{WORDS.stillAnswer(left, pending.length)}</p>
          )}
        </form>
      )}
      {error === undefined ? null : (
        <p className="hp-problem" role="alert">
          <Text>{error.message}</Text>{" "}
          <button type="button" className="hp-quiet" onClick={() => void interrupts.restore()}>
            {WORDS.lookAgain}
          </button>
        </p>
      )}
    </section>
  );
}

interface OneProps {
  readonly interrupt: Interrupt;
  readonly interrupts: Interrupts;
  readonly now: number;
  readonly View: ComponentType<CardProps>;
}

function Card({ interrupt, interrupts, now, View }: OneProps): ReactNode {
  const title = useId();
  const { id, toolCallId } = interrupt;
  const { desk, draft: give } = interrupts;
  const left = timeLeftMs(interrupt, now);
  const isOver = left === 0;
  const draft = desk.drafts[id];
  const isAbandoned = draft?.status === "cancelled";
  return (
    <article className="hp-interrupt" aria-labelledby={title}>
      <h3 id={title}>
        <Text>{titleOf(interrupt)}</Text>
      </h3>
      {left === null ? null : (
        <p className="hp-hint" role="timer">
          {isOver ? WORDS.timeUpCan : WORDS.left(durationWords(left))}
        </p>
      )}
      {isOver || isAbandoned ? null : (
        <UploadProvider value={uploadFor(interrupts, id) ?? null}>
          <View
            {...{ interrupt, draft }}
            args={interrupts.argsOf(toolCallId)}
            problems={desk.problems[id] ?? []}
            onDraft={(answer) => give(id, answer)}
          />
        </UploadProvider>
      )}
      <button
        type="button"
        className="hp-quiet"
        aria-pressed={isAbandoned}
        onClick={() => give(id, isAbandoned ? null : { status: "cancelled" })}
      >
        {isAbandoned ? WORDS.leftAnswerAfter : WORDS.leaveWithoutAnswering}
      </button>
    </article>
  );
}

function uploadFor({ options: { url, headers = {} }, desk }: Interrupts, interruptId: string) {
  const query = new URLSearchParams({ threadId: desk.threadId, interruptId });
  return uploadTo(url === undefined ? undefined : `${url}/files?${query}`, headers);
}

/** Interrupts that were answered before. */
export function InterruptHistory({ past }: { readonly past: readonly PastInterrupt[] }): ReactNode {
  if (past.length === 0) return null;
  return (
    <section className="hp-past" aria-label={WORDS.answeredBefore}>
      <h2>{WORDS.answeredBefore}</h2>
      <ol>
        {past.map((one) => (
          <li key={one.interrupt.id}>
            <strong>
              <Text>{titleOf(one.interrupt)}</Text>
            </strong>{" "}
            <span>{one.status === "resolved" ? WORDS.answered : WORDS.abandoned}</span>
            {one.by === undefined ? null : (
              <>
                {WORDS.by}
                <Text>{one.by}</Text>
              </>
            )}
            {one.at === undefined ? null : (
              <>
                {" · "}
                <Moment at={one.at} />
              </>
            )}
            {one.replays === undefined ? null : (
              <span className="hp-hint"> {WORDS.nothingDoneTwice(replayWords(one.replays))}</span>
            )}
            <ChangeList changes={changesIn(one)} />
            {one.payload === undefined ? null : <ValueView name="payload" value={one.payload} />}
            {one.result === undefined ? null : <ValueView name="result" value={one.result} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function replayWords(replays: number): string {
  return replays === 1 ? WORDS.sentAgainOnce : WORDS.sentAgainTimes(replays);
}

/** What the person changed of the arguments that were proposed (AG-099). */
function changesIn({ interrupt, payload }: PastInterrupt): readonly JsonChange[] {
  const shown = interrupt.metadata?.["payload"];
  const proposed = isObject(shown) ? member(shown, "args") : undefined;
  const edited = isObject(payload) ? member(payload, "editedArgs") : undefined;
  return isObject(proposed) && isObject(edited) ? diffJson(proposed, edited) : [];
}
