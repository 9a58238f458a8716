/** Adds a passkey's signature to the form of the review page. Loaded only where a hold asks for one. */

import type { PasskeyChallengeOut, PasskeyView, ReviewView } from "@holdpoint/protocol";
import type { AnswerReply } from "@holdpoint/react";
import { NOT_SIGNED, sign, whyNoPasskey } from "../passkey.ts";

function refused(notice: string, problems: ReviewView["problems"] = []): AnswerReply {
  return { kind: "refused", problems, notice };
}

/** Returns what to say if there is no signature. */
export async function signForm(
  { origin, challengePath }: PasskeyView,
  form: FormData | URLSearchParams,
): Promise<AnswerReply | undefined> {
  const why = whyNoPasskey(origin);
  if (why !== undefined || challengePath === undefined) return refused(why ?? NOT_SIGNED);
  const headers = { accept: "application/json" };
  const reply = await fetch(challengePath, { method: "POST", headers, body: form });
  if (!reply.headers.get("content-type")?.includes("json"))
    return { kind: "failed", message: "This link does not work any more, or there were too many tries." };
  const asked = (await reply.json()) as PasskeyChallengeOut | ReviewView;
  if ("hold" in asked) return refused(asked.notice ?? "", asked.problems);
  const signed = await sign(asked);
  if (signed === undefined) return refused(NOT_SIGNED);
  form.set("_passkey", JSON.stringify(signed));
  return undefined;
}
