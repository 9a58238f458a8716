/** Changing an intent's status, with all that follows from it. */

import { react } from "../graph/react.ts";
import type { IntentStatus } from "./intent.ts";
import { type StatusWords, type Story, tellStatus } from "./intent-log.ts";

export function moveTo(story: Story, to: IntentStatus, more: StatusWords = {}): Story {
  return react(tellStatus(story, to, more), story.intent.status, more.ending);
}
