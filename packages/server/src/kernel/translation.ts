/**
 * What a face promises: it can say any hold in its protocol's words and read its protocol's words back. A face's `map.ts` is
 * one of these and nothing more; rules about holds live in the core, so a translation never refuses what the core would
 * accept and never accepts for it.
 *
 * L1  There and back: `readAnswer(sayAnswer(a))` is `a`, for every answer the protocol has words for.
 * L2  There and back: `readAsk(sayAsk(ask))` asks the same question, for every ask that came from this protocol.
 * L3  An ending is said truthfully: only a decided hold names a person or an action (G5).
 */

import type { Answer, Ask, Problem } from "@holdpoint/protocol/rules";
import type { Hold } from "./hold/hold.ts";

/** Words that cannot be read, each with its place. */
export interface Unreadable {
  readonly problems: readonly Problem[];
}

export interface Translation<AskWords, AnswerWords, EndingWords> {
  /** The face's name, as in its folder. */
  readonly face: string;
  readAsk(words: AskWords): Ask | Unreadable;
  sayAsk(ask: Ask): AskWords;
  /** Needs the ask: what a word means depends on what was asked. */
  readAnswer(words: AnswerWords, ask: Ask): Answer | Unreadable;
  sayAnswer(answer: Answer, ask: Ask): AnswerWords;
  /** Open, decided, expired or cancelled, as this protocol calls it. */
  sayEnding(hold: Hold): EndingWords;
}
