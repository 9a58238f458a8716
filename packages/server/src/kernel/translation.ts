/**
 * The contract of a face: it translates every hold into its protocol and back. A face's `map.ts` is one of these and
 * nothing more. Rules about holds live in the kernel, so a translation never refuses what the kernel would accept and
 * never accepts anything on its behalf.
 *
 * L1  Round trip: `readAnswer(sayAnswer(a))` is `a`, for every answer that the protocol can express.
 * L2  Round trip: `readAsk(sayAsk(ask))` asks the same question, for every ask that came from this protocol.
 * L3  An ending is reported truthfully: only a decided hold names a person or an action (G5).
 */

import type { Answer, Ask, Problem } from "@holdpoint/protocol/rules";
import type { Hold } from "./hold/hold.ts";

/** The input could not be translated; each problem names its place. */
export interface Unreadable {
  readonly problems: readonly Problem[];
}

export interface Translation<AskWords, AnswerWords, EndingWords> {
  /** The face's name, equal to its folder. */
  readonly face: string;
  readAsk(words: AskWords): Ask | Unreadable;
  sayAsk(ask: Ask): AskWords;
  /** Takes the ask, because the meaning of an answer depends on what was asked. */
  readAnswer(words: AnswerWords, ask: Ask): Answer | Unreadable;
  sayAnswer(answer: Answer, ask: Ask): AnswerWords;
  /** Open, decided, expired or cancelled, as this protocol names it. */
  sayEnding(hold: Hold): EndingWords;
}
