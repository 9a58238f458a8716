/** A hold in the console, answered through the API. */

import type { HoldOut, PasskeyChallengeOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { type AnswerReply, type AnswerSent, HoldCard } from "@holdpoint/react";
import { uploadTo } from "@holdpoint/react/headless";
import { type ReactNode, useEffect, useState } from "react";
import { NOT_SIGNED, sign } from "../passkey.ts";
import { useJudge } from "../review/use-judge.ts";
import { type Api, holdOf, Refused } from "./api.ts";
import { useApi } from "./hooks.ts";

const VOTED =
  "Your vote is recorded. The hold stays open until enough people agree; you can change your vote.";

interface AnsweringProps {
  readonly hold: Hold;
  readonly onSettled?: (hold: Hold) => void;
  /** Whether somebody chose to look at it, which counts as opening. */
  readonly isLookedAt?: boolean;
}

export function Answering({ hold: given, onSettled, isLookedAt = true }: AnsweringProps): ReactNode {
  const api = useApi();
  const [own, setOwn] = useState<Hold>();
  // Once the list has it settled too, the list knows more: who claimed it, whether it was taken back.
  const hold = given.status === "open" && own !== undefined && own.version > given.version ? own : given;
  const [notice, setNotice] = useState<string>();
  const [now] = useState(() => api.now());
  const judge = useJudge(hold.responseSchema !== undefined);

  useEffect(() => {
    if (isLookedAt && given.status === "open" && given.openedAt === undefined) void markOpened(api, given.id);
  }, [api, isLookedAt, given.id, given.status, given.openedAt]);

  async function onAnswer(answer: AnswerSent): Promise<AnswerReply> {
    try {
      const given = { ...answer, shown: hold.digest };
      const isStrong = hold.decision?.strength === "passkey";
      const out = await (isStrong ? signed(api, hold.id, given) : sent(api, hold.id, given));
      if (out === undefined) return { kind: "refused", problems: [], notice: NOT_SIGNED };
      const settled = holdOf(out);
      setOwn(settled);
      if (settled.status === "open") return { kind: "refused", problems: [], notice: VOTED };
      onSettled?.(settled);
      return { kind: "settled" };
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      if (fault.status === 409 || fault.status === 410) {
        const fresh = holdOf(await api.get<HoldOut>(`/v1/holds/${hold.id}`));
        setNotice("This was settled before your answer came.");
        setOwn(fresh);
        return { kind: "settled" };
      }
      const problems = (fault.problem.fields ?? []) as never;
      return { kind: "refused", problems, notice: fault.message };
    }
  }

  return (
    <HoldCard
      key={`${hold.id}-${hold.status}`}
      hold={hold}
      now={now}
      judge={judge}
      onAnswer={onAnswer}
      onUpload={uploadTo(`/v1/files?hold_id=${hold.id}`, { "x-csrf-token": api.state.csrf })}
      fileHref={(id) => `/v1/files/${id}`}
      isOwn={own !== undefined && notice === undefined}
      notice={notice}
    />
  );
}

/** Sends the answer with a passkey's signature over it. `undefined`: nobody signed. */
async function signed(api: Api, id: string, answer: object): Promise<HoldOut | undefined> {
  const asked = await api.send<PasskeyChallengeOut>("POST", `/v1/holds/${id}/challenge`, answer);
  const passkey = await sign(asked);
  return passkey && api.send<HoldOut>("POST", `/v1/holds/${id}/answer`, { ...answer, passkey });
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

async function markOpened(api: Api, id: string): Promise<void> {
  const body = new URLSearchParams({ _csrf: api.state.csrf });
  await fetch(`/console/holds/${id}/open`, { method: "POST", body }).catch(() => undefined);
}
