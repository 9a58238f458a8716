/** One hold, kept current. */

import { type Hold, isRefusal, isTerminalError } from "@holdpoint/protocol/client";
import { type Answer, noteProblems, type Problem } from "@holdpoint/protocol/rules";
import { useCallback, useEffect, useMemo } from "react";
import { useStateOf } from "../components/hooks.ts";
import type { Upload } from "../components/upload.ts";
import type { AnswerReply } from "../components/use-answer.ts";
import type { PageClient } from "./browser-client.ts";
import { useHoldpoint } from "./provider.tsx";
import { watch, wordsOf } from "./watch.ts";

export interface LiveHold {
  /** `undefined` until it was read. */
  readonly hold: Hold | undefined;
  /** Why it cannot be read or followed. */
  readonly trouble: string | undefined;
  /** This page's answer was the one that counted. */
  readonly isOwn: boolean;
  readonly notice: string | undefined;
  /** Answers what is shown; the component that asked for it shows what is wrong. */
  readonly answer: (answer: Answer) => Promise<AnswerReply>;
  /** Takes back a vote of the person on a hold that several people decide. */
  readonly withdrawVote: () => Promise<void>;
  readonly upload: Upload | undefined;
}

interface Seen {
  readonly hold?: Hold | undefined;
  readonly trouble?: string | undefined;
  readonly isOwn?: boolean;
  readonly notice?: string | undefined;
}

const VOTED =
  "Your vote is recorded. The question stays open until enough people agree; you can change your vote.";
const TOO_LATE = "This was settled before your answer came.";

/**
 * Reads a hold, follows its changes, and answers it.
 *
 * @example
 * ```tsx
 * function Question({ id }: { id: string }) {
 *   const { hold, trouble, answer } = useHold(id);
 *   if (hold === undefined) return <p>{trouble ?? "Loading …"}</p>;
 *   return <button onClick={() => void answer({ action: "approve", data: {} })}>{hold.prompt}</button>;
 * }
 * ```
 */
export function useHold(id: string): LiveHold {
  const client = useHoldpoint();
  // What was seen of another hold, or by another person, says nothing about this one.
  const owner = useMemo(() => ({ client, id }), [client, id]);
  const [seen, change] = useStateOf<Seen>(owner, {});
  const take = useCallback(
    (hold: Hold, more: Partial<Seen> = {}) =>
      change((before) => {
        const isOld = before.hold !== undefined && before.hold.version > hold.version;
        return { ...before, trouble: undefined, ...more, hold: isOld ? before.hold : hold };
      }),
    [change],
  );

  useEffect(() => {
    const read = async (signal: AbortSignal) => take(await client.get(id, { signal }));
    return watch(client, {
      holdIds: [id],
      onOpen: read,
      onEvent: (_event, signal) => read(signal),
      onTrouble: (error) =>
        change((before) => ({ ...(isGone(error) ? {} : before), trouble: wordsOf(error) })),
    });
  }, [client, id, take, change]);

  async function answer(given: Answer): Promise<AnswerReply> {
    const problems = seen.hold === undefined ? [] : noteProblems(seen.hold, given.action, given.data);
    if (problems.length > 0) return { kind: "refused", problems };
    try {
      const shown = seen.hold?.digest;
      const answered = await client.answer(id, { ...given, ...(shown === undefined ? {} : { shown }) });
      take(answered, { isOwn: answered.status !== "open" });
      return answered.status === "open"
        ? { kind: "refused", problems: [], notice: VOTED }
        : { kind: "settled" };
    } catch (error) {
      if (isRefusal(error, "already_settled") || isRefusal(error, "hold_expired")) {
        take(await client.get(id), { notice: TOO_LATE });
        return { kind: "settled" };
      }
      if (!isTerminalError(error)) return { kind: "failed", message: wordsOf(error) };
      return { kind: "refused", problems: error.fields as readonly Problem[], notice: error.message };
    }
  }

  async function withdrawVote(): Promise<void> {
    take(await client.withdrawVote(id));
  }

  const { hold, trouble, isOwn = false, notice } = seen;
  return { hold, trouble, isOwn, notice, answer, withdrawVote, upload: uploadWith(client, id) };
}

/** It is no longer there, or no longer this person's to see. */
function isGone(error: unknown): boolean {
  return isRefusal(error, "not_found");
}

function uploadWith(client: PageClient, id: string): Upload | undefined {
  if (client.uploadFile === undefined) return undefined;
  return async (content) => {
    const sent = await client.uploadFile?.(id, { name: content.name, content });
    if (sent === undefined) throw new Error("This page cannot send files.");
    const { file_id, name, sha256 } = sent;
    return { file_id, name, sha256 };
  };
}
