/** The native API, through the SDK's spelling and back: it loses nothing, because everything else is measured by it. */

import type { PlaceIn } from "@holdpoint/protocol";
import { fromWire, type Place, toWire } from "@holdpoint/protocol/client";
import type { Ask } from "@holdpoint/protocol/rules";
import { presentHold } from "../../packages/server/src/faces/http/present.ts";
import { askOf } from "../../packages/server/src/faces/rest/map.ts";
import { AGENT, openHold } from "../../packages/server/src/testing/core-samples.ts";
import { type FaceTranslation, sent } from "./face.ts";

export function seen(ask: Ask) {
  const row = { workspace: "default", kind: "hold", id: "hold_1", version: 1, seq: 1, head: "" } as const;
  return fromWire("HoldOut", sent(presentHold({ ...row, body: openHold({ id: "hold_1", ask }) }, AGENT)));
}

export const native: FaceTranslation = {
  title: "Native API and SDK",
  votes:
    '`decision`, `votes` and `missing` on the hold; an answer that only adds a vote is a 200 with `status: "open"`.',
  by: "a hold as it is read, placed again",
  ask(ask) {
    const { type, prompt, context, options, select, form, responseSchema, actions, uses } = seen(ask);
    const place = { type, prompt, context, options, select, form, responseSchema, actions, uses };
    return askOf(sent(toWire("PlaceIn", place as unknown as Place)) as PlaceIn);
  },
  askLosses: [],
  answer: ({ action, data }) =>
    sent(toWire("AnswerIn", { action, data })) as { action: string; data: typeof data },
  answerLosses: [],
};
