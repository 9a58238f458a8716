/** Which names new channels may have. All channels have their names in common, those of every workspace too. */

import type { Draft } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { Platform } from "../platform.ts";
import { CHANNELS_MAX, isChannel } from "./server.ts";

/** What a decision about a channel of this name loads. */
export function channelNeeds(name: string) {
  return (["chat_channel", "email_channel", "webhook_channel"] as const).map((kind) => ({ kind, id: name }));
}

/** Why no channel of this name can be added; `null` if it can. Another server may have added one a moment ago. */
export function whyNotNew(name: string, draft: Draft, platform: Platform): Failure | null {
  const isTaken = channelNeeds(name).some(({ kind, id }) => draft.get(kind, id) !== undefined);
  if (isTaken || isChannel(name, platform))
    return failure("already_exists", `there is a channel named ${name} already; choose another name`);
  if (Object.keys(platform.notify.channels).length < CHANNELS_MAX) return null;
  return failure(
    "too_many_channels",
    `the server has ${CHANNELS_MAX} channels already; disconnect one that nobody uses first`,
  );
}
