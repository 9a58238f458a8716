/** aioc's approvals: a proposal is asked about in one way only, so there is an answer to carry and no ask. */

import { ticketOf } from "@holdpoint/gate/host";
import type { Hold } from "@holdpoint/protocol/client";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { FaceTranslation } from "./face.ts";
import { seen } from "./native.ts";

export const gate: FaceTranslation = {
  title: "aioc",
  votes: "no words; the request stays `pending` until the decision is met.",
  by: "the ticket of a suspended proposal",
  askLosses: [],
  types: ["approval"],
  answer(answer, ask) {
    const by = { kind: "key", id: "k" } as const;
    const outcome = { kind: "decided", ...answer, by, door: "rest", at: "" } as Hold["outcome"];
    const { state, approval } = ticketOf({ ...seen(ask), status: "decided", outcome } as Hold);
    if (state !== "approved") return { action: "reject", data: {} };
    const edited = approval?.editedArguments as JsonObject | undefined;
    return { action: "approve", data: edited === undefined ? {} : { edited_args: edited } };
  },
  answerLosses: [
    {
      what: "that changes were asked for (`edit`)",
      instead: "`rejected`",
      without: (answer) => (answer?.action === "edit" ? { ...answer, action: "reject" } : answer),
    },
    {
      what: "feedback and notes",
      instead: "nothing; they are on the hold",
      without(answer) {
        const edited = answer?.data["edited_args"];
        return answer === null
          ? null
          : { ...answer, data: edited === undefined ? {} : { edited_args: edited } };
      },
    },
  ],
};
