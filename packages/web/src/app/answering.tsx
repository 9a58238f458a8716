/** A hold in the console, answered through the API. */

import type { Hold } from "@holdpoint/protocol/client";
import { type AnswerReply, type AnswerSent, HoldCard } from "@holdpoint/react";
import { uploadTo } from "@holdpoint/react/headless";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { NOT_SIGNED } from "../passkey.ts";
import { useJudge } from "../review/use-judge.ts";
import { Held, signed, useAnswers } from "./answers.tsx";
import { type Api, holdOf, Refused } from "./api.ts";
import { useApi } from "./hooks.ts";
import { withNames } from "./person-names.ts";
import { remember, useNames } from "./queries.ts";

const WORDS = {
  voted: "Your vote is recorded. The hold stays open until enough people agree; you can change your vote.",
  late: "This was settled before your answer came.",
};

interface AnsweringProps {
  readonly hold: Hold;
  /** Told when the person has given an answer, which may still be taken back. */
  readonly onGiven?: (hold: Hold) => void;
  /** Whether somebody chose to look at it, which counts as opening. */
  readonly isLookedAt?: boolean;
}

export function Answering({ hold, onGiven, isLookedAt = true }: AnsweringProps): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const answers = useAnswers();
  const [isOwn, setOwn] = useState(false);
  const [notice, setNotice] = useState<string>();
  const [now] = useState(() => api.now());
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a hold that ends is drawn again, without the answer on its way.
  useEffect(() => () => answers.leave(hold.id), [hold.id, hold.status]);
  const nameOf = useNames();
  const judge = useJudge(hold.responseSchema !== undefined);

  useEffect(() => {
    if (isLookedAt && hold.status === "open" && hold.openedAt === undefined) void markOpened(api, hold.id);
  }, [api, isLookedAt, hold.id, hold.status, hold.openedAt]);

  async function onAnswer(answer: AnswerSent): Promise<AnswerReply> {
    if (hold.decision?.strength === "passkey") return bySignature(answer);
    onGiven?.(hold);
    const reply = await answers.give(hold, answer, () => isMounted.current);
    if (reply.kind === "settled") setOwn(true);
    if (reply.kind === "refused" && reply.notice === WORDS.late) setNotice(WORDS.late);
    return reply;
  }

  /** Signing is a second look already, so it is not held back. */
  async function bySignature(answer: AnswerSent): Promise<AnswerReply> {
    try {
      const out = await signed(api, hold.id, { ...answer, shown: hold.digest });
      if (out === undefined) return { kind: "refused", problems: [], notice: NOT_SIGNED };
      const settled = holdOf(out);
      remember(queries, settled);
      if (settled.status === "open") return { kind: "refused", problems: [], notice: WORDS.voted };
      setOwn(true);
      return { kind: "settled" };
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      return { kind: "refused", problems: (fault.problem.fields ?? []) as never, notice: fault.message };
    }
  }

  const held = answers.pending.find((one) => one.hold.id === hold.id && !one.isSending);
  return (
    <HoldCard
      key={`${hold.id}-${hold.status}`}
      hold={withNames(hold, nameOf)}
      now={now}
      judge={judge}
      onAnswer={onAnswer}
      onUpload={uploadTo(`/v1/files?hold_id=${hold.id}`, { "x-csrf-token": api.csrf() })}
      fileHref={(id) => `/v1/files/${id}`}
      held={held === undefined ? undefined : <Held pending={held} />}
      isOwn={isOwn && notice === undefined}
      notice={notice}
    />
  );
}

async function markOpened(api: Api, id: string): Promise<void> {
  const body = new URLSearchParams({ _csrf: api.csrf() });
  await fetch(`/console/holds/${id}/open`, { method: "POST", body }).catch(() => undefined);
}
