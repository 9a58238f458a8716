/** What the presser reads, on platforms that show it as a private message. */

import type { ChatAnswer, PrivateText } from "./platform.ts";

/** `undefined`: there is nothing to say. A question ends up here only if its dialog could not be opened. */
export function answerText(answer: ChatAnswer): PrivateText | undefined {
  switch (answer.kind) {
    case "done":
      return answer.text === undefined ? undefined : { text: answer.text };
    case "refused":
      return { text: answer.text };
    case "private":
      return answer.text;
    case "ask":
      return { text: "The dialog could not be opened in time. Please press again." };
  }
}
